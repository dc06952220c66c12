import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of a clock tick in /proc: USER_HZ is 100 wherever Node.js runs. */
const TICK = 10;

/** Processor time of a process in milliseconds; NaN where there is no /proc. */
export function cpuTime(pid: number): number {
  const [, , , , , , , , , , , user, system] = stat(pid);
  return (Number(user) + Number(system)) * TICK;
}

/** The same with all its children, those that have ended included: of Postgres, by its postmaster. */
export function cpuTimeOfAll(pid: number): number {
  const [, , , , , , , , , , , user, system, children, childrenSystem] = stat(pid);
  const own = (Number(user) + Number(system) + Number(children) + Number(childrenSystem)) * TICK;
  if (!existsSync('/proc')) return Number.NaN;
  const living = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && stat(Number(entry))[1] === String(pid));
  return living.reduce((sum, child) => sum + cpuTime(Number(child)), own);
}

/** The fields of /proc/<pid>/stat from the state on: the name before it may hold anything. Empty for one that has ended. */
function stat(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').slice(1).join(') ').split(' ');
  } catch {
    return [];
  }
}
