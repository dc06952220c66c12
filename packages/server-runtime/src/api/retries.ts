import { setTimeout as delay } from 'node:timers/promises';
import { isStale } from '@petstore-platform/kysely-pipeline';
import pg from 'pg';

/** SQLSTATEs of a serialization failure and a deadlock. Postgres has undone everything, so the change is tried again. */
const AGAIN = ['40001', '40P01'];

/** Also for repeatable read: a lock timeout (55P03). */
export const isContended = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && [...AGAIN, '55P03'].includes(error.code ?? '');

const RETRIES = 3;

/** The longest pauses in milliseconds: before the first retry, and before any. */
const FIRST_PAUSE = 5;
const MAX_PAUSE = 100;

/**
 * The retries of one change. A pause precedes each: a random part of a time that doubles, so that those who lost a row to each other do
 * not meet again, and do not take the time of the server that won.
 *
 * @param timeout - in milliseconds. A transaction with a snapshot may lose to each of many that another server commits meanwhile, so it
 *   is tried again for this long, also after a deadlock or a wait; any other change three times
 * @returns a function that resolves after the pause, with whether the change runs again after an error
 */
export function retriesOf(timeout: number) {
  const since = performance.now();
  let count = 0;
  return async (error: unknown, isSnapshot = false): Promise<boolean> => {
    if (!(error instanceof pg.DatabaseError)) return false;
    const isLoser = isSnapshot && isContended(error);
    if (!isLoser && !AGAIN.includes(error.code ?? '') && !isStale(error)) return false;
    if (isLoser ? performance.now() - since >= timeout : count >= RETRIES) return false;
    await delay(Math.random() * Math.min(MAX_PAUSE, FIRST_PAUSE * 2 ** count));
    count += 1;
    return true;
  };
}
