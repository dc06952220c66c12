import { LRUCache } from 'lru-cache';
import { Batcher } from '../batcher.ts';
import type { DatabaseClock } from '../database/clock.ts';
import type { DatabaseHandle } from '../database/open.ts';
import { type CountRequest, type CountRow, countRequests } from './count-store.ts';
import { type Entry, giveBack, newEntry, want } from './entry.ts';
import { admit, type BanPolicy, type Check, type Decision, decide, isBanned, MINUTE, roll } from './windows.ts';

export interface LimiterOptions {
  db: DatabaseHandle;
  clock: DatabaseClock;
  ban: BanPolicy;
  /** Subjects in memory. Evicting one costs a statement; without the database, its count. Default: 50,000. */
  capacity?: number;
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

/** @param options - for both; `capacity` for each */
export function createLimiters(options: LimiterOptions): Limiters {
  return { keys: new Limiter(options), addresses: new Limiter(options), clock: options.clock };
}

/** A request, or else the return of an entry's reservation. In one batch, so that no request misses the returned quota. */
type Item = Check & { returning?: Entry };

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
  readonly #batcher = new Batcher((items: Item[]) => this.#run(items));
  readonly #entries: LRUCache<string, Entry>;
  /** The entries with a reservation. */
  readonly #reserving = new Set<Entry>();
  /** Runs while there are reservations. */
  readonly #timer = setTimeout(() => {
    this.#returned = this.#giveBack(IDLE);
    if (this.#reserving.size > 0) this.#timer.refresh();
  }, IDLE).unref();
  /** The last timer's returns, which may be on their way. */
  #returned: Promise<void> | undefined;
  #closed = false;
  /** Monotonic time of the next attempt to reach the database; 0 while it answers. */
  #retryAt = 0;

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#entries = new LRUCache({ max: options.capacity ?? 50_000 });
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
    return this.#batcher.submit({ ...check });
  }

  /** The state of a subject as far as this server knows. Counts nothing. */
  peek(check: Check): Decision {
    const entry = this.#entry(check);
    return decide(isBanned(entry, this.#options.clock.now(), this.#options.ban) ? 'banned' : 'admitted', entry);
  }

  /** Gives back what is reserved, and reserves no more. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await Promise.all([this.#returned, this.#giveBack(0)]);
  }

  /** The state of a subject, moved on to the windows of now. */
  #entry(check: Check): Entry {
    let entry = this.#entries.get(check.subject);
    if (!entry) {
      entry = newEntry(check);
      this.#entries.set(check.subject, entry);
    }
    roll(entry, this.#options.clock.now());
    entry.perMinute = check.perMinute;
    entry.perDay = check.perDay;
    return entry;
  }

  /** Decides on one request. Undefined when a statement is needed, which is never without the database. */
  #decide(entry: Entry, away: boolean): Decision | undefined {
    if (isBanned(entry, this.#options.clock.now(), this.#options.ban)) return decide('banned', entry);
    if (entry.reserved > 0 && this.#options.clock.monotonic() < entry.reservedUntil) {
      entry.reserved -= 1;
      return admit(entry);
    }
    const exhausted = entry.minuteCount >= entry.perMinute || entry.dayCount >= entry.perDay;
    if (!exhausted) return away ? admit(entry) : undefined;
    const countsTowardsBan = this.#options.clock.now() - entry.refusedAt >= GRACE;
    return countsTowardsBan && !away ? undefined : decide('limited', entry);
  }

  /** Decides on a batch. One that waited behind a failed batch does not wait for a time-out of its own. */
  async #run(items: Item[]): Promise<Decision[]> {
    const { clock, onChange } = this.#options;
    if (clock.monotonic() >= this.#retryAt) {
      // One batch a second tries the database; other requests do not wait for it.
      if (this.#retryAt > 0) this.#retryAt = clock.monotonic() + RETRY;
      try {
        return await this.#count(items);
      } catch (error) {
        if (this.#retryAt === 0) onChange?.(true, error);
        this.#retryAt = clock.monotonic() + RETRY;
      }
    }
    return items.map((item) => (!item.returning && this.#decide(this.#entry(item), true)) || this.peek(item));
  }

  /** Sends one statement for all requests that memory does not decide. Requests of a subject are admitted in their order. */
  async #count(items: Item[]): Promise<Decision[]> {
    const requests = new Map<string, CountRequest>();
    const decisions = items.map((item) => {
      const { subject, returning } = item;
      const entry = returning ?? this.#entry(item);
      const decision = returning ? decide('admitted', entry) : this.#decide(entry, false);
      if (decision && !returning) return decision;
      const request = requests.get(subject) ?? giveBack(entry);
      if (!returning && request.requested === 0 && !this.#closed) request.wanted = want(entry);
      request.requested += returning ? 0 : 1;
      requests.set(subject, request);
      return decision;
    });
    if (requests.size === 0) return decisions as Decision[];
    const sent = this.#options.clock.monotonic();
    const rows = await countRequests(this.#options.db, [...requests.values()], this.#options.ban);
    if (this.#retryAt > 0) this.#options.onChange?.(false);
    this.#retryAt = 0;
    const learn = (row: CountRow) => this.#learn(row, sent, requests.get(row.subject) as CountRequest);
    const answers = new Map(rows.map((row) => [row.subject, learn(row)]));
    return items.map(({ subject }, index) => decisions[index] ?? (answers.get(subject) as () => Decision)());
  }

  /** @returns a function that decides the requests of the statement, one with each call */
  #learn({ now, admitted, ...row }: CountRow, sent: number, request: CountRequest): () => Decision {
    this.#options.clock.learn(now, sent);
    const entry = this.#entry(request);
    // `now` is the time when the statement was sent, or later: the minute ends no earlier than this.
    const reservedUntil = sent + (row.minute + 1) * MINUTE - now;
    Object.assign(entry, row, { reservedMinute: row.minute, reservedUntil });
    if (row.reserved > 0) {
      if (this.#reserving.size === 0) this.#timer.refresh();
      this.#reserving.add(entry);
    }
    const count = { ...entry, minuteCount: row.minuteCount - admitted, dayCount: row.dayCount - admitted };
    // If this statement has set the ban, all its refusals say when the ban ends.
    const refused = row.bannedUntil > now ? 'banned' : 'limited';
    let answered = 0;
    return () => (answered++ < admitted ? admit(count) : decide(refused, count));
  }

  /** @param idle - milliseconds since the last request of a subject, at least */
  async #giveBack(idle: number): Promise<void> {
    const now = this.#options.clock.monotonic();
    const unused = [...this.#reserving].filter(({ used }) => now - used >= idle);
    for (const entry of unused) this.#reserving.delete(entry);
    const items = unused.filter(({ reserved }) => reserved > 0);
    await Promise.all(items.map((entry) => this.#batcher.submit({ ...entry, returning: entry })));
  }
}
