import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { countsAdder } from './add-counts.ts';
import { DatabaseClock, NOW } from './clock.ts';
import { type Addition, type Decision, MAX_LIMIT, type Quota, RESERVATION_TTL, Usage } from './usage.ts';

export interface LimiterOptions {
  /** A pool with time limits, also of the client (`query_timeout`). Two connections are enough. */
  pool: pg.Pool;
  /** SQL of the fleet's time. Default: `statement_timestamp()`. */
  now?: string | undefined;
  /** Default: one that is set by the statements. */
  clock?: DatabaseClock | undefined;
  /** Bans a subject for `duration` milliseconds after so many refusals by a server within a minute. Default: never. */
  ban?: { after: number; duration: number } | undefined;
  /** Called when the database is lost, with the reason, and when it is back. Exceptions are ignored. The plugin logs it by default. */
  onChange?: ((away: boolean, reason?: unknown) => void) | undefined;
  /** Called after each statement, with the milliseconds that its first request waited, and that it took. Exceptions are ignored. */
  onStatement?: ((timing: { waited: number; took: number }) => void) | undefined;
  /** The most quotas that it remembers. One that is evicted costs a statement or, without the database, loses its count. */
  size?: number | undefined;
}

/** Milliseconds between checks for old reservations, and between attempts to reach a lost database. */
const CHECK_INTERVAL = 50;
const RETRY_INTERVAL = 1_000;

/** Calls a listener, whose faults are none of the count. */
function ignoringExceptions(call: () => void): void {
  try {
    call();
  } catch {}
}

const NEVER = { after: Number.POSITIVE_INFINITY, duration: 0 };

const isLimit = (limit: number) => Number.isInteger(limit) && limit >= 0 && limit <= MAX_LIMIT;
/** Whether Postgres can store it, in an index whose rows have at most 2,704 bytes. */
const isSubject = (text: string) => text.isWellFormed() && !text.includes('\0') && Buffer.byteLength(text) <= 2_600;
const isValid = ({ subject, perMinute, perDay }: Quota) => isLimit(perMinute) && isLimit(perDay) && isSubject(subject);

/** SQLSTATE classes with which Postgres may crash: lost connection, resources, shutdown, input and output, internal error. */
const CRASH = /^(08|53|57P|58|XX)/;

/**
 * Counts requests in Postgres, exactly over all servers: a committed statement has taken each admitted request, mostly ahead of need.
 * Without the database, this server counts alone from its last known state. The next statement discards those counts.
 */
export class Limiter {
  readonly clock: DatabaseClock;
  readonly #options: LimiterOptions;
  readonly #ban: { after: number; duration: number };
  readonly #addCounts: ReturnType<typeof countsAdder>;
  readonly #usages: LRUCache<string, Usage>;
  /** The quotas that may have a reservation, the oldest first. The timer runs while there are some. */
  readonly #reserving = new Set<Usage>();
  readonly #timer = setTimeout(() => this.#renew(), CHECK_INTERVAL).unref();
  #closed = false;
  /** Monotonic time of the next attempt to reach the database; 0 while it answers. */
  #retryAt = 0;
  /** Subjects that this server has banned so far. */
  bans = 0;
  /** Whether a connection broke since the last statement. */
  #hasBroken = false;
  /** The quotas of the next statement, and the time of the first of them. */
  #waiting = new Set<Usage>();
  #since = 0;
  /** The ends of a statement that has not begun, and of the last one that was asked for. */
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(options: LimiterOptions) {
    const { pool, now = NOW, clock = new DatabaseClock(), ban = NEVER, size = 50_000 } = options;
    this.#options = options;
    this.#ban = ban;
    this.clock = clock;
    this.#usages = new LRUCache({ max: size, memoMethod: () => new Usage() });
    this.#addCounts = countsAdder(pool, now);
    pool.on('error', () => {
      this.#hasBroken = true;
    });
  }

  /** Whether a request that waits for a statement will be admitted, as far as this server knows. */
  expects({ subject }: Quota): boolean {
    return (this.#usages.peek(subject)?.remaining ?? 0) > 0;
  }

  /**
   * Counts one request and decides on it: synchronously unless a statement is needed. Never rejects.
   *
   * @throws RangeError for a limit that is no integer up to 999,999,999, and for a subject over 2,600 bytes or that is no text of Postgres
   */
  take(quota: Quota): Decision | Promise<Decision> {
    // In the statement of all, it would fail those of others.
    if (!isValid(quota)) throw new RangeError(`A quota that cannot be counted: ${JSON.stringify(quota)}`);
    const usage = this.#usages.memo(quota.subject);
    usage.quota = quota;
    return this.#decide(usage);
  }

  #decide(usage: Usage): Decision | Promise<Decision> {
    usage.roll(this.clock.now(), this.#ban.duration);
    const isAlone = this.clock.monotonic() < this.#retryAt;
    usage.due ||= usage.doubts(this.clock.monotonic());
    if (usage.ready > 0 || (isAlone && usage.remaining > 0)) return usage.admit();
    if (!isAlone && (usage.remaining > 0 || usage.due)) return this.#wait(usage);
    const { isBanned } = usage;
    const decision = usage.refuse(this.clock.now(), this.clock.monotonic(), this.#ban);
    if (!isBanned && usage.isBanned) this.bans += 1;
    if (usage.due && !isAlone) void this.#submit(usage);
    return decision;
  }

  /** Whether it counts without the database. */
  get isAlone(): boolean {
    return this.#retryAt > 0;
  }

  async #wait(usage: Usage): Promise<Decision> {
    usage.waiting += 1;
    await this.#submit(usage);
    usage.waiting -= 1;
    return this.#decide(usage);
  }

  /** Gives back what is reserved, and reserves no more. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#renew());
  }

  /** Renews the reservations that were kept for long enough. A closed limiter gives all of them back. */
  #renew(): Promise<unknown>[] {
    const statements: Promise<unknown>[] = [];
    for (const usage of this.#reserving) {
      if (!this.#closed && this.clock.monotonic() - usage.askedAt < RESERVATION_TTL) break;
      // A closed limiter may still be waiting for the reservation.
      usage.due ||= usage.reserved > 0 || this.#closed;
      if (usage.reserved > 0 || this.#closed) statements.push(this.#submit(usage));
      else this.#reserving.delete(usage);
    }
    if (this.#reserving.size > 0) this.#timer.refresh();
    return statements;
  }

  /**
   * Natural batching: one statement at a time; quotas submitted meanwhile share the next one.
   *
   * @returns when a statement that began after this call has ended
   */
  #submit(usage: Usage): Promise<void> {
    if (this.#waiting.size === 0) this.#since = performance.now();
    this.#waiting.add(usage);
    this.#next ??= this.#last = this.#runNext(this.#last);
    return this.#next;
  }

  async #runNext(last: Promise<void>): Promise<void> {
    await last;
    // The statement is sent after this turn of the event loop, so that it has all requests that arrive in it.
    await setImmediate();
    const [usages, since, began] = [this.#waiting, this.#since, performance.now()];
    // The set is not reused: V8 would keep its old tables in memory.
    this.#waiting = new Set();
    this.#next = undefined;
    await this.#run(usages);
    ignoringExceptions(() => this.#options.onStatement?.({ waited: began - since, took: performance.now() - began }));
  }

  /** Sends one statement for all quotas. A run that waited behind a failed one does not wait for a time-out of its own. */
  async #run(usages: Set<Usage>): Promise<void> {
    const { clock } = this;
    const { onChange } = this.#options;
    const monotonic = clock.monotonic();
    if (monotonic < this.#retryAt) return;
    // A crash of the database may have forgotten the reservations.
    if (this.#hasBroken) for (const usage of this.#reserving) usage.reserved = 0;
    this.#hasBroken = false;
    const asking = new Map<string, Usage>();
    const additions: Addition[] = [];
    for (const usage of usages) {
      usage.roll(clock.now(), this.#ban.duration);
      // One was evicted while requests waited for it. A statement has a subject once.
      if (asking.has(usage.quota.subject)) {
        void this.#submit(usage);
        continue;
      }
      const addition = usage.ask(monotonic, !this.#closed);
      if (!addition) continue;
      additions.push(addition);
      asking.set(addition.subject, usage);
      if (this.#reserving.size === 0) this.#timer.refresh();
      this.#reserving.delete(usage);
      if (!this.#closed) this.#reserving.add(usage);
    }
    const [first, ...others] = additions;
    if (!first) return;
    const wasAway = this.#retryAt > 0;
    // One run at a time tries the database again; other requests do not wait for it.
    if (wasAway) this.#retryAt = Number.POSITIVE_INFINITY;
    try {
      for (const counts of await this.#addCounts([first, ...others])) {
        const usage = asking.get(counts.subject);
        clock.synchronize(counts.now, monotonic);
        usage?.update(counts, this.#ban.duration);
        if (usage?.due) void this.#submit(usage);
      }
      this.#retryAt = 0;
    } catch (error) {
      this.#retryAt = clock.monotonic() + RETRY_INTERVAL;
      if (!(error instanceof pg.DatabaseError) || CRASH.test(error.code ?? '')) this.#hasBroken = true;
      for (const usage of asking.values()) usage.due = true;
      if (!wasAway) ignoringExceptions(() => onChange?.(true, error));
      return;
    }
    if (wasAway) ignoringExceptions(() => onChange?.(false));
  }
}
