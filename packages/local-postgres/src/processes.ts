import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

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
    if (process.platform !== 'linux') return /postgres/.test(ps(pid, 'comm'));
    const [directory, own] = [statSync(`/proc/${pid}/cwd`), statSync(folder)];
    return directory.dev === own.dev && directory.ino === own.ino;
  } catch {
    return false;
  }
}

/** The command line of the parent process; empty when that has exited. */
export function parentOf(pid: number): string {
  try {
    if (process.platform !== 'linux') return ps(Number(ps(pid, 'ppid')), 'args');
    const [, parent] = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return readFileSync(`/proc/${parent}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

const ps = (pid: number, column: string) =>
  execFileSync('ps', ['-ww', '-o', `${column}=`, '-p', `${pid}`], { encoding: 'utf8' });
