import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { DatabaseHandle } from './database/open.ts';

/** The arguments of a job besides the context of its service. */
interface JobContext {
  /** Aborts when the server ends, which waits for up to 14 seconds. */
  signal: AbortSignal;
}

/** The longest time of a timer of Node.js, in milliseconds. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** Periodic work on one server of a fleet at a time. */
export interface Job<Context> {
  /** Milliseconds from one start to the next, 24 days at most; the first one is when the server listens. */
  every: number;
  /**
   * Does the work. An exception is logged. Two runs may overlap, as a server that loses the database goes on while another one begins.
   */
  run(context: Context & JobContext): Promise<void>;
}

/**
 * Starts jobs. A run is left out while another server, or an earlier run on this one, still holds the lock.
 *
 * @param db - connections of the jobs alone: each run keeps one for its lock
 * @returns a function that ends the jobs, and waits for those that run
 */
export function startJobs<Context>(
  jobs: Readonly<Record<string, Job<Context>>>,
  { db, context, log }: { db: DatabaseHandle; context: Context; log: FastifyBaseLogger },
): () => Promise<void> {
  const running = new Map<string, Promise<unknown>>();
  const ending = new AbortController();
  const timers = Object.entries(jobs).map(([job, { every, run }]) => {
    const attempt = () => {
      if (running.has(job)) return;
      const ended = alone(db, job, () => run({ ...context, signal: ending.signal }))
        .catch((err) => log.warn({ err, job }, 'a job failed'))
        .finally(() => running.delete(job));
      running.set(job, ended);
    };
    attempt();
    return setInterval(attempt, every).unref();
  });
  return async () => {
    timers.map(clearInterval);
    ending.abort();
    await Promise.all(running.values());
  };
}

/** Milliseconds between two statements on the connection of a lock, which otherwise counts as silent. */
const PULSE = 1_000;

/**
 * Runs work under an advisory lock, unless another session has it, and says whether it did. The lock is a transaction's, which poolers keep together. The statements
 * are SQL, as they call Postgres' own functions.
 */
export function alone({ kysely }: DatabaseHandle, job: string, work: () => Promise<void>): Promise<boolean> {
  return kysely.transaction().execute(async (transaction) => {
    await sql`select set_config(name, '0', true) from pg_settings where name = 'transaction_timeout'`.execute(
      transaction,
    );
    const { rows } = await sql<{ free: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`job ${job}`}, 0)) as free`.execute(transaction);
    if (!rows[0]?.free) return false;
    const pulse = setInterval(() => void sql`select`.execute(transaction).catch(() => {}), PULSE);
    await work().finally(() => clearInterval(pulse));
    return true;
  });
}
