import { DatabaseClock, type DatabaseHandle } from '@petstore-platform/server-runtime/testing';

/** The clock of a test database, which only the test advances. */
export class TestClock {
  /** Unix time in milliseconds. */
  time: number;
  #db: DatabaseHandle | undefined;

  constructor(time: number) {
    this.time = time;
  }

  /**
   * The clock for code in the test's own process. Statements do not synchronize it, as one that runs while the clock is set would return
   * the earlier time.
   */
  beside(): DatabaseClock {
    const clock = new DatabaseClock({ monotonic: () => this.time, system: () => this.time });
    return Object.assign(clock, { synchronize() {} });
  }

  /** Sets the time in a database, in which the clock is installed. */
  setIn(db: DatabaseHandle): this {
    this.#db = db;
    return this;
  }

  /** Replaces `service_now()` in a database, which servers may share. */
  async install(db: DatabaseHandle): Promise<this> {
    await db.pool.query(`
      create table if not exists test_clock as select to_timestamp(${this.time / 1000}) as time;
      create or replace function service_now() returns timestamptz language sql stable return (select time from test_clock)`);
    return this.setIn(db);
  }

  async set(time: number): Promise<void> {
    this.time = time;
    await this.#db?.pool.query('update test_clock set time = to_timestamp($1)', [time / 1000]);
  }

  /** @param duration - milliseconds */
  pass(duration: number): Promise<void> {
    return this.set(this.time + duration);
  }
}
