import type pg from 'pg';

/** A minute in milliseconds. */
export const MINUTE = 60_000;
export const DAY = 86_400_000;

/** The time of the database in SQL, constant during a statement. */
export const NOW = 'statement_timestamp()';

/** A time in SQL as Unix time in milliseconds. */
export const millisecondsOf = (time: string) => `floor(extract(epoch from ${time}) * 1000)::bigint`;

/** Difference in milliseconds from which a wrong system clock is reported. */
const SKEW = 5_000;

export interface ClockOptions {
  /** Monotonic clock in milliseconds. Default: `performance.now`. */
  monotonic?: () => number;
  /** System clock, Unix time in milliseconds. Default: `Date.now`. */
  system?: () => number;
  /** Called once if the system clock is wrong, with the milliseconds by which it is ahead of the database's. */
  onSkew?: (ahead: number) => void;
}

/**
 * The database's clock, shared by the fleet: an offset to the monotonic clock, found from the times that statements return.
 * Until the first statement, it is the system clock.
 */
export class DatabaseClock {
  /** The monotonic clock in milliseconds, for durations. */
  readonly monotonic: () => number;
  readonly #system: () => number;
  #onSkew: ClockOptions['onSkew'];
  #offset: number;
  #second = 0;
  #date = '';

  constructor({ monotonic = () => performance.now(), system = Date.now, onSkew }: ClockOptions = {}) {
    this.monotonic = monotonic;
    this.#system = system;
    this.#onSkew = onSkew;
    this.#offset = system() - monotonic();
  }

  /** The time of the database: Unix time in milliseconds. */
  now(): number {
    return this.monotonic() + this.#offset;
  }

  /** The time as in the header `Date` (RFC 9110, section 5.6.7). It is formatted once a second. */
  date(): string {
    const second = Math.floor(this.now() / 1_000);
    if (second !== this.#second) this.#date = new Date(second * 1_000).toUTCString();
    this.#second = second;
    return this.#date;
  }

  /** @param time - SQL of the database's time */
  async ask(pool: pg.Pool, time = NOW): Promise<void> {
    const sent = this.monotonic();
    const { rows } = await pool.query<{ now: unknown }>(`select ${millisecondsOf(time)} as now`);
    for (const { now } of rows) this.synchronize(Number(now), sent);
  }

  /**
   * The statement ran between `sent` and now, so its time bounds the offset from both sides.
   *
   * @param time - of the database, Unix time in milliseconds
   * @param sent - monotonic time before the statement
   */
  synchronize(time: number, sent: number): void {
    const received = this.monotonic();
    this.#offset = Math.min(Math.max(this.#offset, time - received), time - sent);
    const ahead = this.#system() - this.now();
    if (Math.abs(ahead) < SKEW) return;
    this.#onSkew?.(ahead);
    this.#onSkew = undefined;
  }
}
