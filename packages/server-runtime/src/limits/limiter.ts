import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { Batcher } from '../batcher.ts';
import type { DatabaseClock } from '../database/clock.ts';
import type { DatabaseHandle } from '../database/open.ts';
import { addCount, addCounts } from './add-counts.ts';
import { type Addition, type Decision, KEPT, type Quota, Usage } from './usage.ts';

export interface LimiterOptions {
  db: DatabaseHandle;
  clock: DatabaseClock;
  /** `after` is the number of refusals by a server within a minute, `duration` is in milliseconds. */
  ban: { after: number; duration: number };
  /** Called when the database is lost, with the reason, and when it is back. */
  onChange?: (away: boolean, reason?: unknown) => void;
  /** The most quotas that it remembers. One that is evicted costs a statement or, without the database, loses its count. */
  size?: number | undefined;
}

/** Milliseconds between checks for old reservations, and between attempts to reach a lost database. */
const INTERVAL = 50;
const RETRY = 1_000;

/** SQLSTATE classes with which Postgres may crash: lost connection, resources, shutdown, input and output, internal error. */
const CRASH = /^(08|53|57P|58|XX)/;

/**
 * Counts requests in Postgres, exactly over all servers: a committed statement has taken each admitted request, mostly ahead of need.
 * Without the database, this server counts alone from its last known state. The next statement discards those counts.
 */
export class Limiter {
  readonly clock: DatabaseClock;
  readonly #options: LimiterOptions;
  readonly #batcher = new Batcher((usages: Usage[]) => this.#run(usages), {
    timeout: Number.POSITIVE_INFINITY,
    kind: 'count',
  });
  readonly #usages: LRUCache<string, Usage>;
  /** The quotas that may have a reservation, the oldest first. The timer runs while there are some. */
  readonly #reserving = new Set<Usage>();
  readonly #timer = setTimeout(() => this.#renew(), INTERVAL).unref();
  #closed = false;
  /** Monotonic time of the next attempt to reach the database; 0 while it answers. */
  #retryAt = 0;
  /** Keys that this server has banned so far. */
  bans = 0;
  /** The `breaks` of the database before the last statement. */
  #breaks = 0;

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#usages = new LRUCache({ max: options.size ?? 50_000, memoMethod: () => new Usage() });
    this.clock = options.clock;
  }

  /** Whether a request that waits for a statement will be admitted, as far as this server knows. */
  expects({ subject }: Quota): boolean {
    return (this.#usages.peek(subject)?.remaining ?? 0) > 0;
  }

  /** Counts one request and decides on it: synchronously unless a statement is needed. Never rejects. */
  take(quota: Quota): Decision | Promise<Decision> {
    const usage = this.#usages.memo(quota.subject);
    usage.quota = quota;
    return this.#decide(usage);
  }

  #decide(usage: Usage): Decision | Promise<Decision> {
    usage.roll(this.clock.now(), this.#options.ban.duration);
    const isAlone = this.clock.monotonic() < this.#retryAt;
    usage.due ||= usage.doubts(this.clock.monotonic());
    if (usage.ready > 0 || (isAlone && usage.remaining > 0)) return usage.admit();
    if (!isAlone && (usage.remaining > 0 || usage.due)) return this.#wait(usage);
    const { isBanned } = usage;
    const decision = usage.refuse(this.clock.now(), this.clock.monotonic(), this.#options.ban);
    if (!isBanned && usage.isBanned) this.bans += 1;
    if (usage.due && !isAlone) void this.#batcher.submit(usage);
    return decision;
  }

  /** Whether it counts without the database. */
  get isAlone(): boolean {
    return this.#retryAt > 0;
  }

  async #wait(usage: Usage): Promise<Decision> {
    usage.waiting += 1;
    await this.#batcher.submit(usage);
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
      if (!this.#closed && this.clock.monotonic() - usage.askedAt < KEPT) break;
      // A closed limiter may still be waiting for the reservation.
      usage.due ||= usage.reserved > 0 || this.#closed;
      if (usage.reserved > 0 || this.#closed) statements.push(this.#batcher.submit(usage));
      else this.#reserving.delete(usage);
    }
    if (this.#reserving.size > 0) this.#timer.refresh();
    return statements;
  }

  /** Sends one statement for all quotas. A run that waited behind a failed one does not wait for a time-out of its own. */
  async #run(usages: Usage[]): Promise<undefined[]> {
    const { clock, db, ban, onChange } = this.#options;
    const monotonic = clock.monotonic();
    if (monotonic < this.#retryAt) return [];
    // A crash of the database may have forgotten the reservations.
    if (db.breaks > this.#breaks) for (const usage of this.#reserving) usage.reserved = 0;
    this.#breaks = db.breaks;
    const asking = new Map<string, Usage>();
    const additions: Addition[] = [];
    for (const usage of usages) {
      usage.roll(clock.now(), ban.duration);
      const addition = usage.ask(monotonic, !this.#closed);
      if (!addition) continue;
      additions.push(addition);
      asking.set(addition.subject, usage);
      if (this.#reserving.size === 0) this.#timer.refresh();
      this.#reserving.delete(usage);
      if (!this.#closed) this.#reserving.add(usage);
    }
    const [first] = additions;
    if (!first) return [];
    // One run at a time tries the database again; other requests do not wait for it.
    if (this.#retryAt > 0) this.#retryAt = Number.POSITIVE_INFINITY;
    try {
      const isOne = additions.length === 1;
      const rows = isOne ? addCount(db.pool, first) : addCounts(db.pool, { additions: JSON.stringify(additions) });
      for (const counts of await rows) {
        const usage = asking.get(counts.subject);
        clock.synchronize(counts.now, monotonic);
        usage?.update(counts, ban.duration);
        if (usage?.due) void this.#batcher.submit(usage);
      }
      if (this.#retryAt > 0) onChange?.(false);
      this.#retryAt = 0;
    } catch (error) {
      if (this.#retryAt === 0) onChange?.(true, error);
      this.#retryAt = clock.monotonic() + RETRY;
      if (!(error instanceof pg.DatabaseError) || CRASH.test(error.code ?? '')) db.noteBreak();
      for (const usage of asking.values()) usage.due = true;
    }
    return [];
  }
}
