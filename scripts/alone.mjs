// Lets one process at a time install and build this checkout. Runs on Node.js 20.
import { rmSync, statSync, utimes, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { step } from './progress.mjs';

const file = path.resolve(import.meta.dirname, '../.installing');
/** The age at which a lock is stale. Its holder renews it each second. A killed holder does not, and its id may be reused. */
const STALE_MS = 10_000;

/** Runs `work` when no other `npm start` or `npm test` of this checkout installs or builds. */
export async function alone(work) {
  if (!take())
    await step('Waiting for another npm start or npm test of this checkout to install and build', async () => {
      while (!take()) await delay(100);
    });
  // The renewal ignores a missing file: a process that slept, as on a laptop, may have lost the lock.
  const renewal = setInterval(() => utimes(file, new Date(), new Date(), () => {}), 1_000);
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    process.off('exit', release);
    release();
  }
}

function take() {
  try {
    writeFileSync(file, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity };
    if (mtimeMs < Date.now() - STALE_MS) rmSync(file, { force: true });
    return false;
  }
}
