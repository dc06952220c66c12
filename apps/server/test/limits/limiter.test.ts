import { withClient } from '@petstore/testkit/postgres';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openCounters } from '../../src/database/open.ts';
import { deleteOldCounts } from '../../src/limits/count-store.ts';
import { Limiter } from '../../src/limits/limiter.ts';
import type { Check } from '../../src/limits/memory.ts';
import { DAY, type Decision, MINUTE } from '../../src/limits/windows.ts';
import { TestClock } from '../support/clock.ts';
import { createDatabase } from '../support/database.ts';
import { type FlakyDatabase, flakyDatabase } from '../support/flaky-database.ts';

/** Noon, UTC. */
const start = Date.UTC(2026, 10, 20, 12);

let database: Awaited<ReturnType<typeof createDatabase>>;
let flaky: FlakyDatabase;
let now: number;
let subjects = 0;

beforeAll(async () => {
  database = await createDatabase();
  flaky = flakyDatabase(database.url);
});

afterAll(async () => {
  await flaky.close();
  await database.drop();
});

beforeEach(() => {
  now = start;
  flaky.away = false;
});

const server = ({ after = 1_000_000, duration = 10 * MINUTE, capacity = 1_000 } = {}) =>
  new Limiter({ db: flaky.db, ban: { after, duration }, now: () => now, capacity });

const check = (perMinute: number, perDay: number): Check => ({ subject: `key:${subjects++}`, perMinute, perDay });

const outcomes = async (limiter: Limiter, subject: Check, count: number) => {
  const decisions = await Promise.all(Array.from({ length: count }, () => limiter.check(subject)));
  return decisions.map(({ outcome }) => outcome);
};

describe('against a model', () => {
  type Step =
    | { do: 'request'; server: number; count: number }
    | { do: 'wait'; ms: number }
    | { do: 'restart' | 'crash'; server: number }
    | { do: 'outage'; requests: { server: number; count: number }[] };

  const SERVERS = 3;
  const anyServer = fc.nat(SERVERS - 1);
  const request = { server: anyServer, count: fc.integer({ min: 1, max: 8 }) };
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 8, arbitrary: fc.record({ do: fc.constant('request' as const), ...request }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 20_000, MINUTE, DAY) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constantFrom('restart' as const, 'crash' as const), server: anyServer }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('outage' as const),
        requests: fc.array(fc.record(request), { maxLength: 4 }),
      }),
    },
  );

  test('admits exactly what both windows allow, whatever happens in between', async () => {
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 30 }),
      fc.array(step, { maxLength: 25 }),
      async (perMinute, perDay, steps) => {
        now = start;
        const subject = check(perMinute, perDay);
        const servers = Array.from({ length: SERVERS }, () => server());
        const used = { minute: 0, minuteCount: 0, day: 0, dayCount: 0 };
        const roll = () => {
          const [minute, day] = [Math.floor(now / MINUTE), Math.floor(now / DAY)];
          if (minute !== used.minute) Object.assign(used, { minute, minuteCount: 0 });
          if (day !== used.day) Object.assign(used, { day, dayCount: 0 });
        };
        const admit = async (index: number, count: number) => {
          const decisions = await outcomes(servers[index] as Limiter, subject, count);
          roll();
          return decisions.filter((outcome) => outcome === 'admitted').length;
        };
        for (const action of steps) {
          if (action.do === 'wait') now += action.ms;
          if (action.do === 'restart') await servers[action.server]?.close();
          if (action.do === 'restart' || action.do === 'crash') servers[action.server] = server();
          if (action.do === 'request') {
            const admitted = await admit(action.server, action.count);
            const left = Math.min(perMinute - used.minuteCount, perDay - used.dayCount);
            expect(admitted).toBe(Math.max(0, Math.min(action.count, left)));
            used.minuteCount += admitted;
            used.dayCount += admitted;
          }
          if (action.do === 'outage') {
            flaky.away = true;
            for (const { server: index, count } of action.requests) {
              const admitted = await admit(index, count);
              expect(admitted).toBeLessThanOrEqual(Math.min(perMinute, perDay));
              used.minuteCount += admitted;
              used.dayCount += admitted;
            }
            flaky.away = false;
            // What the timer does every second, until it succeeds.
            for (const limiter of servers) await expect.poll(() => limiter.flush()).toBe(true);
          }
        }
        await Promise.all(servers.map((limiter) => limiter.close()));
      },
    );
    await fc.assert(property, { numRuns: 150 });
  });
});

describe('from memory', () => {
  test('who is over the limit costs no query until the window ends', async () => {
    const limiter = server();
    const subject = check(2, 100);
    expect(await outcomes(limiter, subject, 3)).toEqual(['admitted', 'admitted', 'limited']);
    const before = flaky.statements;
    for (let i = 0; i < 100; i++) expect((await limiter.check(subject)).outcome).toBe('limited');
    expect(flaky.statements).toBe(before);
    now += MINUTE;
    expect((await limiter.check(subject)).outcome).toBe('admitted');
  });

  test('a refusal says when a request passes again', async () => {
    const limiter = server();
    const minute = check(1, 100);
    await limiter.check(minute);
    expect((await limiter.check(minute)).retryAt).toBe(start + MINUTE);
    const day = check(1, 1);
    await limiter.check(day);
    expect((await limiter.check(day)).retryAt).toBe(start + DAY / 2);
  });

  test('memory is bounded under a million addresses, and no key is forgotten for them', async () => {
    const addresses = server({ capacity: 1_000 });
    const keys = server();
    const key = check(1, 10);
    expect((await keys.check(key)).outcome).toBe('admitted');
    flaky.away = true;
    for (let i = 0; i < 1_000_000; i++) {
      const decision = addresses.check({ subject: `address:${i}`, perMinute: 60, perDay: 1_000 });
      if (i % 1_000 === 0) await decision;
    }
    expect(addresses.size).toBeLessThanOrEqual(1_000);
    expect((await keys.check(key)).outcome).toBe('limited');
    flaky.away = false;
  });
});

describe('ban', () => {
  const ban = { after: 5, duration: 10 * MINUTE };

  test('follows the refusals of a minute, lasts, and is over', async () => {
    const limiter = server(ban);
    const subject = check(1, 100);
    await limiter.check(subject);
    for (let i = 0; i < 4; i++) expect((await limiter.check(subject)).outcome).toBe('limited');
    const { outcome, retryAt } = await limiter.check(subject);
    expect(outcome).toBe('banned');
    expect(retryAt).toBe(start + 10 * MINUTE);
    now = retryAt - 1;
    expect((await limiter.check(subject)).outcome).toBe('banned');
    now = retryAt;
    expect((await limiter.check(subject)).outcome).toBe('admitted');
  });

  test('nobody who waits as long as he is told is refused, whatever the refusals and however many at once', async () => {
    const bursts = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 6 });
    const property = fc.asyncProperty(bursts, fc.boolean(), async (counts, fromMemory) => {
      now = start;
      const subject = check(1, 100);
      const limiter = server(ban);
      const decisions: Decision[] = [];
      for (const count of counts) {
        // Another server knows nothing of the refusals, and asks Postgres.
        const burst = Array.from({ length: count }, () => (fromMemory ? limiter : server(ban)).check(subject));
        decisions.push(...(await Promise.all(burst)));
        await limiter.flush();
      }
      now = Math.max(now, ...decisions.map(({ outcome, retryAt }) => (outcome === 'admitted' ? 0 : retryAt)));
      if (now > start) expect((await limiter.check(subject)).outcome).toBe('admitted');
    });
    await fc.assert(property, { numRuns: 100 });
  });

  test('an answer that is not counted shows it, too', async () => {
    const limiter = server({ after: 2 });
    const subject = check(1, 100);
    for (let i = 0; i < 5; i++) await limiter.check(subject);
    now += MINUTE;
    expect(limiter.peek(subject).minute.remaining).toBe(0);
  });

  test('refusals of another minute do not count', async () => {
    const limiter = server(ban);
    const subject = check(1, 100);
    for (let minute = 0; minute < 4; minute++) {
      expect(await outcomes(limiter, subject, 5)).toEqual(['admitted', 'limited', 'limited', 'limited', 'limited']);
      now += MINUTE;
    }
  });

  test('holds on the other servers and after a restart', async () => {
    const [first, second] = [server(ban), server(ban)];
    const subject = check(1, 100);
    await outcomes(first, subject, 1);
    for (let i = 0; i < 5; i++) await first.check(subject);
    await first.close();
    expect((await second.check(subject)).outcome).toBe('banned');
    expect((await server(ban).check(subject)).outcome).toBe('banned');
  });

  test('is told once, though it is stored later', async () => {
    const bans: string[] = [];
    const onBan = (subject: string) => bans.push(subject);
    const limiter = new Limiter({ db: flaky.db, ban, now: () => now, onBan });
    const subject = check(1, 100);
    for (let i = 0; i < 8; i++) await limiter.check(subject);
    await limiter.close();
    expect(bans).toEqual([subject.subject]);
  });

  test('counts refusals of all servers together', async () => {
    const servers = [server(ban), server(ban)] as const;
    const subject = check(1, 100);
    await outcomes(servers[0], subject, 1);
    const seen = new Set<string>();
    for (let i = 0; i < 8; i++) {
      for (const limiter of servers) {
        seen.add((await limiter.check(subject)).outcome);
        await limiter.flush();
      }
      now += 1_000;
    }
    expect(seen).toContain('banned');
  });

  test('one that ends before the window does names the end of the window', async () => {
    const limiter = server({ after: 2, duration: 1_000 });
    const subject = check(1, 100);
    await limiter.check(subject);
    await outcomes(limiter, subject, 2);
    const { outcome, retryAt } = await limiter.check(subject);
    expect([outcome, retryAt]).toEqual(['banned', start + MINUTE]);
  });
});

describe('without the database', () => {
  test('a ban is stored when it is back, also in another minute', async () => {
    const [first, second] = [server({ after: 5 }), server({ after: 5 })];
    const subject = check(1, 100);
    flaky.away = true;
    await first.check(subject);
    for (let i = 0; i < 6; i++) await first.check(subject);
    expect((await first.check(subject)).outcome).toBe('banned');
    now += 2 * MINUTE;
    flaky.away = false;
    await expect.poll(() => first.flush()).toBe(true);
    expect((await second.check(subject)).outcome).toBe('banned');
  });

  test('what was counted alone is stored once, whoever asks for it and however long it takes', async () => {
    const limiter = server();
    const subject = check(100, 100);
    flaky.away = true;
    await outcomes(limiter, subject, 3);
    flaky.away = false;
    await Promise.all([limiter.flush(), limiter.flush(), limiter.close()]);
    expect((await server().check(subject)).minute.remaining).toBe(96);
  });

  test('what was counted alone of many is stored in parts, and what is counted meanwhile after them', async () => {
    const limiter = server({ capacity: 10_000 });
    const subjects = Array.from({ length: 2_500 }, () => check(10, 10));
    const countAll = () => Promise.all(subjects.map((subject) => limiter.check(subject)));
    flaky.away = true;
    await countAll();
    flaky.away = false;
    const before = flaky.statements;
    const flushing = limiter.flush();
    await countAll();
    expect(await flushing).toBe(true);
    expect(flaky.statements - before).toBe(3);
    await limiter.close();
    const other = server();
    const decisions = await Promise.all(subjects.map((subject) => other.check(subject)));
    expect(new Set(decisions.map(({ minute }) => minute.remaining))).toEqual(new Set([7]));
  });

  test('it is told once that it is away, and once that it is back', async () => {
    const changes: [boolean, unknown][] = [];
    const onChange = (away: boolean, reason?: unknown) => changes.push([away, reason]);
    const limiter = new Limiter({ db: flaky.db, ban: { after: 9, duration: 1 }, now: () => now, onChange });
    flaky.away = true;
    for (let i = 0; i < 3; i++) await limiter.check(check(10, 10));
    flaky.away = false;
    await expect.poll(() => limiter.flush()).toBe(true);
    expect(changes).toEqual([
      [true, expect.objectContaining({ code: 'ECONNREFUSED' })],
      [false, undefined],
    ]);
  });

  test('what it refuses to take is dropped: counting goes on', async () => {
    const limiter = server();
    // Longer than an index of Postgres can hold, and not to be compressed.
    const subject = `key:${Array.from({ length: 20_000 }, (_, i) => ((i * 7919) % 65_521).toString(36)).join('')}`;
    await limiter.check({ subject, perMinute: 10, perDay: 10 });
    const other = check(10, 10);
    await expect.poll(() => limiter.flush()).toBe(true);
    await limiter.check(other);
    expect((await server().check(other)).minute.remaining).toBe(8);
  });
});

test('many subjects and both directions do not deadlock', async () => {
  const [first, second] = [server(), server()];
  const all = Array.from({ length: 200 }, () => check(1_000, 1_000));
  const rounds = Array.from({ length: 20 }, async () => {
    await Promise.all([
      ...all.map((subject) => first.check(subject)),
      ...all.toReversed().map((subject) => second.check(subject)),
    ]);
  });
  await Promise.all(rounds);
  const decision = await first.check(all[0] as Check);
  expect(decision.minute.remaining).toBe(1_000 - 41);
});

test('deleting old counts waits for no row that is being counted: they cannot deadlock', async () => {
  const db = openCounters(database.url);
  onTestFinished(() => db.close());
  await new TestClock(now + DAY).install(db);
  const limiter = server();
  const [held, free] = [check(10, 10), check(10, 10)];
  await Promise.all([limiter.check(held), limiter.check(free)]);
  const left = async () => {
    const rows = await db.kysely.selectFrom('rate_limits').select('subject').execute();
    return rows.map(({ subject }) => subject).filter((subject) => [held.subject, free.subject].includes(subject));
  };
  await withClient(database.url, async (counting) => {
    await counting.query('begin');
    await counting.query('update rate_limits set requested = 1 where subject = $1', [held.subject]);
    await deleteOldCounts(db);
    expect(await left()).toEqual([held.subject]);
    await counting.query('rollback');
  });
  await deleteOldCounts(db);
  expect(await left()).toEqual([]);
});
