import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';

export interface Build {
  /** Version of the program's package. */
  version: string;
  /** The `COMMIT` of the environment, which the image sets. */
  commit: string;
  node: string;
}

/** Finds the version of a program. @param script - its file. Default: that of this process */
export function buildOf(script = process.argv[1] ?? ''): Build {
  const { COMMIT: commit = '' } = process.env;
  return { version: versionAbove(path.dirname(realpathSync(script))), commit, node: process.versions.node };
}

function versionAbove(folder: string): string {
  try {
    const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    if (version) return version;
  } catch {
    // This folder has no manifest; its parent may have one.
  }
  return folder === path.dirname(folder) ? 'unknown' : versionAbove(path.dirname(folder));
}
