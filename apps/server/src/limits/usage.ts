import type { Addition, Counts } from './add-counts.ts';

/** What is counted, as in `key:12`, and its limits: requests per UTC minute and per UTC day. */
export interface Quota {
  subject: string;
  perMinute: number;
  perDay: number;
}

/** The outcome of a request, and the windows after it; `reset` is Unix time in milliseconds. */
export interface Decision {
  outcome: 'admitted' | 'limited' | 'banned';
  minute: { limit: number; remaining: number; reset: number };
  /** Undefined without a valid key. */
  day?: Decision['minute'];
}

export const MINUTE = 60_000;
export const DAY = 86_400_000;

/** Milliseconds after the first refusal of a minute in which further ones do not count: they may have been on their way. */
const GRACE = 1_000;

/** Milliseconds for which a reservation is kept, and requests that it has at most. */
const KEPT = 1_000;
const MAX_RESERVED = 256;

/** What a server knows about a quota: the counts after the last statement, its own requests since, and what it has reserved. */
export class Usage {
  quota: Quota;
  /** Without what is reserved. */
  #counts: Omit<Counts, 'subject' | 'now' | 'granted'> = {
    minute: 0,
    minuteCount: 0,
    day: 0,
    dayCount: 0,
    bannedUntil: 0,
  };
  /** The first refusal of a minute by this server, Unix time in milliseconds, and how many of the further ones count. */
  #refusals = { minute: 0, first: 0, count: 0 };
  /** Requests that wait for a statement. */
  waiting = 0;
  /** Monotonic time of the last statement, the requests that it has taken, and how many of them were used since. */
  #askedAt = Number.NEGATIVE_INFINITY;
  reserved = 0;
  #used = 0;
  /** The minute of the reservation, and the monotonic time from which it may be over. */
  #reservedMinute = 0;
  #reservedUntil = 0;
  /** Whether requests were admitted without the database, which the next statement discards. */
  alone = false;
  /** Whether a statement is needed even if no request waits for it. */
  due = false;

  constructor(quota: Quota) {
    this.quota = quota;
  }

  /** Requests that both windows have left, as far as this server knows. */
  get remaining(): number {
    const { minuteCount, dayCount, bannedUntil } = this.#counts;
    return bannedUntil ? 0 : Math.max(0, Math.min(this.quota.perMinute - minuteCount, this.quota.perDay - dayCount));
  }

  /**
   * Moves on to the windows of `now`, Unix time in milliseconds. A count may be a minute ahead of a clock that lags; if it is
   * further ahead, or a ban that much longer than `longestBan`, the database's clock was set back.
   */
  roll(now: number, longestBan: number): void {
    const counts = this.#counts;
    if (counts.bannedUntil <= now || counts.bannedUntil > now + longestBan + MINUTE) counts.bannedUntil = 0;
    const minute = Math.floor(now / MINUTE);
    const day = Math.floor(now / DAY);
    if (counts.minute === minute || counts.minute === minute + 1) return;
    Object.assign(counts, { minute, minuteCount: 0 }, counts.day !== day && { day, dayCount: 0 });
  }

  /** Whether the reservation is enough for `requests`. */
  has(requests: number, monotonic: number): boolean {
    return this.reserved >= requests && monotonic < this.#reservedUntil && this.#counts.bannedUntil === 0;
  }

  useReserved(): Decision {
    this.reserved -= 1;
    this.#used += 1;
    return this.admit();
  }

  admit(): Decision {
    this.#counts.minuteCount += 1;
    this.#counts.dayCount += 1;
    return this.#decide('admitted');
  }

  admitAlone(): Decision {
    this.alone = true;
    return this.admit();
  }

  /**
   * Refuses a request. Bans a key for `duration` milliseconds once this server has refused it `after` times within a minute.
   * The ban is then due to be written.
   */
  refuse(now: number, { after, duration }: { after: number; duration: number }): Decision {
    const { minute, bannedUntil } = this.#counts;
    if (this.#refusals.minute !== minute) this.#refusals = { minute, first: now, count: 0 };
    if (now - this.#refusals.first >= GRACE) this.#refusals.count += 1;
    if (bannedUntil === 0 && this.#refusals.count >= after) {
      this.#counts.bannedUntil = Math.ceil(now + duration);
      this.due = true;
    }
    return this.#decide(this.#counts.bannedUntil ? 'banned' : 'limited');
  }

  /** A ban shows as a minute window with nothing remaining that resets when the ban ends. */
  #decide(outcome: Decision['outcome']): Decision {
    const { perMinute, perDay } = this.quota;
    const { minute, minuteCount, day, dayCount, bannedUntil } = this.#counts;
    const left = outcome === 'banned' ? 0 : Math.max(0, perMinute - minuteCount);
    const reset = Math.max((minute + 1) * MINUTE, outcome === 'banned' ? bannedUntil : 0);
    const ofDay = { limit: perDay, remaining: Math.max(0, perDay - dayCount), reset: (day + 1) * DAY };
    return { outcome, minute: { limit: perMinute, remaining: left, reset }, day: ofDay };
  }

  /** Whether the reservation was kept for long enough. */
  isOld(monotonic: number): boolean {
    return monotonic - this.#askedAt >= KEPT;
  }

  /**
   * The next statement: gives back what is reserved, takes what requests wait for and, if `ahead`, twice what was used since the
   * last one, but at most 1 % of what remains. Undefined if the last one has taken enough since they began to wait.
   */
  ask(monotonic: number, ahead: boolean): Addition | undefined {
    if (!this.due && this.has(this.waiting, monotonic)) return undefined;
    const used = ahead && (this.due || !this.isOld(monotonic)) ? this.#used : 0;
    const spare = Math.max(0, Math.min(2 * used, MAX_RESERVED, Math.floor((this.remaining - this.waiting) / 100)));
    const back = { give: this.reserved, givenMinute: this.#reservedMinute };
    this.#askedAt = monotonic;
    this.reserved = 0;
    this.#used = 0;
    this.due = false;
    return { ...this.quota, ...back, take: this.waiting + spare, bannedUntil: this.#counts.bannedUntil };
  }

  /** Learns the result. What exceeds 1 % of what remains, as others have taken some since, is due to be given back. */
  learn({ now, granted, minute, minuteCount, day, dayCount, bannedUntil }: Counts, longestBan: number): void {
    // This server may have banned the key since it asked.
    const until = Math.max(this.#counts.bannedUntil, bannedUntil);
    const counts = {
      minute,
      minuteCount: minuteCount - granted,
      day,
      dayCount: dayCount - granted,
      bannedUntil: until,
    };
    this.#counts = counts;
    this.roll(now, longestBan);
    this.alone = false;
    this.reserved = granted;
    this.#reservedMinute = minute;
    // `now` is the time when the statement was sent, or later: the minute ends no earlier than this.
    this.#reservedUntil = this.#askedAt + (minute + 1) * MINUTE - now;
    this.due ||= granted > this.waiting + Math.max(0, this.remaining - this.waiting) / 100;
  }
}
