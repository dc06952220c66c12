import { Batcher } from '../batcher.ts';
import type { DatabaseClock } from '../database/clock.ts';
import type { DatabaseHandle } from '../database/open.ts';
import { type CountRequest, type CountRow, countRequests } from './count-store.ts';
import {
  type BanPolicy,
  type Count,
  type Decision,
  decide,
  emptyCount,
  isExhausted,
  MINUTE,
  type Policy,
  roll,
} from './windows.ts';

/** Who is counted, and against what. */
export interface Check extends Policy {
  /** As in `key:12` or `address:192.0.2.1`. */
  subject: string;
}

export interface LimiterOptions {
  db: DatabaseHandle;
  clock: DatabaseClock;
  ban: BanPolicy;
  /** Subjects remembered at most. Forgetting one costs a statement; without the database, its count. Default: 50,000. */
  capacity?: number;
  /** Called when the database is lost, with the reason, and when it is back. */
  onChange?: (away: boolean, reason?: unknown) => void;
  /** Called for each ban that this server sets. */
  onBan?: (subject: string) => void;
}

/** The limiters of a server: apart, so that a flood of addresses crowds out no key. */
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

/** What this server knows of a subject. Requests that it has reserved and not used are not in the counts. */
interface Entry extends Check, Count {
  /** Reserved ahead in `reservedMinute`, to be used until a monotonic time. */
  reserved: number;
  reservedMinute: number;
  reservedUntil: number;
  /** What to reserve with the next statement. */
  wanted: number;
  /** Monotonic time of the last request. */
  used: number;
  /** Outages of the database when the counts were last known. */
  outages: number;
}

interface Item {
  check: Check;
  /** 0: only give back what is reserved. */
  requested: 0 | 1;
}

/** Requests that a server reserves for a subject at most. */
const MAX_RESERVED = 256;

/** Milliseconds without a request after which what is reserved is given back. */
const IDLE = 50;

/** Milliseconds without a request after which nothing is reserved with the next. */
const RARE = 1_000;

/** Milliseconds in which refusals do not count towards a ban, from the first of their minute on. */
const GRACE = 1_000;

/** Milliseconds after a failure of the database until it is tried again. */
const RETRY = 1_000;

/**
 * Counts requests in Postgres, exactly over all servers: a request passes only when a statement that has committed
 * admitted it, or reserved it ahead. While the database is away this server counts by itself, and forgets that afterwards.
 */
export class Limiter {
  readonly #db: DatabaseHandle;
  readonly #clock: DatabaseClock;
  readonly #ban: BanPolicy;
  readonly #capacity: number;
  readonly #onChange: NonNullable<LimiterOptions['onChange']>;
  readonly #onBan: NonNullable<LimiterOptions['onBan']>;
  readonly #batcher = new Batcher((items: Item[]) => this.#run(items));
  /** When these are too many, they become the older ones, and those that were not used since are forgotten. */
  #newer = new Map<string, Entry>();
  #older = new Map<string, Entry>();
  readonly #reserving = new Set<Entry>();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #away = false;
  #retryAt = 0;
  #outages = 0;

  constructor({ db, clock, ban, capacity = 50_000, onChange = () => {}, onBan = () => {} }: LimiterOptions) {
    this.#db = db;
    this.#clock = clock;
    this.#ban = ban;
    this.#capacity = capacity;
    this.#onChange = onChange;
    this.#onBan = onBan;
  }

  /** Counts one request and decides on it: at once when that takes no statement. Never rejects. */
  check(check: Check): Decision | Promise<Decision> {
    return this.fromMemory(check) ?? this.count(check);
  }

  /** Counts one request and decides on it. Undefined: that takes a statement. */
  fromMemory(check: Check): Decision | undefined {
    const entry = this.#entry(check);
    const now = this.#clock.monotonic();
    if (now - entry.used >= RARE) entry.wanted = 0;
    entry.used = now;
    return this.#fromMemory(entry, this.#isAway());
  }

  /** The same by a statement, for what is not known from memory. Never rejects. */
  count(check: Check): Promise<Decision> {
    return this.#batcher.submit({ check, requested: 1 });
  }

  /** How a subject stands, as far as this server knows, without counting. */
  peek(check: Check): Decision {
    const entry = this.#entry(check);
    return decide(this.#isBanned(entry) ? 'banned' : 'admitted', entry, check);
  }

  /** Whether a subject is known to be over its limit or banned. */
  refuses(check: Check): boolean {
    const entry = this.#entry(check);
    return this.#isBanned(entry) || isExhausted(entry, check);
  }

  /** Subjects remembered. */
  get size(): number {
    return this.#newer.size + this.#older.size;
  }

  /** Gives back what is reserved, and reserves no more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#giveBack(0);
    clearTimeout(this.#timer);
  }

  #entry({ subject, perMinute, perDay }: Check): Entry {
    const now = this.#clock.now();
    const entry = this.#newer.get(subject) ?? this.#remember(this.#older.get(subject) ?? newEntry(subject, now));
    // What was counted without the database is forgotten.
    if (entry.outages !== this.#outages) Object.assign(entry, emptyCount(now), { outages: this.#outages });
    roll(entry, now);
    entry.perMinute = perMinute;
    entry.perDay = perDay;
    return entry;
  }

  #remember(entry: Entry): Entry {
    if (this.#newer.size >= this.#capacity / 2) {
      this.#older = this.#newer;
      // Nothing is forgotten before it is given back.
      this.#newer = new Map([...this.#reserving].map((reserving) => [reserving.subject, reserving]));
    }
    this.#newer.set(entry.subject, entry);
    return entry;
  }

  #isBanned({ bannedUntil }: Entry): boolean {
    const left = bannedUntil - this.#clock.now();
    // A longer one is from before the database's clock was set back.
    return left > 0 && left <= this.#ban.duration;
  }

  #isAway(): boolean {
    return this.#away && this.#clock.monotonic() < this.#retryAt;
  }

  /** Counts one request if that takes no statement, as always while the database is away. */
  #fromMemory(entry: Entry, away: boolean): Decision | undefined {
    if (this.#isBanned(entry)) return decide('banned', entry, entry);
    if (entry.reserved > 0 && this.#clock.monotonic() < entry.reservedUntil) {
      entry.reserved -= 1;
      return admit(entry);
    }
    if (isExhausted(entry, entry)) {
      const counts = this.#clock.now() - entry.refusedAt >= GRACE;
      return counts && !away ? undefined : decide('limited', entry, entry);
    }
    return away ? admit(entry) : undefined;
  }

  /** A batch. What waited behind a failed one is decided at once, rather than after another time-out. */
  async #run(items: Item[]): Promise<Decision[]> {
    if (!this.#isAway()) {
      // One request in a while finds out whether the database is back; the others do not wait for it.
      this.#retryAt = this.#clock.monotonic() + RETRY;
      try {
        return await this.#count(items);
      } catch (error) {
        if (!this.#away) this.#onChange(true, error);
        this.#away = true;
        this.#retryAt = this.#clock.monotonic() + RETRY;
      }
    }
    return items.map(({ check, requested }) => {
      return (requested && this.#fromMemory(this.#entry(check), true)) || this.peek(check);
    });
  }

  /** One statement for what memory does not decide. Requests of one subject are admitted in the order in which they came. */
  async #count(items: Item[]): Promise<Decision[]> {
    const requests = new Map<string, CountRequest>();
    const decisions = items.map(({ check, requested }) => {
      const entry = this.#entry(check);
      const decision = requested ? this.#fromMemory(entry, false) : this.peek(check);
      if (requested && decision) return decision;
      const request = requests.get(check.subject) ?? giveBack(entry);
      request.requested += requested;
      requests.set(check.subject, request);
      return decision;
    });
    for (const request of requests.values()) {
      if (request.requested > 0 && !this.#closed) request.wanted = want(this.#entry(request));
    }
    const sent = this.#clock.monotonic();
    const rows = await countRequests(this.#db, [...requests.values()], this.#ban);
    if (this.#away) this.#onChange(false);
    if (this.#away) this.#outages += 1;
    this.#away = false;
    const answers = new Map(
      rows.map((row) => [row.subject, this.#learn(row, sent, requests.get(row.subject) as CountRequest)]),
    );
    return items.map(({ check }, index) => decisions[index] ?? (answers.get(check.subject) as () => Decision)());
  }

  /** Takes over what the database says, and answers the requests that waited for it, one with each call. */
  #learn(row: CountRow, sent: number, request: CountRequest): () => Decision {
    this.#clock.learn(row.now, sent);
    const entry = this.#entry(request);
    const isNewBan = row.banned_until === row.now + this.#ban.duration && row.banned_until > entry.bannedUntil;
    if (isNewBan) this.#onBan(row.subject);
    const count = {
      minute: row.minute,
      minuteCount: row.minute_count - row.spare,
      day: row.day,
      dayCount: row.day_count - row.spare,
      refusedAt: row.refused_at,
      bannedUntil: row.banned_until,
      perMinute: request.perMinute,
      perDay: request.perDay,
    };
    Object.assign(entry, count);
    if (row.spare > 0) {
      entry.reserved = row.spare;
      entry.reservedMinute = row.minute;
      // The statement had the time `row.now` after it was sent: whatever its way took, the minute ends no earlier.
      entry.reservedUntil = sent + (row.minute + 1) * MINUTE - row.now;
      this.#reserving.add(entry);
      this.#giveBackSoon();
    }
    // Also when this statement has set it: then all refusals of it tell when the ban ends.
    const refused = row.banned_until > row.now ? 'banned' : 'limited';
    count.minuteCount -= row.admitted;
    count.dayCount -= row.admitted;
    let admitted = 0;
    return () => (admitted++ < row.admitted ? admit(count) : decide(refused, count, count));
  }

  #giveBackSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#giveBack(IDLE);
      if (this.#reserving.size > 0) this.#giveBackSoon();
    }, IDLE).unref();
  }

  /** @param idle - milliseconds since the last request of a subject, at least */
  async #giveBack(idle: number): Promise<void> {
    const now = this.#clock.monotonic();
    const unused: Promise<Decision>[] = [];
    for (const entry of this.#reserving) {
      if (now - entry.used < idle) continue;
      this.#reserving.delete(entry);
      if (entry.reserved > 0) unused.push(this.#batcher.submit({ check: entry, requested: 0 }));
    }
    await Promise.all(unused);
  }
}

function newEntry(subject: string, now: number): Entry {
  const nothing = { reserved: 0, reservedMinute: 0, reservedUntil: 0, wanted: 0, used: 0, outages: 0 };
  return { subject, perMinute: 0, perDay: 0, ...emptyCount(now), ...nothing };
}

function admit<Known extends Count & Policy>(known: Known): Decision {
  known.minuteCount += 1;
  known.dayCount += 1;
  return decide('admitted', known, known);
}

/** A request of a statement, with what is left of the last reservation. */
function giveBack(entry: Entry): CountRequest {
  const { subject, perMinute, perDay, reserved: returned, reservedMinute: returnedMinute } = entry;
  entry.reserved = 0;
  // Next time, what was used of it.
  if (returned > 0) entry.wanted = Math.max(0, Math.floor(entry.wanted / 2) - returned);
  return { subject, perMinute, perDay, requested: 0, wanted: 0, returned, returnedMinute };
}

/** What to reserve now: twice as much as the last time. */
function want(entry: Entry): number {
  const { wanted } = entry;
  entry.wanted = Math.min(MAX_RESERVED, wanted * 2 || 1);
  return wanted;
}
