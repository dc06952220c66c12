import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';

/** Whether a contract may read a file. It must be a regular file in the folder or below, after symbolic links are followed. */
export function mayRead(folder: string, file: string): boolean {
  try {
    const target = realpathSync(file);
    return target.startsWith(path.join(realpathSync(folder), path.sep)) && statSync(target).isFile();
  } catch {
    return false;
  }
}

export const UNREADABLE = 'is no regular file below the folder of the contract';
