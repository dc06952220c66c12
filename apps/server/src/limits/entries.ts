import type { CountRequest, CountRow } from './count-store.ts';
import { type Count, type Decision, decide, emptyCount, type Policy, roll } from './windows.ts';

/** Who is counted, and against what. */
export interface Check extends Policy {
  /** As in `key:12` or `address:192.0.2.1`. */
  subject: string;
}

/** A subject as the last statement left it, with the requests decided since. */
export interface Entry extends CountRow, Policy {
  /** Monotonic time at which the minute of the reservation may be over. */
  reservedUntil: number;
  /** What to reserve with the next statement. */
  wanted: number;
  /** Monotonic time of the last request. */
  used: number;
}

/** Requests that a server reserves for a subject at most. */
const MAX_RESERVED = 256;

/** What a server knows of subjects. */
export class Entries {
  readonly #entries = new Map<string, Entry>();
  /** Those with a reservation. */
  readonly reserving = new Set<Entry>();
  readonly #capacity: number;

  /** @param capacity - subjects remembered */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** What is known of a subject, moved on to `now` (Unix time in milliseconds). */
  get({ subject, perMinute, perDay }: Check, now: number): Entry {
    const entry = this.#entries.get(subject) ?? this.#add(subject, now);
    roll(entry, now);
    entry.perMinute = perMinute;
    entry.perDay = perDay;
    return entry;
  }

  #add(subject: string, now: number): Entry {
    if (this.#entries.size >= this.#capacity) this.#forgetOldest();
    const nothing = { admitted: 0, reserved: 0, reservedMinute: 0, reservedUntil: 0, wanted: 0, used: 0 };
    const entry = { subject, now, ...emptyCount(now), perMinute: 0, perDay: 0, ...nothing };
    this.#entries.set(subject, entry);
    return entry;
  }

  #forgetOldest(): void {
    for (const entry of this.#entries.values()) {
      // Not before it has given back what it has reserved.
      if (this.reserving.has(entry)) continue;
      this.#entries.delete(entry.subject);
      return;
    }
  }
}

/** Counts a request that is admitted. */
export function admit<Known extends Count & Policy>(known: Known): Decision {
  known.minuteCount += 1;
  known.dayCount += 1;
  return decide('admitted', known, known);
}

/** A request of a statement, with what is left of the last reservation. */
export function giveBack(entry: Entry): CountRequest {
  const { subject, perMinute, perDay, reserved: returned, reservedMinute } = entry;
  entry.reserved = 0;
  // Next time, what was used of it.
  if (returned > 0) entry.wanted = Math.max(0, Math.floor(entry.wanted / 2) - returned);
  return { subject, perMinute, perDay, requested: 0, wanted: 0, returned, reservedMinute };
}

/** What to reserve now: twice as much as the last time. */
export function want(entry: Entry): number {
  const { wanted } = entry;
  entry.wanted = Math.min(MAX_RESERVED, wanted * 2 || 1);
  return wanted;
}
