import type { DatabaseHandle } from './database/open.ts';
import { deleteOldCounts } from './limits/count-store.ts';
import { deleteExpiredKeys } from './pets/create.ts';

const HOUR = 3_600_000;

/** Deletes the counts of past days, and idempotency keys after 24 hours. */
export async function deleteExpiredRows(db: DatabaseHandle): Promise<void> {
  await deleteOldCounts(db);
  await deleteExpiredKeys(db);
}

/**
 * Deletes expired rows now and every hour, on every server of a fleet. A failure is left to the next hour.
 *
 * @returns stops it
 */
export function startHousekeeping(db: DatabaseHandle): () => void {
  const run = () => void deleteExpiredRows(db).catch(() => {});
  run();
  const timer = setInterval(run, HOUR).unref();
  return () => clearInterval(timer);
}
