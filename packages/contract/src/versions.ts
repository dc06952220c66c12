/** Refuses packages of the platform that do not fit each other. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SCOPE = '@petstore-platform';

/**
 * Refuses a repository with packages of the platform in several versions: generated code might compile, and fail later. Versions that
 * differ in the last number fit.
 *
 * @param root - folder of the repository
 * @throws Error with one sentence that names them
 */
export function refuseMixed(root: string): void {
  const read = (file: string): { name: string; version: string } => JSON.parse(readFileSync(file, 'utf8'));
  const { version } = read(path.join(import.meta.dirname, '../package.json'));
  const installed = globSync(`{,*/}node_modules/${SCOPE}/*/package.json`, { cwd: root }).map((file) =>
    read(path.join(root, file)),
  );
  const minorOf = (text: string) => text.slice(0, text.lastIndexOf('.'));
  const others = installed.filter((each) => minorOf(each.version) !== minorOf(version));
  if (others.length === 0) return;
  const list = [...new Set(others.map((each) => `${each.name} ${each.version}`))].sort().join(', ');
  throw new Error(`${SCOPE}/contract is ${version}, but ${list}: install all packages of ${SCOPE} in one version`);
}
