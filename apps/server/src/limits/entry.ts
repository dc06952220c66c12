import type { CountRequest } from './count-store.ts';
import type { Check, Count } from './windows.ts';

/** The state of a subject: the result of the last statement, and the requests decided since. */
export interface Entry extends Check, Count {
  /** Requests reserved in `reservedMinute` and not used yet. */
  reserved: number;
  reservedMinute: number;
  /** Monotonic time at which `reservedMinute` may be over. */
  reservedUntil: number;
  /** Requests to reserve with the next statement. */
  wanted: number;
  /** Monotonic time of the last request. */
  used: number;
}

export function newEntry(check: Check): Entry {
  const count = { minute: 0, minuteCount: 0, day: 0, dayCount: 0, refusedAt: 0, bannedUntil: 0 };
  return { ...check, ...count, reserved: 0, reservedMinute: 0, reservedUntil: 0, wanted: 0, used: 0 };
}

/** Requests that a server reserves for a subject at most. */
const MAX_RESERVED = 256;

/** Starts a request to the store with the rest of the last reservation. */
export function giveBack(entry: Entry): CountRequest {
  const { subject, perMinute, perDay, reserved: returned, reservedMinute } = entry;
  entry.reserved = 0;
  // The next reservation is as large as the used part of this one.
  if (returned > 0) entry.wanted = Math.max(0, Math.floor(entry.wanted / 2) - returned);
  return { subject, perMinute, perDay, requested: 0, wanted: 0, returned, reservedMinute };
}

/** Requests to reserve now. Doubles with each reservation. */
export function want(entry: Entry): number {
  const { wanted } = entry;
  entry.wanted = Math.min(MAX_RESERVED, wanted * 2 || 1);
  return wanted;
}
