import type { FastifyBaseLogger } from 'fastify';
import { type Kysely, sql } from 'kysely';
import { EXPIRED } from './api/idempotency.ts';
import { NOW } from './database/clock.ts';
import { isDatabaseUnavailable } from './errors.ts';
import type { Job } from './jobs.ts';

type OnFailure = (error: unknown, table: string) => void;

/** Maximum rows per statement, so that none takes long. */
const BATCH = 5_000;

/** Idempotency keys after 24 hours, and the counts of past days unless a ban continues; in the order of an index. */
const OLD_ROWS = {
  rate_limits: sql`day < ${NOW} / 86400000 and banned_until <= ${NOW} order by day`,
  idempotency_keys: sql`${EXPIRED} order by created_at`,
};

/**
 * Deletes expired rows. SQL, as the builder has no `any(array(…))`, which reads no other row. Skips locked rows: without waiting there is no deadlock. After a failure, as of a statement that takes too
 * long, a table goes on with a tenth of the rows per statement.
 *
 * @param onFailure - called for each table in which rows are left
 */
// biome-ignore lint/suspicious/noExplicitAny: its tables are named in SQL
export async function deleteExpiredRows(db: Kysely<any>, onFailure?: OnFailure): Promise<void> {
  for (const [name, condition] of Object.entries(OLD_ROWS)) {
    const table = sql.table(name);
    for (let size = BATCH; size >= 1; ) {
      const batch = sql`
        delete from ${table} where ctid = any(array(
          select ctid from ${table} where ${condition} limit ${size} for update skip locked))`;
      try {
        if ((await batch.execute(db)).numAffectedRows !== BigInt(size)) break;
      } catch (error) {
        size = isDatabaseUnavailable(error) ? Math.floor(size / 10) : 0;
        if (size === 0) onFailure?.(error, name);
      }
    }
  }
}

/** The jobs of the runtime. */
// biome-ignore lint/suspicious/noExplicitAny: its tables are named in SQL
export const runtimeJobs: Record<string, Job<{ db: Kysely<any>; log: FastifyBaseLogger }>> = {
  housekeeping: {
    every: 3_600_000,
    run: ({ db, log }) => deleteExpiredRows(db, (err, table) => log.warn({ err, table }, 'expired rows are left')),
  },
};
