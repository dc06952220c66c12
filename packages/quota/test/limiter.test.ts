import { randomBytes } from 'node:crypto';
import { whileLocked, withClient } from '@petstore-platform/testkit/postgres';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { DAY, type Decision, Limiter, type LimiterOptions, MINUTE, type Quota } from '../src/index.ts';
import { Database, flakyPool } from './support.ts';

/** Noon, UTC. */
const START = Date.UTC(2026, 10, 20, 12);

let clock: Database;
let pool: Database['pool'];
let flaky: ReturnType<typeof flakyPool>;
let subjects = 0;

beforeAll(async () => {
  clock = await Database.create(START);
  pool = clock.pool;
  flaky = flakyPool(clock.url);
});

afterAll(async () => {
  await flaky.pool.end();
  await clock.close();
});

beforeEach(async () => {
  flaky.away = false;
  await clock.set(START);
});

/** Room for more quotas would take longer to allocate than all the rest: the model starts a thousand servers. */
const server = (options: Partial<LimiterOptions> = {}) =>
  new Limiter({
    pool: flaky.pool,
    now: clock.now,
    clock: clock.clock(),
    size: 1_000,
    ...options,
  });

const newQuota = (perMinute: number, perDay: number): Quota => ({ subject: `key:${subjects++}`, perMinute, perDay });

/** When a request may pass again: the later end of the windows that have nothing left; 0 while it may. */
const retryAt = ({ minute, day }: Decision) =>
  Math.max(...[minute, day].map((window) => (window?.remaining === 0 ? window.reset : 0)));

const outcomes = async (limiter: Limiter, quota: Quota, count: number) => {
  const decisions = await Promise.all(Array.from({ length: count }, () => limiter.take(quota)));
  return decisions.map(({ outcome }) => outcome);
};

/** The number of admitted requests of `count` in sequence. */
const inTurn = async (limiter: Limiter, quota: Quota, count: number) => {
  let admitted = 0;
  for (let i = 0; i < count; i++) if ((await limiter.take(quota)).outcome === 'admitted') admitted += 1;
  return admitted;
};

/** The count of the last minute in Postgres, including reservations. */
const counted = async ({ subject }: Quota) => {
  const { rows } = await pool.query<{ count: number }>(
    'select minute_count as count from rate_limits where subject = $1',
    [subject],
  );
  return rows[0]?.count;
};

describe('against a model of three servers', () => {
  type Step =
    | { do: 'request'; server: number; count: number }
    | { do: 'wait'; ms: number }
    | { do: 'restart' | 'crash'; server: number }
    | { do: 'outage'; requests: { server: number; count: number }[] };

  const SERVERS = 3;
  const anyServer = fc.nat(SERVERS - 1);
  const request = (max: number) => ({ server: anyServer, count: fc.integer({ min: 1, max }) });
  const requests = (max: number) => fc.record({ do: fc.constant('request' as const), ...request(max) });
  const waits = fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 50, 20_000, MINUTE, DAY) });
  const ends = <End extends 'restart' | 'crash'>(end: End) => fc.record({ do: fc.constant(end), server: anyServer });
  const outages = fc.record({
    do: fc.constant('outage' as const),
    requests: fc.array(fc.record(request(8)), { maxLength: 4 }),
  });
  const steps = (...arbitraries: { weight: number; arbitrary: fc.Arbitrary<Step> }[]) =>
    fc.array(fc.oneof(...arbitraries), { maxLength: 25 });

  /** Requests admitted in the current windows. */
  class Used {
    minute = 0;
    minuteCount = 0;
    day = 0;
    dayCount = 0;

    left({ perMinute, perDay }: Quota): number {
      const [minute, day] = [Math.floor(clock.time / MINUTE), Math.floor(clock.time / DAY)];
      if (minute !== this.minute) Object.assign(this, { minute, minuteCount: 0 });
      if (day !== this.day) Object.assign(this, { day, dayCount: 0 });
      return Math.min(perMinute - this.minuteCount, perDay - this.dayCount);
    }

    add(count: number): void {
      this.minuteCount += count;
      this.dayCount += count;
    }
  }

  /** Plays steps against three servers. @param decide - sends requests, and compares the number admitted with the number left */
  function modelled(
    [minutes, days]: [fc.Arbitrary<number>, fc.Arbitrary<number>],
    events: fc.Arbitrary<Step[]>,
    decide: (limiter: Limiter, quota: Quota, count: number, left: number) => Promise<number>,
  ) {
    return fc.asyncProperty(minutes, days, events, async (perMinute, perDay, actions) => {
      await clock.set(START);
      const quota = newQuota(perMinute, perDay);
      const servers = Array.from({ length: SERVERS }, () => server());
      const used = new Used();
      for (const action of actions) {
        if (action.do === 'wait') await clock.pass(action.ms);
        if (action.do === 'restart') await servers[action.server]?.close();
        if (action.do === 'restart' || action.do === 'crash') servers[action.server] = server();
        if (action.do === 'request')
          used.add(await decide(servers[action.server] as Limiter, quota, action.count, used.left(quota)));
        if (action.do === 'outage') {
          flaky.away = true;
          for (const { server: index, count } of action.requests) {
            // The server counts on from the last known counts, and discards these requests later.
            const decided = await outcomes(servers[index] as Limiter, quota, count);
            expect(decided.filter((outcome) => outcome === 'admitted').length).toBeLessThanOrEqual(perMinute);
          }
          flaky.away = false;
          await clock.pass(1_000);
        }
      }
      await Promise.all(servers.map((limiter) => limiter.close()));
      const left = used.left(quota);
      const next = await server().take(quota);
      expect(next.outcome).toBe(left > 0 ? 'admitted' : 'limited');
      expect(Math.min(next.minute.remaining, Number(next.day?.remaining))).toBe(Math.max(0, left - 1));
    });
  }

  test('small limits: admits exactly as many as both windows allow, with any events in between', async () => {
    const events = steps(
      { weight: 8, arbitrary: requests(8) },
      { weight: 3, arbitrary: waits },
      { weight: 1, arbitrary: ends('restart') },
      { weight: 1, arbitrary: ends('crash') },
      { weight: 1, arbitrary: outages },
    );
    const limits: Parameters<typeof modelled>[0] = [fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 30 })];
    const property = modelled(limits, events, async (limiter, quota, count, left) => {
      const admitted = (await outcomes(limiter, quota, count)).filter((outcome) => outcome === 'admitted').length;
      expect(admitted).toBe(Math.min(count, left));
      return admitted;
    });
    await fc.assert(property, { numRuns: 150 });
  });

  test('large limits with reservations: never exceeded, fully usable, and unused reservations are returned', async () => {
    const events = steps(
      { weight: 8, arbitrary: requests(400) },
      { weight: 2, arbitrary: waits },
      { weight: 1, arbitrary: ends('restart') },
    );
    const limits: Parameters<typeof modelled>[0] = [
      fc.integer({ min: 100, max: 2_000 }),
      fc.integer({ min: 100, max: 3_000 }),
    ];
    const property = modelled(limits, events, async (limiter, quota, count, left) => {
      const admitted = await inTurn(limiter, quota, count);
      expect(admitted).toBeLessThanOrEqual(left);
      // Other servers may have 1 % reserved.
      const few = 0.02 * Math.min(quota.perMinute, quota.perDay);
      expect(admitted).toBeGreaterThanOrEqual(Math.min(count, left - few));
      return admitted;
    });
    await fc.assert(property, { numRuns: 60 });
  });
});

describe('reserved ahead', () => {
  test('most of many requests are decided at once, without a statement', async () => {
    const limiter = server();
    const quota = newQuota(100_000, 100_000);
    const before = flaky.statements;
    for (let left = 100_000 - 1; left >= 90_000; left--) {
      // Unused reservations count as remaining.
      expect((await limiter.take(quota)).minute.remaining).toBe(left);
    }
    expect(flaky.statements - before).toBeLessThan(100);
    expect(await counted(quota)).toBeGreaterThan(10_000);
    expect(limiter.take(quota)).not.toBeInstanceOf(Promise);
  });

  test('at most 1 % of the remaining requests: none of the last hundred', async () => {
    const [first, second] = [server(), server()];
    const quota = newQuota(300, 1_000);
    expect(await inTurn(first, quota, 201)).toBe(201);
    expect(await counted(quota)).toBe(201);
    expect(await inTurn(second, quota, 100)).toBe(99);
  });

  test('is returned after a second without use', async () => {
    const limiter = server();
    const quota = newQuota(10_000, 10_000);
    await inTurn(limiter, quota, 30);
    expect(await counted(quota)).toBeGreaterThan(30);
    const later = async () => {
      await clock.pass(1_000);
      return counted(quota);
    };
    // Each poll passes a second. The interval keeps all of them within the clock's minute, however busy the machine is.
    await expect.poll(later, { interval: 300 }).toBe(30);
    expect((await limiter.take(quota)).minute.remaining).toBe(10_000 - 31);
  });

  test('what another server gives back is used by one that has refused, after a second', async () => {
    const [first, second] = [server(), server()];
    const quota = newQuota(2_000, 2_000);
    await inTurn(first, quota, 30);
    const admitted = await inTurn(second, quota, 2_000);
    expect(admitted).toBeLessThan(2_000 - 30);
    await first.close();
    await clock.pass(1_000);
    expect(await inTurn(second, quota, 100)).toBe(2_000 - 30 - admitted);
  });

  const forget = 'update rate_limits set minute_count = 30';

  test.each<[string, (limiter: Limiter) => Promise<unknown>]>([
    [
      'is discarded with a failed statement, as a crash of the database may have forgotten it',
      async (limiter) => {
        await pool.query(forget);
        flaky.away = true;
        await limiter.take(newQuota(1, 1));
        flaky.away = false;
      },
    ],
    [
      'is kept if Postgres reports that a statement failed',
      async (limiter) => {
        await pool.query('alter table rate_limits rename to renamed');
        await limiter.take(newQuota(1, 1));
        await pool.query('alter table renamed rename to rate_limits');
      },
    ],
    [
      'is discarded with a broken connection, too',
      async () => {
        await withClient(clock.url, async (client) => {
          await client.query(forget);
          await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()`);
        });
        await expect.poll(() => flaky.pool.totalCount + pool.totalCount).toBe(0);
      },
    ],
  ])('%s', async (_, happens) => {
    const limiter = server();
    const quota = newQuota(10_000, 10_000);
    await inTurn(limiter, quota, 30);
    await happens(limiter);
    await clock.pass(1_000);
    await limiter.close();
    expect(await counted(quota)).toBe(30);
  });
});

describe('from memory', () => {
  test('requests over the limit are refused without a statement until the window ends', async () => {
    const limiter = server();
    const quota = newQuota(2, 100);
    expect(await outcomes(limiter, quota, 3)).toEqual(['admitted', 'admitted', 'limited']);
    const before = flaky.statements;
    for (let i = 0; i < 100; i++) expect(limiter.take(quota)).toMatchObject({ outcome: 'limited' });
    expect(flaky.statements).toBe(before);
    await clock.pass(MINUTE);
    expect((await limiter.take(quota)).outcome).toBe('admitted');
  });

  test('memory is bounded: the least recently used subjects are evicted', async () => {
    const limiter = server({ size: undefined });
    const [first, second] = [newQuota(5, 100), newQuota(5, 100)];
    for (const quota of [first, second, first]) await limiter.take(quota);
    flaky.away = true;
    await limiter.take(newQuota(5, 100));
    for (let other = 2; other < 50_000; other++) await limiter.take(newQuota(5, 100));
    const remaining = [first, second].map((quota) => (limiter.take(quota) as Decision).minute.remaining);
    expect(remaining).toEqual([2, 4]);
  });
});

describe('ban', () => {
  const ban = { after: 5, duration: 10 * MINUTE };

  /** A quota over its limit, after the second in which refusals do not count. */
  const exhausted = async (limiter: Limiter, perDay = 100) => {
    const quota = newQuota(1, perDay);
    expect(await outcomes(limiter, quota, 2)).toEqual(['admitted', 'limited']);
    await clock.pass(1_000);
    return quota;
  };

  test('follows the refusals of a minute and expires', async () => {
    const limiter = server({ ban });
    const quota = await exhausted(limiter);
    for (let i = 0; i < 4; i++) expect((await limiter.take(quota)).outcome).toBe('limited');
    const banned = await limiter.take(quota);
    expect(banned.outcome).toBe('banned');
    expect(retryAt(banned)).toBe(clock.time + 10 * MINUTE);
    await clock.set(retryAt(banned) - 1);
    expect(await limiter.take(quota)).toMatchObject({ outcome: 'banned' });
    await clock.set(retryAt(banned));
    expect((await limiter.take(quota)).outcome).toBe('admitted');
  });

  test('does not count refusals within a second of the first one', async () => {
    const limiter = server({ ban });
    const quota = newQuota(1, 100);
    for (const ms of [0, 500, 499]) {
      await clock.pass(ms);
      expect(await outcomes(limiter, quota, 60)).not.toContain('banned');
    }
    await clock.pass(1);
    expect(await outcomes(limiter, quota, 4)).not.toContain('banned');
    expect(await outcomes(limiter, quota, 1)).toEqual(['banned']);
  });

  test('a client that waits for Retry-After is admitted after any refusals', async () => {
    const bursts = fc.array(fc.record({ count: fc.integer({ min: 1, max: 8 }), wait: fc.constantFrom(0, 1_000) }), {
      minLength: 1,
      maxLength: 6,
    });
    const property = fc.asyncProperty(bursts, fc.boolean(), async (counts, fromMemory) => {
      await clock.set(START);
      const quota = newQuota(1, 100);
      const limiter = server({ ban });
      const decisions: Decision[] = [];
      for (const { count, wait } of counts) {
        // Another server does not know the refusals and asks Postgres.
        const burst = Array.from({ length: count }, () => (fromMemory ? limiter : server({ ban })).take(quota));
        decisions.push(...(await Promise.all(burst)));
        await clock.pass(wait);
      }
      const until = Math.max(...decisions.map((decision) => (decision.outcome === 'admitted' ? 0 : retryAt(decision))));
      if (until === 0) return;
      await clock.set(until);
      expect((await limiter.take(quota)).outcome).toBe('admitted');
    });
    await fc.assert(property, { numRuns: 100 });
  });

  test('holds within a second on a server that has refused the key itself', async () => {
    const [first, second] = [server({ ban }), server({ ban })];
    const quota = await exhausted(first);
    expect(await outcomes(second, quota, 1)).toEqual(['limited']);
    await outcomes(first, quota, 5);
    await first.close();
    await clock.pass(1_000);
    await second.take(quota);
    expect((await second.take(quota)).outcome).toBe('banned');
  });

  test('holds on all servers, until an operator lifts it: ends on each within five seconds, and refusals count anew', async () => {
    const [first, second] = [server({ ban }), server({ ban })];
    const quota = await exhausted(first);
    await outcomes(first, quota, 5);
    await expect.poll(async () => (await server({ ban }).take(quota)).outcome).toBe('banned');
    expect((await second.take(quota)).outcome).toBe('banned');
    await pool.query('update rate_limits set banned_until = 0 where subject = $1', [quota.subject]);
    await clock.pass(4_999);
    for (const limiter of [first, second]) expect(limiter.take(quota)).toMatchObject({ outcome: 'banned' });
    await clock.pass(1);
    for (const limiter of [first, second]) expect((await limiter.take(quota)).outcome).toBe('limited');
    await clock.pass(1_000);
    for (const limiter of [first, second]) expect(await outcomes(limiter, quota, 4)).not.toContain('banned');
    expect(await outcomes(first, quota, 1)).toEqual(['banned']);
    await first.close();
    await clock.pass(5_000);
    expect((await second.take(quota)).outcome).toBe('banned');
  });

  test('of a server that Postgres does not know yet is stored when it is back', async () => {
    const limiter = server({ ban });
    const quota = await exhausted(limiter);
    flaky.away = true;
    await limiter.take(newQuota(10, 10));
    await outcomes(limiter, quota, 5);
    flaky.away = false;
    await clock.pass(1_000);
    expect((await limiter.take(quota)).outcome).toBe('banned');
    expect((await server({ ban }).take(quota)).outcome).toBe('banned');
  });
});

describe('without the database', () => {
  test('continues from the last known counts, and discards its own when the database is back', async () => {
    const limiter = server();
    const quota = newQuota(5, 100);
    await outcomes(limiter, quota, 2);
    flaky.away = true;
    expect(await outcomes(limiter, quota, 1)).toEqual(['admitted']);
    expect([1, 2, 3].map(() => (limiter.take(quota) as Decision).outcome)).toEqual(['admitted', 'admitted', 'limited']);
    flaky.away = false;
    await clock.pass(1_000);
    expect((await limiter.take(quota)).minute.remaining).toBe(5 - 3);
  });

  test('while it is tried again, other requests do not wait, however long that takes', async () => {
    const limiter = server();
    const [first, second] = [newQuota(100, 100), newQuota(100, 100)];
    flaky.away = true;
    await limiter.take(first);
    flaky.away = false;
    await clock.pass(1_000);
    await whileLocked(clock.url, 'rate_limits', async (client) => {
      const attempt = limiter.take(first);
      const waits = () => limiter.take(second) instanceof Promise;
      // Requests wait until the attempt begins.
      await expect.poll(waits).toBe(false);
      await clock.pass(5_000);
      expect(waits()).toBe(false);
      await client.query('commit');
      await attempt;
      await clock.pass(1_000);
      expect(waits()).toBe(true);
    });
  });

  test('the loss and the return are each reported once', async () => {
    const onChange = vi.fn(() => {
      throw new Error('a fault of the listener');
    });
    const limiter = server({ onChange });
    flaky.away = true;
    for (let i = 0; i < 3; i++) {
      await limiter.take(newQuota(10, 10));
      await clock.pass(1_000);
    }
    flaky.away = false;
    for (let i = 0; i < 3; i++) await limiter.take(newQuota(10, 10));
    expect(onChange.mock.calls).toEqual([[true, expect.objectContaining({ code: 'ECONNREFUSED' })], [false]]);
  });
});

describe('clocks', () => {
  test('a database clock set back by a day locks no client out', async () => {
    const ban = { after: 1, duration: MINUTE };
    const limiter = server({ ban });
    const [limited, banned] = [newQuota(1, 1), newQuota(1, 10)];
    for (const quota of [limited, banned]) await outcomes(limiter, quota, 2);
    await clock.pass(1_000);
    expect(await outcomes(limiter, banned, 1)).toEqual(['banned']);
    await clock.set(START - DAY);
    for (const quota of [limited, banned]) {
      expect((await server({ ban }).take(quota)).outcome).toBe('admitted');
      expect((await limiter.take(quota)).outcome).toBe('limited');
    }
  });
});

test('a quota that cannot be counted is refused, and those of others are counted', async () => {
  const limiter = server();
  const quota = newQuota(5, 10);
  const wrong = [Number.NaN, -1, 0.5, 1_000_000_000, Number.POSITIVE_INFINITY].map((perMinute) => ({
    ...quota,
    perMinute,
  }));
  // Postgres would compress equal characters.
  const long = randomBytes(1_299).toString('hex');
  for (const subject of ['a\0', '\ud800', `${long}äx`]) wrong.push({ ...quota, subject });
  for (const each of wrong) expect(() => limiter.take(each)).toThrow(RangeError);
  for (const subject of [quota.subject, `${long}ä`])
    expect(await outcomes(limiter, { ...quota, subject }, 1)).toEqual(['admitted']);
  expect(limiter.isAlone).toBe(false);
  await limiter.close();
});

test('a subject that is evicted while it waits is counted', async () => {
  const limiter = server({ size: 1 });
  const [one, other] = [newQuota(5, 10), newQuota(5, 10)];
  const decisions = await Promise.all([one, other, one].map((quota) => limiter.take(quota)));
  expect(decisions.map(({ outcome }) => outcome)).toEqual(['admitted', 'admitted', 'admitted']);
  expect(limiter.isAlone).toBe(false);
  await limiter.close();
  expect(await counted(one)).toBe(2);
});

test('many subjects and both directions do not deadlock', async () => {
  const [first, second] = [server(), server()];
  const all = Array.from({ length: 200 }, () => newQuota(1_000, 1_000));
  const rounds = Array.from({ length: 20 }, async () => {
    await Promise.all([
      ...all.map((quota) => first.take(quota)),
      ...all.toReversed().map((quota) => second.take(quota)),
    ]);
  });
  await Promise.all(rounds);
  await Promise.all([first.close(), second.close()]);
  const decision = await first.take(all[0] as Quota);
  expect(decision.minute.remaining).toBe(1_000 - 41);
});

test('a request that waits for its count while the process stalls is counted by the next statement', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const limiter = server();
  const first = limiter.take(newQuota(10, 100));
  await new Promise(setImmediate);
  const second = limiter.take(newQuota(10, 100));
  vi.advanceTimersByTime(10_000);
  for (const { outcome } of await Promise.all([first, second])) expect(outcome).toBe('admitted');
});
