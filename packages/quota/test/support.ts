import { createDatabase } from '@petstore-platform/testkit/database';
import pg from 'pg';
import { DatabaseClock, table } from '../src/index.ts';

/** A pool for counts, as an application has it. */
export const poolOf = (connectionString: string) =>
  new pg.Pool({ connectionString, max: 2, connectionTimeoutMillis: 2_000, options: '-c statement_timeout=2000' });

/** A pool that can be made unavailable, and counts its statements. */
export function flakyPool(url: string) {
  const pool = poolOf(url);
  const flaky = { pool, away: false, statements: 0 };
  type Callback = (error: Error | undefined, client?: pg.PoolClient) => void;
  const connect = pool.connect.bind(pool) as (callback: Callback) => void;
  pool.connect = ((callback: Callback) => {
    flaky.statements += 1;
    if (!flaky.away) return connect(callback);
    callback(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' }));
  }) as typeof pool.connect;
  return flaky;
}

/** A database with the table, and a clock that only the test advances. */
export class Database {
  /** SQL of its time. */
  readonly now = 'test_now()';
  time: number;
  readonly url: string;
  readonly pool: pg.Pool;
  readonly #drop: () => Promise<void>;

  private constructor(url: string, time: number, drop: () => Promise<void>) {
    this.url = url;
    this.time = time;
    this.#drop = drop;
    this.pool = poolOf(url).on('error', () => {});
  }

  static async create(time: number): Promise<Database> {
    const { url, drop } = await createDatabase();
    const database = new Database(url, time, drop);
    await database.pool.query(`${table.up};
      create table test_clock as select to_timestamp(${time / 1_000}) as time;
      create function test_now() returns timestamptz language sql stable return (select time from test_clock)`);
    return database;
  }

  /** The clock for code in the test's own process. Statements do not set it: one that runs meanwhile would return the earlier time. */
  clock(): DatabaseClock {
    const clock = new DatabaseClock({ monotonic: () => this.time, system: () => this.time });
    return Object.assign(clock, { synchronize() {} });
  }

  async set(time: number): Promise<void> {
    this.time = time;
    await this.pool.query('update test_clock set time = to_timestamp($1)', [time / 1_000]);
  }

  /** @param duration - milliseconds */
  pass(duration: number): Promise<void> {
    return this.set(this.time + duration);
  }

  async close(): Promise<void> {
    await this.pool.end();
    await this.#drop();
  }
}
