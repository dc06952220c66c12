import { sql } from 'kysely';
import { NOW } from './database/clock.ts';
import type { DatabaseHandle } from './database/open.ts';
import { EXPIRED } from './pets/create.ts';

const HOUR = 3_600_000;

/** Maximum rows per statement, so that none takes long. */
const BATCH = 5_000;

/** Idempotency keys after 24 hours, and the counts of past days unless a ban continues. */
const OLD_ROWS = {
  rate_limits: sql`day < ${NOW} / 86400000 and banned_until <= ${NOW}`,
  idempotency_keys: EXPIRED,
};

/** Deletes expired rows. Skips locked rows: without waiting there is no deadlock. */
export async function deleteExpiredRows({ kysely }: DatabaseHandle): Promise<void> {
  for (const [name, condition] of Object.entries(OLD_ROWS)) {
    const table = sql.table(name);
    const batch = sql`
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where ${condition} limit ${BATCH} for update skip locked))`;
    while ((await batch.execute(kysely)).numAffectedRows === BigInt(BATCH));
  }
}

/**
 * Deletes expired rows now and every hour, on every server of a fleet. Failures are ignored until the next hour.
 */
export function startHousekeeping(db: DatabaseHandle): void {
  const run = () => void deleteExpiredRows(db).catch(() => {});
  run();
  setInterval(run, HOUR).unref();
}
