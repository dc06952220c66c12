/** Reads share round trips: those of one turn of the event loop go to Postgres in one write. */
import { channel } from 'node:diagnostics_channel';
import { setImmediate as turn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { FairSemaphore, Overdue } from './fair-semaphore.ts';
import { type Failure, isGone, isLostAfter, isStale, type Result, send } from './group.ts';
import type { Settings, Statement } from './statement.ts';
import { COMMIT, checked, MAX_NAMES, prepare, ROLLBACK, settingsOf } from './statement.ts';

export interface PipelineOptions {
  pool: pg.Pool;
  /** The longest wait in milliseconds for a turn. Default: the pool's `connectionTimeoutMillis`, or none. */
  timeout?: number;
  /** Whether it only reads: a statement that changes rows fails (SQLSTATE 25006), and settings of the session end. Default: false. */
  readOnly?: boolean;
  /** Called when a round trip has ended, with the milliseconds for which its first read waited, and those that it took. */
  onRoundTrip?(waited: number, took: number): void;
}

export interface ReadOptions {
  /** Slow reads of a caller leave connections to other callers. Default: all reads are of one caller. */
  caller?: unknown;
  /** Settings that hold for this read alone (`set local`), such as those that policies look at. */
  settings?: Settings | undefined;
  /** Whether it may change its session, such as SQL of an author. It then runs alone. */
  hasSql?: boolean;
  /** Whether no other read gets its result. Default: equal reads that are not sent yet share one. */
  isFresh?: boolean;
}

interface Read extends Statement {
  key: string;
  settling: PromiseWithResolvers<Result>;
  caller: unknown;
  /** The callers that have asked for it later. */
  others?: Set<unknown>;
  /** The semaphore of the read if it runs alone. Each caller waits for a place in its own share. */
  semaphore?: FairSemaphore | undefined;
  /** The number of callers that wait. */
  waits: number;
  settings: Settings | undefined;
  hasSql: boolean;
  settingsKey: string;
  since: number;
  /** Whether it is part of a round trip. */
  hasBegun: boolean;
  isSettled: boolean;
  /** How often its prepared statement was stale. */
  repetitions: number;
}

/** Postgres refuses changes and row locks, also those of functions. */
const READ_ONLY = prepare('begin read only');

/** By how much a slow read exceeds the usual. */
const SLOW_MS = 50;

/** How long a text is taken for slow after a slow run. It is tried again then. */
const SLOW_FOR_MS = 10_000;

/** The first run of a text also prepares the statement: it may take this many times as long. */
const FIRST_RUN_FACTOR = 4;

/** When a round trip no longer holds back the next one. */
const OVERLAP_MS = 2;

/** The longest time of a timer of Node.js, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

const MAX_READS = 64;

/** After a round trip this long, a lost connection also fails the reads that wait: they would only wait as long again. */
const LONG_MS = 1_000;

/** SQLSTATE of a statement that Postgres has canceled, as after its `statement_timeout`. */
const CANCELED = '57014';

/** How often a read whose prepared statement was stale runs again: each session has it until it has failed. */
const MAX_REPETITIONS = 10;

/** Tells why a read does not share a round trip, as `{ name, sql, why }`. */
const aside = channel('kysely-pipeline:read');

/** How a text runs: it is tried alone, it is quick, or it was slow. */
type Pace = 'tried' | 'quick' | 'slow';

/**
 * Runs selects on the connections of a pool. A read waits for the end of the event loop's turn or, for 2 ms at most, of the last round
 * trip, whose results need not be used yet. Its text then decides: a new or a slow one runs alone, all quick ones together. If a round trip
 * stalls, Postgres cancels the read that runs. It runs again alone, the others together. A read never joins a round trip that began before it.
 */
export class Pipeline {
  /** Grows with each round trip, and with each read that leaves to run alone: reads of the same generation may share a result. */
  generation = 0;
  readonly #options: PipelineOptions;
  readonly #timeout: number;
  /** The most round trips of several reads at a time. */
  readonly #maxTrips: number;
  readonly #slow: FairSemaphore;
  readonly #first: FairSemaphore;
  readonly #sql: FairSemaphore;
  #running = 0;
  #begun = 0;
  /** The reads of round trips that have no result yet. */
  #open = 0;
  #timer: NodeJS.Timeout | undefined;
  #waiting: Read[] = [];
  readonly #same = new Map<string, Read>();
  #isScheduled = false;
  /** The average milliseconds of a round trip, which grow with the network's delay and the load. */
  #usual = 1;
  readonly #paces = new LRUCache<string, Pace>({ max: 2 * MAX_NAMES });

  constructor(options: PipelineOptions) {
    const { pool, timeout = pool.options.connectionTimeoutMillis ?? 0 } = options;
    const max = pool.options.max ?? 10;
    this.#options = options;
    this.#timeout = timeout || LONGEST_TIMER;
    // Over a third of the pool is left to changes and transactions.
    this.#maxTrips = max < 6 ? 1 : max < 12 ? 2 : 3;
    this.#first = new FairSemaphore(this.#maxTrips, this.#timeout);
    this.#sql = new FairSemaphore(this.#maxTrips, this.#timeout);
    this.#slow = new FairSemaphore(Math.max(1, Math.ceil(max / 4)), this.#timeout);
  }

  /** Runs a select. @throws DatabaseError also for one that changes or locks rows (SQLSTATE 25006) @throws Overdue */
  read(statement: Statement, { caller, settings, hasSql = false, isFresh = false }: ReadOptions = {}): Promise<Result> {
    const { name, sql, values } = statement;
    Object.values(settings ?? {}).forEach(checked);
    const settingsKey = settings ? JSON.stringify(settings) : '';
    const key = isFresh ? '' : settingsKey + (name || sql) + (values.length > 0 ? JSON.stringify(values) : '');
    const same = isFresh ? undefined : this.#same.get(key);
    // Rows are the caller's own, which may change them.
    if (same !== undefined) {
      if (same.semaphore && caller !== same.caller && !same.others?.has(caller))
        void this.#runFor(caller, same, same.semaphore);
      same.others = (same.others ?? new Set()).add(caller);
      return same.settling.promise.then((result) => ({ ...result, rows: copyOf(result.rows) }));
    }
    const state = {
      since: performance.now(),
      settling: Promise.withResolvers<Result>(),
      waits: 0,
      hasBegun: false,
      isSettled: false,
      repetitions: 0,
    };
    const read: Read = { name, sql, values, key, caller, settings, hasSql, settingsKey, ...state };
    this.#waiting.push(read);
    if (!isFresh) this.#same.set(key, read);
    if (this.#running === 0 || this.#paces.peek(name) !== 'quick') this.#schedule();
    else this.#overlap();
    // Later than the others, which copy the rows before this caller can change them.
    return read.settling.promise.then((result) => result);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // After this turn of the event loop, so that a round trip has all reads that are asked for in it.
    setImmediate(() => {
      this.#isScheduled = false;
      this.#send();
    });
  }

  /** A round trip that takes long is no longer waited for: Postgres may run several at a time. */
  #overlap(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#send();
    }, OVERLAP_MS);
  }

  #send(): void {
    if (this.#waiting.length === 0) return;
    const now = performance.now();
    const [quick, others]: [Read[], Read[]] = [[], []];
    const isFree = this.#running === 0 || (this.#running < this.#maxTrips && now - this.#begun >= OVERLAP_MS - 0.5);
    // Half of them, but eight: Postgres has the others to do while results are used.
    const max = Math.min(MAX_READS, Math.max(8, (this.#waiting.length + this.#open) / 2));
    for (const read of this.#waiting) {
      const pace = this.#paces.get(read.name);
      if (read.isSettled) continue;
      if (now - read.since > this.#timeout) this.#fail(read, new Overdue('The database takes too long'));
      else if (pace === undefined) this.#runAlone(read, this.#first, 'new');
      else if (pace === 'slow') this.#runAlone(read, this.#slow, 'slow');
      else if (pace === 'quick' && read.hasSql) this.#runAlone(read, this.#sql, 'sql');
      else if (isFree && pace === 'quick' && quick.length < max) quick.push(read);
      else others.push(read);
    }
    this.#waiting = others;
    if (quick.length > 0) void this.#runTogether(quick);
    if (others.length > 0 && this.#running < this.#maxTrips) this.#overlap();
  }

  get #limit(): number {
    return SLOW_MS + 4 * this.#usual;
  }

  #noteSlow(name: string): void {
    this.#paces.set(name, 'slow', { ttl: SLOW_FOR_MS });
    this.#schedule();
  }

  /** Runs a read alone, in the share of the first of its callers that has a place. It fails when none waits any more, and none had one. */
  #runAlone(read: Read, semaphore: FairSemaphore, why: 'new' | 'slow' | 'sql' | 'stopped'): void {
    aside.publish({ name: read.name, sql: read.sql, why });
    // Others of a new text wait as long as it may be quick.
    if (semaphore === this.#first) this.#paces.set(read.name, 'tried');
    read.semaphore = semaphore;
    read.hasBegun = false;
    this.generation += 1;
    for (const caller of new Set([read.caller, ...(read.others ?? [])])) void this.#runFor(caller, read, semaphore);
  }

  async #runFor(caller: unknown, read: Read, semaphore: FairSemaphore): Promise<void> {
    let pace: Pace | undefined;
    read.waits += 1;
    try {
      const release = await semaphore.take(caller);
      read.waits -= 1;
      // It has its result, another caller had a place first, or it was stopped and waits among the slow ones.
      if (read.isSettled || read.hasBegun || read.semaphore !== semaphore) return release();
      await this.#run([read], () => this.#noteSlow(read.name));
      release();
      pace = 'quick';
    } catch (error) {
      read.waits -= 1;
      // Another caller still waits, or had a place.
      if (read.waits > 0 || read.hasBegun) return;
      this.#fail(read, error);
    }
    if (semaphore !== this.#first) return;
    if (this.#paces.get(read.name) === 'tried') this.#paces.set(read.name, pace);
    this.#schedule();
  }

  async #runTogether(reads: Read[]): Promise<void> {
    this.#running += 1;
    this.#begun = performance.now();
    this.#open += reads.length;
    let isCounted = true;
    const end = () => {
      if (isCounted) this.#running -= 1;
      isCounted = false;
      if (this.#waiting.length > 0) this.#schedule();
    };
    const onSlow = () => {
      for (const { name } of reads) this.#noteSlow(name);
      end();
    };
    // The next round trip goes out before these results are used, unless it would have few reads.
    await this.#run(reads, onSlow, async () => {
      if (!isCounted || this.#waiting.length < reads.length / 2) return;
      end();
      this.#send();
      await turn();
    });
    this.#open -= reads.length;
    end();
  }

  /**
   * Sends reads, and settles them.
   *
   * @param onSlow - called if a read that Postgres does not end takes longer than the limit
   * @param onEnd - called before the results are used
   */
  async #run(reads: Read[], onSlow: () => void, onEnd?: () => Promise<void>): Promise<void> {
    this.generation += 1;
    // Those with the same settings follow each other.
    if (reads.some(({ settingsKey }) => settingsKey !== ''))
      reads = [...Map.groupBy(reads, ({ settingsKey }) => settingsKey).values()].flat();
    const statements: Statement[] = [READ_ONLY];
    const positions: number[] = [];
    const patience = this.#paces.peek(reads[0]?.name ?? '') === 'tried' ? FIRST_RUN_FACTOR : 1;
    // Postgres ends a read that holds up the others, whatever its own settings.
    const isLimited = reads.length > 1 || (reads[0]?.semaphore ?? this.#slow) !== this.#slow;
    const limit = isLimited ? { statement_timeout: `${Math.ceil(this.#limit * patience)}` } : {};
    let settings: Settings = {};
    let settingsKey: string | undefined;
    for (const read of reads) {
      if (this.#same.get(read.key) === read) this.#same.delete(read.key);
      read.hasBegun = true;
      if (read.settingsKey !== settingsKey) {
        const wanted = { ...read.settings, ...limit };
        statements.push(...settingsOf(wanted, settings));
        [settings, settingsKey] = [wanted, read.settingsKey];
      }
      positions.push(statements.length);
      statements.push(read);
    }
    // A commit would keep settings that are not local, for others.
    statements.push(this.#options.readOnly ? ROLLBACK : COMMIT);
    const began = performance.now();
    let sent = began;
    let isUsual = false;
    let timer: NodeJS.Timeout | undefined;
    try {
      const client = await this.#options.pool.connect();
      let isLost = true;
      let finish = () => {};
      try {
        sent = performance.now();
        const { results, ended } = send(client, statements);
        const hanging = Promise.withResolvers<'hangs'>();
        timer = setTimeout(() => {
          if (!isLimited) return onSlow();
          // The first of several that Postgres ends also ends the round trip: after eight times the limit, the connection hangs.
          timer = setTimeout(hanging.resolve, this.#limit * Math.min(reads.length, 8), 'hangs');
        }, this.#limit * patience);
        const failure = await Promise.race([ended, hanging.promise]);
        clearTimeout(timer);
        // A server that has become slow is not taken for such a connection again and again.
        isUsual = failure === 'hangs' || (failure === undefined && reads[0]?.semaphore === undefined);
        // SQL that is no select may have ended the transaction, or left something in the session.
        const isTouched = reads[0]?.hasSql === true && (results.at(-2) as Result | undefined)?.command !== 'SELECT';
        isLost = failure === 'hangs' || (failure ? await isLostAfter(client, ROLLBACK) : isTouched);
        finish = () => {
          const done = positions.findLastIndex((position) => position < results.length) + 1;
          for (let index = 0; index < done; index++)
            this.#settle(reads[index] as Read, results[positions[index] as number]);
          if (failure === 'hangs') for (const read of reads.slice(done)) this.#runAlone(read, this.#slow, 'stopped');
          else if (failure) this.#failed(reads.slice(done), failure, isLost && isGone(failure.error), isLimited);
        };
      } finally {
        client.release(isLost);
      }
      await onEnd?.();
      // They are answered together, as writes to sockets in a row cost less.
      finish();
    } catch (error) {
      for (const read of reads) this.#fail(read, error);
      if (performance.now() - began >= LONG_MS) for (const read of this.#waiting.splice(0)) this.#fail(read, error);
    } finally {
      clearTimeout(timer);
    }
    const took = performance.now() - sent;
    if (isUsual) this.#usual += (Math.min(took, this.#limit) - this.#usual) / 16;
    this.#options.onRoundTrip?.(sent - (reads[0]?.since ?? sent), took);
  }

  #settle(read: Read, result: Result | Error | undefined): void {
    if (result instanceof Error) this.#fail(read, result);
    if (result === undefined || read.isSettled) return;
    read.isSettled = true;
    read.settling.resolve(result as Result);
  }

  #fail(read: Read, error: unknown): void {
    if (this.#same.get(read.key) === read) this.#same.delete(read.key);
    read.isSettled = true;
    read.settling.reject(error);
  }

  /**
   * The first read has failed, or was stopped, and Postgres has skipped the others. These run in a round trip of their own: reads that fail,
   * and are asked for again and again, would fail each that they join.
   */
  #failed(reads: Read[], { error }: Failure, isLost: boolean, wasLimited: boolean): void {
    const [failed, ...others] = reads;
    if (isLost) for (const read of reads) this.#fail(read, error);
    if (!failed || isLost) return;
    if (error.code === CANCELED && wasLimited) {
      if (failed.semaphore) this.#noteSlow(failed.name);
      this.#runAlone(failed, this.#slow, 'stopped');
    } else if (isStale(error) && failed.repetitions < MAX_REPETITIONS) {
      failed.repetitions += 1;
      aside.publish({ name: failed.name, sql: failed.sql, why: 'stale' });
      others.unshift(failed);
    } else this.#fail(failed, error);
    const { slow = [], quick } = Object.groupBy(others, ({ name }) =>
      this.#paces.peek(name) === 'slow' ? 'slow' : 'quick',
    );
    for (const read of slow) this.#runAlone(read, this.#slow, 'slow');
    if (quick) void this.#runTogether(quick);
  }
}

/** A value with its own lists, plain objects, times and bytes. `structuredClone` would take the class from a Buffer or an interval. */
function copyOf<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(copyOf) as Value;
  if (value instanceof Date) return new Date(value) as Value;
  if (Buffer.isBuffer(value)) return Buffer.from(value) as Value;
  if (value === null || Object.getPrototypeOf(Object(value)) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value as object).map(([key, each]) => [key, copyOf(each)])) as Value;
}
