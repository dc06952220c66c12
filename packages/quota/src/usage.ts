import { DAY, MINUTE } from './clock.ts';

/** The greatest limit: counts are int4. */
export const MAX_LIMIT = 999_999_999;

/** The subject that is counted, as in `user:12`, and its limits: requests per UTC minute and per UTC day. */
export interface Quota {
  subject: string;
  perMinute: number;
  perDay: number;
}

/** The outcome of a request, and the windows after it; an address has only that of the minute. `reset` is Unix time in milliseconds. */
export interface Decision {
  outcome: 'admitted' | 'limited' | 'banned';
  minute: { limit: number; remaining: number; reset: number };
  day?: Decision['minute'];
}

/** Takes up to `take` requests, gives back `give` of the minute `givenMinute`, and bans until `bannedUntil` unless that is 0. */
export type Addition = Quota & Record<'take' | 'give' | 'givenMinute' | 'bannedUntil', number>;

/**
 * The counts after an addition, which took `granted` requests. Times in milliseconds and minutes are Unix time; `bannedUntil` is 0
 * without a ban.
 */
type Column = 'now' | 'granted' | 'minute' | 'minuteCount' | 'dayCount' | 'bannedUntil';
export type Counts = { subject: string } & Record<Column, number>;

/** Milliseconds after the first refusal of a minute in which further ones do not count: they may have been on their way. */
const GRACE_PERIOD = 1_000;
/** Milliseconds for which a ban is cached, because an operator may lift it. */
const BAN_TTL = 5_000;
/** Milliseconds for which a reservation is kept. */
export const RESERVATION_TTL = 1_000;
/** The most requests of a reservation. */
const MAX_RESERVED = 256;

const dayOf = (minute: number) => Math.floor((minute * MINUTE) / DAY);

/** The knowledge of a server about a quota: the counts after the last statement, its own requests since, and its reservation. */
export class Usage {
  quota: Quota = { subject: '', perMinute: 0, perDay: 0 };
  /** The counts without the reserved requests. */
  #counts = { minute: 0, minuteCount: 0, dayCount: 0, bannedUntil: 0 };
  /** The end of a ban by this server that Postgres does not know yet. */
  #newBan = 0;
  /** The first refusal of a minute by this server, Unix time in milliseconds, and how many of the further ones count. */
  #refusals = { minute: 0, first: 0, count: 0 };
  /** Requests that wait for a statement. */
  waiting = 0;
  /** Whether a statement is needed even if no request waits for it. */
  due = false;
  /** Monotonic time of the last statement, the minute and number of requests that it has taken, and how many were used since. */
  askedAt = Number.NEGATIVE_INFINITY;
  #reservedMinute = 0;
  reserved = 0;
  #used = 0;

  /** Requests that both windows have left, as far as this server knows. */
  get remaining(): number {
    const { minuteCount, dayCount, bannedUntil } = this.#counts;
    return bannedUntil ? 0 : Math.max(0, Math.min(this.quota.perMinute - minuteCount, this.quota.perDay - dayCount));
  }

  get isBanned(): boolean {
    return this.#counts.bannedUntil > 0;
  }

  /** Requests that are reserved in the current minute. */
  get ready(): number {
    return this.#reservedMinute === this.#counts.minute && this.#counts.bannedUntil === 0 ? this.reserved : 0;
  }

  /** Whether a ban has to be confirmed by Postgres. */
  doubts(monotonic: number): boolean {
    return this.#counts.bannedUntil > 0 && monotonic - this.askedAt >= BAN_TTL;
  }

  /**
   * Moves on to the windows of `now`, Unix time in milliseconds. A count may be a minute ahead of a clock that lags; if it is
   * further ahead, or a ban that much longer than `longestBan`, the database's clock was set back.
   */
  roll(now: number, longestBan: number): void {
    const counts = this.#counts;
    if (counts.bannedUntil <= now || counts.bannedUntil > now + longestBan + MINUTE)
      counts.bannedUntil = this.#newBan = 0;
    const minute = Math.floor(now / MINUTE);
    if (counts.minute === minute || counts.minute === minute + 1) return;
    if (dayOf(counts.minute) !== dayOf(minute)) counts.dayCount = 0;
    Object.assign(counts, { minute, minuteCount: 0 });
  }

  /** Admits a request that is reserved or, without the database, one that the next statement discards. */
  admit(): Decision {
    if (this.ready > 0) this.reserved -= 1;
    else this.due = true;
    this.#used += 1;
    this.#counts.minuteCount += 1;
    this.#counts.dayCount += 1;
    return this.#decide('admitted');
  }

  /** Refuses a request. Bans a key for `duration` milliseconds when this server has refused it `after` times within a minute. */
  refuse(now: number, monotonic: number, { after, duration }: { after: number; duration: number }): Decision {
    const { minute, bannedUntil } = this.#counts;
    if (this.#refusals.minute !== minute) this.#refusals = { minute, first: now, count: 0 };
    if (now - this.#refusals.first >= GRACE_PERIOD) this.#refusals.count += 1;
    const isBan = bannedUntil === 0 && this.#refusals.count >= after;
    if (isBan) this.#counts.bannedUntil = this.#newBan = Math.ceil(now + duration);
    // Since the last statement, other servers may have given back requests, or banned the key.
    this.due ||= isBan || (bannedUntil === 0 && monotonic - this.askedAt >= RESERVATION_TTL);
    return this.#decide(this.#counts.bannedUntil ? 'banned' : 'limited');
  }

  /** A ban shows as a minute window with nothing remaining that resets when the ban ends. */
  #decide(outcome: Decision['outcome']): Decision {
    const { perMinute, perDay } = this.quota;
    const { minute, minuteCount, dayCount, bannedUntil } = this.#counts;
    const left = bannedUntil ? 0 : Math.max(0, perMinute - minuteCount);
    const reset = Math.max((minute + 1) * MINUTE, bannedUntil);
    const day = { limit: perDay, remaining: Math.max(0, perDay - dayCount), reset: (dayOf(minute) + 1) * DAY };
    return { outcome, minute: { limit: perMinute, remaining: left, reset }, day };
  }

  /**
   * Composes the next addition. It gives back the reserved requests, takes those that wait and, if `ahead`, twice as many as were used
   * since the last one, but at most 1 % of what remains. Undefined if the last one has taken enough since they began to wait.
   */
  ask(monotonic: number, ahead: boolean): Addition | undefined {
    if (ahead && !this.due && this.ready >= this.waiting) return undefined;
    const used = ahead && (this.due || monotonic - this.askedAt < RESERVATION_TTL) ? this.#used : 0;
    const spare = Math.max(0, Math.min(2 * used, MAX_RESERVED, Math.floor((this.remaining - this.waiting) / 100)));
    const back = { give: this.reserved, givenMinute: this.#reservedMinute };
    this.askedAt = monotonic;
    this.reserved = 0;
    this.#used = 0;
    return { ...this.quota, ...back, take: this.isBanned ? 0 : this.waiting + spare, bannedUntil: this.#newBan };
  }

  /**
   * Takes over the result of a statement. A reservation of more than 1 % of what remains has to be given back: other servers have taken
   * requests meanwhile.
   */
  update({ now, granted, minute, minuteCount, dayCount, bannedUntil }: Counts, longestBan: number): void {
    // This server may have banned the key since it asked.
    if (this.#newBan <= bannedUntil) this.#newBan = 0;
    const until = Math.max(this.#newBan, bannedUntil);
    // After a ban, refusals count anew: it may have been lifted within its minute.
    if (this.#counts.bannedUntil > until) this.#refusals.minute = 0;
    this.#counts = { minute, minuteCount: minuteCount - granted, dayCount: dayCount - granted, bannedUntil: until };
    this.roll(now, longestBan);
    this.#reservedMinute = minute;
    this.reserved = granted;
    this.due = until > bannedUntil || granted > this.waiting + Math.max(0, this.remaining - this.waiting) / 100;
  }
}
