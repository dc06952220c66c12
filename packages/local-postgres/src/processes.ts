import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';

/** Whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether the process has this working directory, compared by inode: a bind mount has another path. */
export function worksIn(pid: number, folder: string): boolean {
  try {
    // Elsewhere, whether it is a Postgres.
    if (process.platform !== 'linux')
      return /postgres/.test(execFileSync('ps', ['-o', 'comm=', '-p', `${pid}`], { encoding: 'utf8' }));
    const [directory, own] = [statSync(`/proc/${pid}/cwd`), statSync(folder)];
    return directory.dev === own.dev && directory.ino === own.ino;
  } catch {
    return false;
  }
}
