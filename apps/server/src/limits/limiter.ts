import { Batcher } from '../batcher.ts';
import { isDatabaseUnavailable } from '../database/errors.ts';
import type { DatabaseHandle } from '../database/open.ts';
import { type CountRequest, type CountRow, countRequests } from './count-store.ts';
import { type Check, Memory } from './memory.ts';
import { type BanPolicy, type Count, type Decision, decide, isExhausted } from './windows.ts';

export interface LimiterOptions {
  db: DatabaseHandle;
  ban: BanPolicy;
  /** Unix time in milliseconds. */
  now: () => number;
  /** Subjects remembered at most. Forgetting one costs a query; without the database, its count. Default: 50,000. */
  capacity?: number;
  /** Told when the database is lost, with the reason, and when it is back. */
  onChange?: (away: boolean, reason?: unknown) => void;
  /** Told of each ban that this server sets, with whom it is for. */
  onBan?: (subject: string) => void;
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

/** How long in milliseconds refusals wait to be stored, and how long after a failure the database is tried again. */
const INTERVAL = 1_000;

/** Subjects that one statement stores at most, after the database was away: each takes a moment only. */
const CHUNK = 1_000;

/** For what waited while the database was lost. */
const AWAY = new Error('the database is away');

/**
 * Counts requests in Postgres, exactly over all servers: a request passes only when a statement that has committed
 * admitted it. Who is known to be over the limit or banned is refused from memory. While the database is away this
 * server counts alone, and what it counted is added when the database is back.
 */
export class Limiter {
  readonly #db: DatabaseHandle;
  readonly #ban: BanPolicy;
  readonly #now: () => number;
  readonly #memory: Memory;
  readonly #onChange: NonNullable<LimiterOptions['onChange']>;
  readonly #onBan: NonNullable<LimiterOptions['onBan']>;
  readonly #batcher = new Batcher((items: Item[]) => this.#run(items));
  #away = false;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<boolean> | undefined;

  constructor({ db, ban, now, capacity = 50_000, onChange = () => {}, onBan = () => {} }: LimiterOptions) {
    this.#onChange = onChange;
    this.#onBan = onBan;
    this.#db = db;
    this.#ban = ban;
    this.#now = now;
    this.#memory = new Memory(now, capacity);
  }

  /** Counts one request and decides on it. Never rejects. */
  async check(check: Check): Promise<Decision> {
    if (this.refuses(check)) return this.#refuse(check);
    if (!this.#away) {
      try {
        return await this.#batcher.submit({ check, requested: 1 });
      } catch {
        // Noted in #run; now this server is alone.
      }
    }
    if (this.refuses(check)) return this.#refuse(check);
    return decide('admitted', this.#memory.admit(check), check);
  }

  /** How a subject stands, as far as this server knows, without counting. */
  peek(check: Check): Decision {
    const entry = this.#memory.entry(check);
    return decide(entry.bannedUntil > this.#now() ? 'banned' : 'admitted', entry, check);
  }

  /** Whether a subject is known to be over its limit or banned. */
  refuses(check: Check): boolean {
    const entry = this.#memory.entry(check);
    return entry.bannedUntil > this.#now() || isExhausted(entry, check);
  }

  /** Subjects remembered. */
  get size(): number {
    return this.#memory.size;
  }

  /**
   * Stores what is not stored yet, in one go with whoever else asks for it meanwhile: nothing is stored twice.
   *
   * @returns whether the database took it
   */
  flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushing ??= this.#store().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  /** Stores what is not stored yet, once, and stops trying. */
  async close(): Promise<void> {
    await this.#flushing;
    await this.flush();
    clearTimeout(this.#timer);
  }

  async #store(): Promise<boolean> {
    try {
      const items = this.#memory.unsaved().map((check): Item => ({ check, requested: 0 }));
      if (!this.#away) {
        await Promise.all(items.map((item) => this.#batcher.submit(item)));
      } else {
        // Also without anything to store: it tells whether the database is back.
        do await this.#count(items.splice(0, CHUNK));
        while (items.length > 0);
        this.#away = false;
        this.#onChange(false);
        // What was counted alone meanwhile.
        if (this.#memory.unsaved().length > 0) this.#flushSoon();
      }
    } catch (error) {
      this.#databaseFailed(error);
    }
    return !this.#away;
  }

  /** A refusal from memory. It counts towards a ban; only that is stored, at most once in an interval. */
  #refuse(check: Check): Decision {
    const now = this.#now();
    const known = this.#memory.entry(check);
    if (known.bannedUntil > now) return decide('banned', known, check);
    const entry = this.#memory.reject(check);
    this.#flushSoon();
    if (entry.rejected < this.#ban.after) return decide('limited', entry, check);
    // Told by the refusal that leads to it, so that nobody comes back too early.
    this.#memory.ban(check, now + this.#ban.duration);
    this.#onBan(check.subject);
    return decide('banned', entry, check);
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => void this.flush(), INTERVAL).unref();
  }

  #databaseFailed(error: unknown): void {
    if (error === AWAY) return;
    if (!this.#away) this.#onChange(true, error);
    this.#away = true;
    // What the database is there to refuse, it would refuse for ever.
    if (!isDatabaseUnavailable(error)) this.#memory.dropUnsaved();
    this.#flushSoon();
  }

  /** A batch. One that waited behind a failed one fails at once, rather than after another time-out. */
  async #run(items: Item[]): Promise<Decision[]> {
    if (this.#away) throw AWAY;
    try {
      return await this.#count(items);
    } catch (error) {
      this.#databaseFailed(error);
      throw error;
    }
  }

  /** One statement for all items. Those of one subject are admitted in the order in which they came. */
  async #count(items: Item[]): Promise<Decision[]> {
    const now = this.#now();
    const requests = new Map<string, CountRequest>();
    for (const { check, requested } of items) {
      const before = requests.get(check.subject)?.requested ?? 0;
      requests.set(check.subject, { ...this.#memory.toSave(check), requested: before + requested });
    }
    const rows = await countRequests(this.#db, [...requests.values()], now, this.#ban);
    const answers = new Map<string, () => Decision>();
    for (const request of requests.values()) {
      const row = rows.get(request.subject) as CountRow;
      // By this statement, not by one before, and not from memory.
      const known = this.#memory.entry(request).bannedUntil;
      if (row.banned_until === now + this.#ban.duration && row.banned_until > known) this.#onBan(request.subject);
      this.#memory.save(request, row);
      answers.set(request.subject, answersFor(request, row, now));
    }
    return items.map(({ check, requested }) => (requested && answers.get(check.subject)?.()) || this.peek(check));
  }
}

/** Decisions for the requests of one subject in a batch, each call the next one. */
function answersFor(request: CountRequest, row: CountRow, now: number): () => Decision {
  // Also when this statement has set it: then all refusals of it tell when the ban ends.
  const refused = row.banned_until > now ? 'banned' : 'limited';
  const count: Count = {
    minute: row.minute,
    minuteCount: row.minute_count - row.admitted,
    day: row.day,
    dayCount: row.day_count - row.admitted,
    rejected: row.rejected,
    bannedUntil: row.banned_until,
  };
  let admitted = 0;
  return () => {
    if (admitted === row.admitted) return decide(refused, count, request);
    admitted += 1;
    count.minuteCount += 1;
    count.dayCount += 1;
    return decide('admitted', count, request);
  };
}
