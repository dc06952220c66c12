import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds per clock tick in /proc. USER_HZ is 100 on all platforms of Node.js. */
const TICK = 10;

/** CPU time in milliseconds of a process and all its children, exited ones included; NaN without /proc. */
export function cpuTime(pid: number): number {
  const [, , , , , , , , , , , user, system, children, childrenSystem] = stat(pid);
  const time = (Number(user) + Number(system) + Number(children) + Number(childrenSystem)) * TICK;
  if (Number.isNaN(time)) return time;
  const living = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && stat(Number(entry))[1] === String(pid));
  return living.reduce((sum, child) => sum + (cpuTime(Number(child)) || 0), time);
}

/** The fields of /proc/<pid>/stat after the process name, which may contain spaces. Empty for an exited process. */
function stat(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').slice(1).join(') ').split(' ');
  } catch {
    return [];
  }
}
