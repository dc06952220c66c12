import { setTimeout as delay } from 'node:timers/promises';
import { isStale } from '@petstore-platform/kysely-pipeline';
import pg from 'pg';

/** SQLSTATE of a serialization failure. */
const SERIALIZATION = '40001';

/**
 * SQLSTATEs of a serialization failure, a deadlock, and a statement whose columns have changed. Postgres has undone everything, so the
 * change is tried again.
 */
const AGAIN = [SERIALIZATION, '40P01'];
const RETRIES = 3;

/** The longest pauses in milliseconds: before the first retry, and before any. */
const FIRST_PAUSE = 5;
const MAX_PAUSE = 100;

/**
 * The retries of one change. A pause precedes each: a random part of a time that doubles, so that those who lost a row to each other do
 * not meet again, and do not take the time of the server that won.
 *
 * @param timeout - in milliseconds. A transaction with a snapshot may lose to each of many that another server commits meanwhile, so it
 *   is tried again for this long; any other change three times
 * @returns a function that resolves after the pause, with whether the change runs again after an error
 */
export function retriesOf(
  timeout: number,
  { now = () => performance.now(), random = Math.random, pause = delay } = {},
) {
  const since = now();
  let count = 0;
  return async (error: unknown, isSnapshot = false): Promise<boolean> => {
    if (!(error instanceof pg.DatabaseError)) return false;
    if (!AGAIN.includes(error.code ?? '') && !isStale(error)) return false;
    const isLoser = isSnapshot && error.code === SERIALIZATION;
    if (isLoser ? now() - since >= timeout : count >= RETRIES) return false;
    await pause(random() * Math.min(MAX_PAUSE, FIRST_PAUSE * 2 ** count));
    count += 1;
    return true;
  };
}
