import { readFileSync, rmSync, statSync, utimes, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from './processes.ts';

const HEARTBEAT_MS = 2_000;
const STALE_AFTER_MS = 10_000;

/**
 * Does `work` while no other process, and nothing else in this one, does work under the same lock file.
 *
 * @param deadline - when to give up waiting for the lock, in milliseconds since the epoch
 */
export async function withLock<T>(file: string, deadline: number, work: () => Promise<T>): Promise<T> {
  while (!tryLock(file)) {
    if (Date.now() > deadline) throw new Error(`Another process is still working under ${file}.`);
    await delay(25);
  }
  const heartbeat = setInterval(() => utimes(file, new Date(), new Date(), () => {}), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    rmSync(file, { force: true });
  }
}

function tryLock(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  // Removed now, taken in the next round: whoever judged the same file stale has removed it, too, by then. Should the
  // lock ever be broken all the same, Postgres still refuses a second postmaster on its data.
  if (isStale(file)) rmSync(file, { force: true });
  return false;
}

/** The heartbeat tells a holder from a process that has got the pid of a dead one. */
function isStale(file: string): boolean {
  try {
    return !isAlive(Number(readFileSync(file, 'utf8'))) || Date.now() - statSync(file).mtimeMs > STALE_AFTER_MS;
  } catch {
    return false; // released in the meantime
  }
}
