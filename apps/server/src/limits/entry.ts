import type { CountRequest } from './count-store.ts';

/** A subject with its limits. */
export interface Check {
  /** As in `key:12` or `address:192.0.2.1`. */
  subject: string;
  /** Requests per UTC minute. */
  perMinute: number;
  /** Requests per UTC day. */
  perDay: number;
}

/** When a key or address is banned, and for how long. */
export interface BanPolicy {
  /** Refused requests within a minute. */
  after: number;
  /** Milliseconds. */
  duration: number;
}

/** The outcome of a request, and both windows after it. */
export interface Decision {
  outcome: 'admitted' | 'limited' | 'banned';
  minute: WindowState;
  day: WindowState;
  /** Unix time in milliseconds from which a request may pass again; 0 while one may. */
  retryAt: number;
}

interface WindowState {
  limit: number;
  remaining: number;
  /** Unix time in milliseconds. */
  reset: number;
}

export const MINUTE = 60_000;
export const DAY = 86_400_000;

/** Requests that a server reserves for a subject at most. */
const MAX_RESERVED = 256;

/** The state of a subject: the result of the last statement, and the requests decided since. */
export class Entry implements Check {
  readonly subject: string;
  perMinute = 0;
  perDay = 0;
  /** Minutes since the Unix epoch. */
  minute = 0;
  minuteCount = 0;
  /** Days since the Unix epoch. */
  day = 0;
  dayCount = 0;
  /** The first refusal of that minute, Unix time in milliseconds; 0 without one. */
  refusedAt = 0;
  /** Unix time in milliseconds; 0 without a ban. */
  bannedUntil = 0;
  /** Requests that wait for the next statement. */
  requested = 0;
  /** Requests that a statement has counted ahead in `reservedMinute`. They are not in the counts. */
  reserved = 0;
  reservedMinute = 0;
  /** Monotonic time at which `reservedMinute` may be over. */
  reservedUntil = 0;
  /** Requests to reserve with the next statement. */
  wanted = 0;
  /** Monotonic time of the last request. */
  used = 0;

  constructor(subject: string) {
    this.subject = subject;
  }

  /**
   * Moves on to the windows of `now`, Unix time in milliseconds. A count may be a minute ahead of a clock that lags; if it is
   * further ahead, or a ban lasts longer than `longestBan`, the database's clock was set back.
   */
  roll(now: number, longestBan: number): void {
    if (this.bannedUntil <= now || this.bannedUntil > now + longestBan) this.bannedUntil = 0;
    const minute = Math.floor(now / MINUTE);
    const day = Math.floor(now / DAY);
    if (this.minute === minute || this.minute === minute + 1) return;
    Object.assign(this, { minute, minuteCount: 0, refusedAt: 0 });
    if (this.day !== day) Object.assign(this, { day, dayCount: 0 });
  }

  /**
   * The input of a statement that counts the waiting requests, and returns the rest of the last reservation.
   *
   * @param ahead - whether it reserves further ones
   */
  ask(ahead: boolean): CountRequest {
    const { subject, perMinute, perDay, requested, reserved, reservedMinute } = this;
    // The next reservation is as large as the used part of this one.
    if (reserved > 0) this.wanted = Math.max(0, Math.floor(this.wanted / 2) - reserved);
    const wanted = ahead && requested > 0 ? this.wanted : 0;
    // Doubles with each reservation.
    if (requested > 0) this.wanted = Math.min(MAX_RESERVED, this.wanted * 2 || 1);
    Object.assign(this, { requested: 0, reserved: 0 });
    return { subject, perMinute, perDay, requested, wanted, reserved, reservedMinute };
  }

  /** Admits a request that is reserved. */
  useReserved(): Decision {
    this.reserved -= 1;
    return this.admit();
  }

  admit(): Decision {
    this.minuteCount += 1;
    this.dayCount += 1;
    return this.decide(true);
  }

  /** A ban shows as a minute window with nothing remaining that resets when the ban ends. */
  decide(admitted: boolean): Decision {
    const ban = admitted ? 0 : this.bannedUntil;
    const left = ban ? 0 : Math.max(0, this.perMinute - this.minuteCount);
    const minute = { limit: this.perMinute, remaining: left, reset: Math.max((this.minute + 1) * MINUTE, ban) };
    const leftToday = Math.max(0, this.perDay - this.dayCount);
    const day = { limit: this.perDay, remaining: leftToday, reset: (this.day + 1) * DAY };
    const retryAt = Math.max(ban, minute.remaining === 0 ? minute.reset : 0, day.remaining === 0 ? day.reset : 0);
    const refused = ban ? 'banned' : 'limited';
    return { outcome: admitted ? 'admitted' : refused, minute, day, retryAt };
  }
}
