/** Requests per UTC minute and per UTC day. */
export interface Policy {
  perMinute: number;
  perDay: number;
}

/** A subject with its limits. */
export interface Check extends Policy {
  /** As in `key:12` or `address:192.0.2.1`. */
  subject: string;
}

/** When a key or address is banned, and for how long. */
export interface BanPolicy {
  /** Refused requests within a minute. */
  after: number;
  /** Milliseconds. */
  duration: number;
}

/** The counts of a key or address, in fixed windows aligned to the UTC minute and the UTC day. */
export interface Count {
  /** Minutes since the Unix epoch. */
  minute: number;
  minuteCount: number;
  /** Days since the Unix epoch. */
  day: number;
  dayCount: number;
  /** The first refusal of that minute, Unix time in milliseconds; 0 without one. */
  refusedAt: number;
  /** Unix time in milliseconds; 0 without a ban. */
  bannedUntil: number;
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

/**
 * Moves a count on to the windows of `now`, Unix time in milliseconds. A count may be a minute ahead of a clock that lags; if it
 * is further ahead, the database's clock was set back.
 */
export function roll(count: Count, now: number): void {
  const minute = Math.floor(now / MINUTE);
  const day = Math.floor(now / DAY);
  if (count.minute === minute || count.minute === minute + 1) return;
  Object.assign(count, { minute, minuteCount: 0, refusedAt: 0 });
  if (count.day !== day) Object.assign(count, { day, dayCount: 0 });
}

/** Ignores a ban that lasts longer than `ban.duration`: the database's clock was set back since. */
export function isBanned({ bannedUntil }: Count, now: number, ban: BanPolicy): boolean {
  return bannedUntil > now && bannedUntil <= now + ban.duration;
}

/** Counts a request that is admitted. */
export function admit(known: Count & Policy): Decision {
  known.minuteCount += 1;
  known.dayCount += 1;
  return decide('admitted', known);
}

/** A ban shows as a minute window with nothing remaining that resets when the ban ends. */
export function decide(outcome: Decision['outcome'], known: Count & Policy): Decision {
  const ban = outcome === 'banned' ? known.bannedUntil : 0;
  const left = ban ? 0 : Math.max(0, known.perMinute - known.minuteCount);
  const minute = { limit: known.perMinute, remaining: left, reset: Math.max((known.minute + 1) * MINUTE, ban) };
  const leftToday = Math.max(0, known.perDay - known.dayCount);
  const day = { limit: known.perDay, remaining: leftToday, reset: (known.day + 1) * DAY };
  const retryAt = Math.max(ban, minute.remaining === 0 ? minute.reset : 0, day.remaining === 0 ? day.reset : 0);
  return { outcome, minute, day, retryAt };
}
