import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';

/** Whether a contract may read a file: a regular one in a folder or below, symbolic links followed. */
export function mayRead(folder: string, file: string): boolean {
  try {
    const target = realpathSync(file);
    return target.startsWith(path.join(realpathSync(folder), path.sep)) && statSync(target).isFile();
  } catch {
    return false;
  }
}

export const UNREADABLE = 'is no regular file below the folder of the contract';
