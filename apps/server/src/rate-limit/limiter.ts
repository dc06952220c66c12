import type { Kysely } from 'kysely';
import { Batcher } from '../database/batcher.ts';
import type { Database } from '../database/schema.ts';
import {
  type BanPolicy,
  type Count,
  type Decision,
  decide,
  emptyCount,
  isExhausted,
  type Policy,
  roll,
} from './count.ts';
import { type CountRequest, type CountRow, countRequests } from './counts.ts';

/** Who is counted, and against what. */
export interface Check extends Policy {
  /** As in `key:12` or `address:192.0.2.1`. */
  subject: string;
}

/** What this server knows of a subject: the stored count when it was last seen, and what is not stored yet. */
interface Entry extends Count {
  policy: Policy;
  unsavedMinute: number;
  unsavedDay: number;
  unsavedRejected: number;
  /** When its refusals were last stored, Unix time in milliseconds. */
  reportedAt: number;
}

/** The limiters of a server: apart, so that a flood of addresses crowds out no key. */
export interface Limiters {
  /** For requests with a valid key. */
  keys: Limiter;
  /** For all others, by client address. */
  addresses: Limiter;
}

/** @param options - for both; `capacity` for each */
export function createLimiters(options: LimiterOptions): Limiters {
  return { keys: new Limiter(options), addresses: new Limiter(options) };
}

interface Item {
  check: Check;
  /** 0: only store what is not stored yet. */
  requested: 0 | 1;
}

export interface LimiterOptions {
  db: Kysely<Database>;
  ban: BanPolicy;
  /** Unix time in milliseconds. */
  now: () => number;
  /** Subjects remembered at most. Forgetting one costs a query, never a count. Default: 50,000. */
  capacity?: number;
}

/** How often in milliseconds refusals are stored, and how long after a failure the database is tried again. */
const INTERVAL = 1_000;

/**
 * Counts requests in Postgres, exactly over all servers: a request passes only when a statement that has committed
 * admitted it. Who is known to be over the limit or banned is refused from memory. While the database is away this
 * server counts alone, and what it counted is added when the database is back.
 */
export class Limiter {
  readonly #db: Kysely<Database>;
  readonly #ban: BanPolicy;
  readonly #now: () => number;
  readonly #capacity: number;
  readonly #entries = new Map<string, Entry>();
  readonly #unsaved = new Set<string>();
  readonly #batcher = new Batcher((items: Item[]) => this.#run(items));
  #away = false;
  #retry: NodeJS.Timeout | undefined;

  constructor({ db, ban, now, capacity = 50_000 }: LimiterOptions) {
    this.#db = db;
    this.#ban = ban;
    this.#now = now;
    this.#capacity = capacity;
  }

  /** Counts one request and decides on it. Never rejects. */
  async check(check: Check): Promise<Decision> {
    const known = this.#entry(check);
    if (this.#isRefused(known)) return this.#refuse(known, check);
    if (!this.#away) {
      try {
        return await this.#batcher.submit({ check, requested: 1 });
      } catch {
        // Noted in #run.
      }
    }
    return this.#decideAlone(check);
  }

  /** How a subject stands, as far as this server knows, without counting. */
  peek(check: Check): Decision {
    return decide('admitted', this.#entry(check), check);
  }

  /** Subjects remembered. */
  get size(): number {
    return this.#entries.size;
  }

  /**
   * Stores what is not stored yet.
   *
   * @returns whether the database took it
   */
  async flush(): Promise<boolean> {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    try {
      // Also without anything to store: it tells whether the database is back.
      await this.#count([...this.#unsaved].flatMap((subject) => this.#itemToSave(subject)));
      this.#away = false;
    } catch {
      this.#databaseFailed();
    }
    return !this.#away;
  }

  /** Stores what is not stored yet, once, and stops trying. */
  async close(): Promise<void> {
    await this.flush();
    clearTimeout(this.#retry);
  }

  /** The entry of a subject, moved on to now, and the most recently used. */
  #entry({ subject, perMinute, perDay }: Check): Entry {
    const now = this.#now();
    const entry = this.#entries.get(subject) ?? {
      ...emptyCount(now),
      policy: { perMinute, perDay },
      unsavedMinute: 0,
      unsavedDay: 0,
      unsavedRejected: 0,
      reportedAt: 0,
    };
    const { minute, day } = entry;
    roll(entry, now);
    if (entry.minute !== minute) Object.assign(entry, { unsavedMinute: 0, unsavedRejected: 0 });
    if (entry.day !== day) entry.unsavedDay = 0;
    entry.policy = { perMinute, perDay };
    this.#entries.delete(subject);
    this.#entries.set(subject, entry);
    if (this.#entries.size > this.#capacity) this.#forgetOldest();
    return entry;
  }

  #forgetOldest(): void {
    const [subject] = this.#entries.keys();
    if (subject === undefined) return;
    this.#entries.delete(subject);
    this.#unsaved.delete(subject);
  }

  #isRefused(entry: Entry): boolean {
    return entry.bannedUntil > this.#now() || isExhausted(entry, entry.policy);
  }

  /** A refusal from memory. It counts towards a ban; only that is stored, at most once in an interval. */
  #refuse(entry: Entry, check: Check): Decision {
    const now = this.#now();
    if (entry.bannedUntil > now) return decide('banned', entry, check);
    entry.rejected += 1;
    entry.unsavedRejected += 1;
    this.#unsaved.add(check.subject);
    const decision = decide('limited', entry, check);
    const bans = entry.rejected >= this.#ban.after;
    if (bans) entry.bannedUntil = now + this.#ban.duration;
    if (!this.#away && (bans || now - entry.reportedAt >= INTERVAL)) {
      entry.reportedAt = now;
      this.#batcher.submit({ check, requested: 0 }).catch(() => {});
    }
    return decision;
  }

  #decideAlone(check: Check): Decision {
    const entry = this.#entry(check);
    if (this.#isRefused(entry)) return this.#refuse(entry, check);
    entry.minuteCount += 1;
    entry.dayCount += 1;
    entry.unsavedMinute += 1;
    entry.unsavedDay += 1;
    this.#unsaved.add(check.subject);
    return decide('admitted', entry, check);
  }

  #databaseFailed(): void {
    this.#away = true;
    this.#retry ??= setTimeout(() => void this.flush(), INTERVAL).unref();
  }

  #itemToSave(subject: string): Item[] {
    const entry = this.#entries.get(subject);
    return entry ? [{ check: { subject, ...entry.policy }, requested: 0 }] : [];
  }

  /** A batch. One that waited behind a failed one fails at once, rather than after another time-out. */
  async #run(items: Item[]): Promise<Decision[]> {
    if (this.#away) throw new Error('the database is away');
    try {
      return await this.#count(items);
    } catch (error) {
      this.#databaseFailed();
      throw error;
    }
  }

  /** One statement for all items. Those of one subject are admitted in the order in which they came. */
  async #count(items: Item[]): Promise<Decision[]> {
    const now = this.#now();
    const requests = new Map<string, CountRequest>();
    for (const { check, requested } of items) {
      const { subject, perMinute, perDay } = check;
      const { unsavedMinute, unsavedDay, unsavedRejected } = this.#entry(check);
      const request = requests.get(subject);
      requests.set(subject, {
        subject,
        perMinute,
        perDay,
        requested: (request?.requested ?? 0) + requested,
        spentMinute: unsavedMinute,
        spentDay: unsavedDay,
        rejected: unsavedRejected,
      });
    }
    const rows = await countRequests(this.#db, [...requests.values()], now, this.#ban);
    const answers = new Map<string, () => Decision>();
    for (const request of requests.values()) {
      const row = rows.get(request.subject) as CountRow;
      this.#save(request, row);
      answers.set(request.subject, this.#answersFor(request, row, now));
    }
    return items.map(({ check, requested }) => {
      const answer = requested ? answers.get(check.subject) : undefined;
      return answer?.() ?? this.peek(check);
    });
  }

  /** Takes over what the database says. What came since the statement was sent is still to be stored. */
  #save(request: CountRequest, row: CountRow): void {
    const entry = this.#entry(request);
    if (entry.minute <= row.minute) {
      entry.unsavedMinute = entry.minute === row.minute ? Math.max(0, entry.unsavedMinute - request.spentMinute) : 0;
      entry.unsavedRejected = entry.minute === row.minute ? Math.max(0, entry.unsavedRejected - request.rejected) : 0;
      entry.minute = row.minute;
      entry.minuteCount = row.minute_count + entry.unsavedMinute;
      entry.rejected = row.rejected + entry.unsavedRejected;
    }
    if (entry.day <= row.day) {
      entry.unsavedDay = entry.day === row.day ? Math.max(0, entry.unsavedDay - request.spentDay) : 0;
      entry.day = row.day;
      entry.dayCount = row.day_count + entry.unsavedDay;
    }
    entry.bannedUntil = Math.max(entry.bannedUntil, row.banned_until);
    if (entry.unsavedMinute + entry.unsavedDay + entry.unsavedRejected === 0) this.#unsaved.delete(request.subject);
  }

  /** Decisions for the requests of one subject in a batch, each call the next one. */
  #answersFor(request: CountRequest, row: CountRow, now: number): () => Decision {
    const refused = request.requested - row.admitted;
    // A ban that this statement has set is for those that come after the refusals that led to it.
    const bannedBefore = row.banned_until > now && row.banned_until !== now + this.#ban.duration;
    const count: Count = {
      minute: row.minute,
      minuteCount: row.minute_count - row.admitted,
      day: row.day,
      dayCount: row.day_count - row.admitted,
      rejected: row.rejected - refused,
      bannedUntil: row.banned_until,
    };
    let admitted = 0;
    return () => {
      if (admitted < row.admitted) {
        admitted += 1;
        count.minuteCount += 1;
        count.dayCount += 1;
        return decide('admitted', count, request);
      }
      const banned = bannedBefore || count.rejected >= this.#ban.after;
      count.rejected += 1;
      return decide(banned ? 'banned' : 'limited', count, request);
    };
  }
}
