import type { FastifyBaseLogger } from 'fastify';
import { type Kysely, sql } from 'kysely';
import { EXPIRED } from './api/idempotency.ts';
import { NOW } from './database/runtime-migrations.ts';
import { isDatabaseUnavailable } from './errors.ts';
import type { Job } from './jobs.ts';

// biome-ignore lint/suspicious/noExplicitAny: its tables are named in SQL
type Db = Kysely<any>;

/** Maximum rows per statement, so that none takes long. */
const DELETED_AT_ONCE = 5_000;

/**
 * Deletes idempotency keys after 24 hours, by their times: Citus plans no statement that locks or names rows of several shards. After a
 * failure, such as a deadlock or a statement that takes too long, it goes on with a tenth of the rows per statement.
 *
 * @param onFailure - called if rows are left
 */
export async function deleteExpiredIdempotencyKeys(db: Db, onFailure?: (error: unknown) => void): Promise<void> {
  for (let size = DELETED_AT_ONCE; size >= 1; ) {
    const batch = sql`
      delete from idempotency_keys where ${sql.raw(EXPIRED)} and created_at <= (select max(created_at) from (
        select created_at from idempotency_keys where ${sql.raw(EXPIRED)} order by created_at limit ${size}) as oldest)`;
    try {
      if (Number((await batch.execute(db)).numAffectedRows) < size) break;
    } catch (error) {
      size = isDatabaseUnavailable(error) ? Math.floor(size / 10) : 0;
      if (size === 0) onFailure?.(error);
    }
  }
}

/** Deletes the counts of tokens, and of owners without a key, of earlier days. That of an API key shows its last use, so it stays. */
const deleteSubjects = (db: Db) =>
  sql`delete from rate_limits where (subject like 'token:%'
      or (subject like 'owner:%' and not exists (select from api_keys where 'owner:' || owner = subject)))
    and day < floor(extract(epoch from service_now()) / 86400)::integer - 1 and banned_until < ${NOW}`.execute(db);

// biome-ignore lint/suspicious/noExplicitAny: the service knows its context
type Jobs = Readonly<Record<string, Job<any>>>;

/** All jobs that run beside a service, by name. */
export function jobsOf({ tokens, jobs }: { tokens?: object | undefined; jobs: Jobs }): Jobs {
  const run = async ({ db, log }: { db: Db; log: FastifyBaseLogger }) => {
    await deleteExpiredIdempotencyKeys(db, (err) => log.warn({ err }, 'expired idempotency keys are left'));
    if (tokens) await deleteSubjects(db);
  };
  return { housekeeping: { every: 3_600_000, run }, ...jobs };
}
