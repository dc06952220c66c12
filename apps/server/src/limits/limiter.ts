import { LRUCache } from 'lru-cache';
import { Batcher } from '../batcher.ts';
import type { DatabaseClock } from '../database/clock.ts';
import type { DatabaseHandle } from '../database/open.ts';
import { type CountRow, countRequests } from './count-store.ts';
import { type BanPolicy, type Check, type Decision, Entry, MINUTE } from './entry.ts';

export interface LimiterOptions {
  db: DatabaseHandle;
  clock: DatabaseClock;
  ban: BanPolicy;
  /** Called when the database is lost, with the reason, and when it is back. */
  onChange?: (away: boolean, reason?: unknown) => void;
}

/** Two limiters, so that a flood of addresses cannot evict keys. */
export interface Limiters {
  /** For requests with a valid key. */
  keys: Limiter;
  /** For all others, by client address. */
  addresses: Limiter;
  clock: DatabaseClock;
}

/** @param options - for both */
export function createLimiters(options: LimiterOptions): Limiters {
  return { keys: new Limiter(options), addresses: new Limiter(options), clock: options.clock };
}

/** Milliseconds without a request after which a subject's reservation is given back. */
const IDLE = 50;

/** Milliseconds without a request after which the next request reserves nothing. */
const RARE = 1_000;

/** Milliseconds after the first refusal of a minute in which further refusals do not count towards a ban. */
const GRACE = 1_000;

/** Milliseconds between attempts to reach an unavailable database. */
const RETRY = 1_000;

/**
 * Counts requests in Postgres, exactly over all servers: a committed statement has admitted each request that passes, or
 * reserved it ahead. Without the database, this server counts in memory from its last known state, and discards that
 * count with the next statement.
 */
export class Limiter {
  readonly #options: LimiterOptions;
  /** An item without a check returns idle reservations. In a batch with requests, so that none misses the returned quota. */
  readonly #batcher = new Batcher((checks: (Check | undefined)[]) => this.#run(checks));
  /** Evicting a subject costs a statement; without the database, its count. */
  readonly #entries = new LRUCache<string, Entry>({ max: 50_000, memoMethod: (subject) => new Entry(subject) });
  /** The entries with a reservation. */
  readonly #reserving = new Set<Entry>();
  /** Runs while there are reservations. */
  readonly #timer = setTimeout(() => {
    if (this.#reserving.size === 0) return;
    void this.#batcher.submit(undefined);
    this.#timer.refresh();
  }, IDLE).unref();
  #closed = false;
  /** Monotonic time of the next attempt to reach the database; 0 while it answers. */
  #retryAt = 0;
  /** The `breaks` of the database before the last statement. */
  #breaks = 0;

  constructor(options: LimiterOptions) {
    this.#options = options;
  }

  /** Counts one request and decides on it. Undefined when a statement is needed. */
  fromMemory(check: Check): Decision | undefined {
    const entry = this.#entry(check);
    const now = this.#options.clock.monotonic();
    if (now - entry.used >= RARE) entry.wanted = 0;
    entry.used = now;
    return this.#decide(entry, now < this.#retryAt);
  }

  /** Counts one request by a statement. Never rejects. */
  count(check: Check): Promise<Decision> {
    return this.#batcher.submit({ ...check }) as Promise<Decision>;
  }

  /** The state of a subject as far as this server knows, as a refusal would show it. Counts nothing. */
  peek(check: Check): Decision {
    return this.#entry(check).decide(false);
  }

  /** Gives back what is reserved, and reserves no more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#batcher.submit(undefined);
  }

  /** The state of a subject, moved on to the windows of now. */
  #entry({ subject, perMinute, perDay }: Check): Entry {
    const entry = this.#entries.memo(subject);
    entry.roll(this.#options.clock.now(), this.#options.ban.duration);
    entry.perMinute = perMinute;
    entry.perDay = perDay;
    return entry;
  }

  /** Decides on one request. Undefined when a statement is needed, which is never without the database. */
  #decide(entry: Entry, away: boolean): Decision | undefined {
    const { clock } = this.#options;
    if (entry.reserved > 0 && clock.monotonic() < entry.reservedUntil) return entry.useReserved();
    const refusal = entry.decide(false);
    if (refusal.retryAt === 0) return away ? entry.admit() : undefined;
    const countsTowardsBan = refusal.outcome === 'limited' && clock.now() - entry.refusedAt >= GRACE;
    return countsTowardsBan && !away ? undefined : refusal;
  }

  /** Decides on a batch. One that waited behind a failed batch does not wait for a time-out of its own. */
  async #run(checks: (Check | undefined)[]): Promise<(Decision | undefined)[]> {
    const { clock, onChange } = this.#options;
    if (clock.monotonic() >= this.#retryAt) {
      try {
        return await this.#count(checks);
      } catch (error) {
        if (this.#retryAt === 0) onChange?.(true, error);
        this.#retryAt = clock.monotonic() + RETRY;
        this.#options.db.breaks += 1;
      }
    }
    return checks.map((check) => check && this.#decide(this.#entry(check), true));
  }

  /** Sends one statement for all requests that memory does not decide. Requests of a subject are admitted in their order. */
  async #count(checks: (Check | undefined)[]): Promise<(Decision | undefined)[]> {
    const { clock, db, ban, onChange } = this.#options;
    // A crash of the database may have forgotten them.
    if (db.breaks > this.#breaks) for (const entry of this.#reserving) entry.reserved = 0;
    this.#breaks = db.breaks;
    const asking = new Map<string, Entry>();
    const answers = checks.map((check) => {
      const entry = check && (asking.get(check.subject) ?? this.#entry(check));
      const decision = entry && this.#decide(entry, false);
      if (!entry || decision) return decision;
      entry.requested += 1;
      asking.set(entry.subject, entry);
      return entry;
    });
    const returning = checks.includes(undefined) ? this.#reserving : [];
    for (const entry of returning) {
      const idle = this.#closed || clock.monotonic() - entry.used >= IDLE;
      if (!idle || asking.has(entry.subject)) continue;
      this.#reserving.delete(entry);
      if (entry.reserved > 0) asking.set(entry.subject, entry);
    }
    if (asking.size > 0) {
      // One batch at a time tries the database again; other requests do not wait for it.
      if (this.#retryAt > 0) this.#retryAt = Number.POSITIVE_INFINITY;
      const sent = clock.monotonic();
      const requests = Array.from(asking.values(), (entry) => entry.ask(!this.#closed));
      const rows = await countRequests(db, requests, ban);
      if (this.#retryAt > 0) onChange?.(false);
      this.#retryAt = 0;
      for (const row of rows) this.#learn(row, sent, asking.get(row.subject) as Entry);
    }
    return answers.map((answer) => {
      if (!(answer instanceof Entry)) return answer;
      return answer.reserved > 0 ? answer.useReserved() : answer.decide(false);
    });
  }

  #learn({ now, spare, ...row }: CountRow, sent: number, entry: Entry): void {
    this.#options.clock.learn(now, sent);
    // `now` is the time when the statement was sent, or later: the minute ends no earlier than this.
    const reservedUntil = sent + (row.minute + 1) * MINUTE - now;
    Object.assign(entry, row, { reservedMinute: row.minute, reservedUntil });
    if (spare === 0) return;
    if (this.#reserving.size === 0) this.#timer.refresh();
    this.#reserving.add(entry);
  }
}
