import { readFileSync, realpathSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

/** The version of this program's package, and the commit that the image sets. */
export function buildOf() {
  const { COMMIT: commit = '' } = process.env;
  const manifest = findPackageJSON(pathToFileURL(realpathSync(process.argv[1] ?? '')));
  const { version = 'unknown' }: { version?: string } = manifest ? JSON.parse(readFileSync(manifest, 'utf8')) : {};
  return { version, commit, node: process.versions.node };
}
