import type { DatabaseHandle } from './database/open.ts';
import { deleteOldCounts } from './limits/count-store.ts';
import { deleteExpiredKeys } from './pets/create.ts';

const HOUR = 3_600_000;

/** Deletes what is no longer of use: counts of past days, and idempotency keys after their 24 hours. */
export async function deleteExpiredRows(db: DatabaseHandle): Promise<void> {
  await deleteOldCounts(db);
  await deleteExpiredKeys(db);
}

/**
 * Deletes expired rows now and every hour; every server of a fleet may. What fails, as without the database, is done an hour later.
 *
 * @returns stops it
 */
export function startHousekeeping(db: DatabaseHandle): () => void {
  const run = () => void deleteExpiredRows(db).catch(() => {});
  run();
  const timer = setInterval(run, HOUR).unref();
  return () => clearInterval(timer);
}
