import type { CountRequest, CountRow } from './count-store.ts';
import { type Count, emptyCount, type Policy, roll } from './windows.ts';

/** Who is counted, and against what. */
export interface Check extends Policy {
  /** As in `key:12` or `address:192.0.2.1`. */
  subject: string;
}

/** What this server knows of a subject: the stored count when it was last seen, and what is not stored yet. */
export interface Entry extends Count {
  policy: Policy;
  unsavedMinute: number;
  unsavedDay: number;
  unsavedRejected: number;
  /** Whether the ban is one that the database does not know of. */
  unsavedBan: boolean;
}

/** The counts that a server remembers, the most recently used of them. */
export class Memory {
  readonly #now: () => number;
  readonly #capacity: number;
  readonly #entries = new Map<string, Entry>();
  readonly #unsaved = new Set<string>();

  /** @param capacity - subjects remembered at most */
  constructor(now: () => number, capacity: number) {
    this.#now = now;
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The entry of a subject, moved on to now. */
  entry({ subject, perMinute, perDay }: Check): Entry {
    const now = this.#now();
    const entry = this.#entries.get(subject) ?? newEntry(now);
    const { minute, day } = entry;
    roll(entry, now);
    if (entry.minute !== minute) Object.assign(entry, { unsavedMinute: 0, unsavedRejected: 0 });
    if (entry.day !== day) entry.unsavedDay = 0;
    entry.policy = { perMinute, perDay };
    // A Map keeps insertion order: the first is the one that was not used for longest.
    this.#entries.delete(subject);
    this.#entries.set(subject, entry);
    if (this.#entries.size > this.#capacity) this.#forgetOldest();
    return entry;
  }

  /** Counts an admitted request that the database does not know of. */
  admit(check: Check): Entry {
    const entry = this.entry(check);
    entry.minuteCount += 1;
    entry.dayCount += 1;
    entry.unsavedMinute += 1;
    entry.unsavedDay += 1;
    this.#unsaved.add(check.subject);
    return entry;
  }

  /** Counts a refused request that the database does not know of. */
  reject(check: Check): Entry {
    const entry = this.entry(check);
    entry.rejected += 1;
    entry.unsavedRejected += 1;
    this.#unsaved.add(check.subject);
    return entry;
  }

  /** Bans a subject whose refusals the database does not know of. */
  ban(check: Check, until: number): void {
    Object.assign(this.entry(check), { bannedUntil: until, unsavedBan: true });
  }

  /** Gives up what is not stored, as what the database refuses to take. */
  dropUnsaved(): void {
    for (const check of this.unsaved()) {
      Object.assign(this.entry(check), { unsavedMinute: 0, unsavedDay: 0, unsavedRejected: 0, unsavedBan: false });
    }
    this.#unsaved.clear();
  }

  /** Whatever has something to store. */
  unsaved(): Check[] {
    return [...this.#unsaved].flatMap((subject) => {
      const entry = this.#entries.get(subject);
      return entry ? [{ subject, ...entry.policy }] : [];
    });
  }

  /** What a statement is to store of a subject. */
  toSave(check: Check): CountRequest {
    const entry = this.entry(check);
    return {
      ...check,
      requested: 0,
      spentMinute: entry.unsavedMinute,
      spentDay: entry.unsavedDay,
      rejected: entry.unsavedRejected,
      bannedUntil: entry.unsavedBan ? entry.bannedUntil : 0,
    };
  }

  /** Takes over what the database says. What came since the statement was sent is still to be stored. */
  save(sent: CountRequest, row: CountRow): void {
    const entry = this.entry(sent);
    if (entry.minute <= row.minute) {
      const same = entry.minute === row.minute;
      entry.unsavedMinute = same ? Math.max(0, entry.unsavedMinute - sent.spentMinute) : 0;
      entry.unsavedRejected = same ? Math.max(0, entry.unsavedRejected - sent.rejected) : 0;
      entry.minute = row.minute;
      entry.minuteCount = row.minute_count + entry.unsavedMinute;
      entry.rejected = row.rejected + entry.unsavedRejected;
    }
    if (entry.day <= row.day) {
      entry.unsavedDay = entry.day === row.day ? Math.max(0, entry.unsavedDay - sent.spentDay) : 0;
      entry.day = row.day;
      entry.dayCount = row.day_count + entry.unsavedDay;
    }
    if (entry.bannedUntil <= row.banned_until) entry.unsavedBan = false;
    entry.bannedUntil = Math.max(entry.bannedUntil, row.banned_until);
    const unsaved = entry.unsavedMinute + entry.unsavedDay + entry.unsavedRejected;
    if (unsaved === 0 && !entry.unsavedBan) this.#unsaved.delete(sent.subject);
  }

  #forgetOldest(): void {
    const [subject] = this.#entries.keys();
    if (subject === undefined) return;
    this.#entries.delete(subject);
    this.#unsaved.delete(subject);
  }
}

function newEntry(now: number): Entry {
  const unsaved = { unsavedMinute: 0, unsavedDay: 0, unsavedRejected: 0, unsavedBan: false };
  return { ...emptyCount(now), ...unsaved, policy: { perMinute: 0, perDay: 0 } };
}
