import { createClient, isBookstoreError } from '@repo/bookstore';
import { type Plan, plans } from '@repo/bookstore/generated/plans';
import { DAY, loadConfig, MINUTE, TestClock } from '@repo/bookstore/testing';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { rowsOf } from '../support/database.ts';
import { createKey } from '../support/runtime.ts';
import { sharedServer, temporaryServer } from '../support/server.ts';

/** Noon and 20 seconds, UTC. */
const START = Date.UTC(2026, 10, 20, 12, 0, 20);

const clock = new TestClock(START);
const server = sharedServer(() => ({ clock, config: { BAN_AFTER: 3, BAN_SECONDS: 600 } }));

const seconds = (time: number) => time / 1000;
const nextMinute = () => (Math.floor(clock.time / MINUTE) + 1) * MINUTE;
const nextDay = () => (Math.floor(clock.time / DAY) + 1) * DAY;

/** Every test uses its own minute and address. */
let tests = 0;
beforeEach(async () => {
  await clock.set(nextMinute() + 20_000);
  tests += 1;
});

const address = () => `198.51.100.${tests}`;

const get = (key: string, path = '/v1/books?limit=1') =>
  server.request(path, { headers: { Authorization: `Bearer ${key}` } });

const anonymous = (path = '/v1/books', init: RequestInit = {}) =>
  server.request(path, { ...init, headers: { Authorization: '', 'X-Forwarded-For': address(), ...init.headers } });

describe.each<Plan>(['free', 'enterprise'])('plan %s', (plan) => {
  const { perMinute, perDay } = plan === 'enterprise' ? { perMinute: 40, perDay: 70 } : plans[plan];
  const create = () => server.createKey({ plan, ...(plan === 'enterprise' && { perMinute, perDay }) });

  test(`admits ${perMinute} requests in a minute`, async () => {
    const { key } = await create();
    const first = await get(key);
    expect(first.headers.get('X-RateLimit-Limit')).toBe(String(perMinute));
    expect(first.headers.get('X-RateLimit-Remaining')).toBe(String(perMinute - 1));
    expect(first.headers.get('X-RateLimit-Reset')).toBe(String(seconds(nextMinute())));
    const responses = await Promise.all(Array.from({ length: perMinute }, () => get(key)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(perMinute - 1);

    const refused = await get(key);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 'rate_limit_exceeded', status: 429 });
    expect(refused.headers.get('Retry-After')).toBe(String(seconds(nextMinute() - clock.time)));
    expect(refused.headers.get('X-RateLimit-Remaining')).toBe('0');
    expect(refused.headers.get('RateLimit-Policy')).toBe(`"minute";q=${perMinute};w=60, "day";q=${perDay};w=86400`);
    expect(refused.headers.get('RateLimit')).toBe(
      `"minute";r=0;t=${seconds(nextMinute() - clock.time)}, "day";r=${perDay - perMinute};t=${seconds(nextDay() - clock.time)}`,
    );

    await clock.set(nextMinute());
    const next = await get(key);
    expect(next.status).toBe(200);
    expect(next.headers.get('RateLimit')).toContain(`"minute";r=${perMinute - 1};t=60`);
    // A 429 does not count.
    expect(next.headers.get('RateLimit')).toContain(`"day";r=${perDay - perMinute - 1};`);
  });

  test(`admits ${perDay} requests in a day`, async () => {
    const { id, key } = await create();
    // All but two of the day's requests came in earlier minutes.
    const [minute, day] = [Math.floor(clock.time / MINUTE), Math.floor(clock.time / DAY)];
    await rowsOf(
      server.db,
      `insert into rate_limits (subject, minute, minute_count, day, day_count, banned_until, per_minute, per_day, requested, granted, returned, returned_minute)
      values ('key:${id}', ${minute - 1}, 1, ${day}, ${perDay - 2}, 0, ${perMinute}, ${perDay}, 0, 0, 0, 0)`,
    );
    expect((await get(key)).headers.get('X-RateLimit-Limit')).toBe(String(perDay));
    expect((await get(key)).headers.get('X-RateLimit-Remaining')).toBe('0');

    const refused = await get(key);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ message: expect.stringContaining(`${perDay} requests per day`) });
    expect(refused.headers.get('X-RateLimit-Limit')).toBe(String(perDay));
    expect(refused.headers.get('X-RateLimit-Reset')).toBe(String(seconds(nextDay())));
    expect(refused.headers.get('Retry-After')).toBe(String(seconds(nextDay() - clock.time)));

    await clock.set(nextDay() - 1);
    expect((await get(key)).status).toBe(429);
    await clock.pass(1);
    expect((await get(key)).status).toBe(200);
  });
});

describe('without a valid key', () => {
  test('401, 404, 405 and invalid encodings count for the address, also behind a proxy, and are limited', async () => {
    const { perMinute } = plans.free;
    const responses = [
      await anonymous(),
      await anonymous('/v1/nope'),
      await anonymous('/v1/books', { method: 'PURGE' }),
      await anonymous('/v1/books/%ff'),
      await server.raw(`GET /v1/books HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address()}\r\nExpect: x\r\n\r\n`),
    ];
    expect(responses.map(({ status }) => status)).toEqual([401, 404, 405, 400, 417]);
    const remaining = responses.map(({ headers }) => headers.get('X-RateLimit-Remaining'));
    expect(remaining).toEqual(['59', '58', '57', '56', '55']);
    await Promise.all(Array.from({ length: perMinute - 5 }, () => anonymous()));
    const refused = await anonymous();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('Retry-After')).toBe('60');
    expect(refused.headers.get('X-RateLimit-Reset')).toBe(String(seconds(clock.time) + 60));
    expect(refused.headers.get('RateLimit-Policy')).toBe(`"minute";q=${perMinute};w=60`);
    expect(refused.headers.get('RateLimit')).toBe('"minute";r=0;t=60');
    expect((await anonymous('/v1/nope')).status).toBe(429);
    expect(await rowsOf(server.db, `select from rate_limits where subject not like 'key:%'`)).toEqual([]);
  });

  test('an address that goes on after a 429 is refused until it pauses for a minute', async () => {
    // @fastify/rate-limit reads this clock.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    await Promise.all(Array.from({ length: plans.free.perMinute }, () => anonymous()));
    for (let times = 0; times < 3; times++) {
      expect((await anonymous()).status).toBe(429);
      vi.advanceTimersByTime(MINUTE - 1);
    }
    expect((await anonymous()).status).toBe(429);
    vi.advanceTimersByTime(MINUTE);
    expect((await anonymous()).status).toBe(401);
  });

  test('made-up keys from a refused address keep no valid key out', async () => {
    const from = (key: string) => anonymous('/v1/books', { headers: { Authorization: `Bearer ${key}` } });
    const madeUp = (count: number) => Array.from({ length: count }, () => from(createKey()));
    await Promise.all(madeUp(plans.free.perMinute));
    for (let second = 0; second < 4; second++) {
      const issued = [await server.createKey(), await server.createKey()];
      const flood = madeUp(25);
      for (const { key } of issued) expect((await from(key)).status).toBe(200);
      for (const { status } of await Promise.all(flood)) expect(status).toBe(429);
      await clock.pass(1_000);
    }
  });

  test('an IPv6 client is its /64, a mapped IPv4 address, or one behind NAT64, is itself, with any port', async () => {
    const remaining = async (from: string) =>
      (await anonymous('/v1/books', { headers: { 'X-Forwarded-For': from } })).headers.get('X-RateLimit-Remaining');
    for (const same of [
      ['64:ff9b::203.0.113.7', '203.0.113.7'],
      ['64:ff9b:0::cb00:7108'],
      ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2'],
      ['2001:db8:1:3::1'],
      [`::ffff:${address()}`, address()],
      ['192.0.2.7', '192.0.2.7:5678', '192.0.2.7:1'],
      ['2001:db8:9::1', '[2001:db8:9::1]', '[2001:db8:9::1]:80'],
    ])
      for (const [index, form] of same.entries())
        expect([form, await remaining(form)]).toEqual([form, `${59 - index}`]);
  });

  test.each([
    ['127.0.0.1,192.0.2.0/24', '198.51.100.9:1, 192.0.2.8:443', '198.51.100.9:2'],
    // Without it, forwarded addresses are ignored.
    ['', '203.0.113.1', '203.0.113.2'],
  ])('with TRUST_PROXY=%s, %s and %s are the same address', async (value, ...forwarded) => {
    const { TRUST_PROXY } = loadConfig({ DATABASE_URL: server.databaseUrl, TRUST_PROXY: value });
    const other = await temporaryServer({ clock: new TestClock(START), config: { TRUST_PROXY } });
    const remaining: unknown[] = [];
    for (const address of forwarded) {
      const headers = { Authorization: '', 'X-Forwarded-For': address };
      remaining.push((await other.request('/v1/books', { headers })).headers.get('X-RateLimit-Remaining'));
    }
    expect(remaining).toEqual(['59', '58']);
  });
});

test('a key that ignores 429 is banned, which the SDK reports, with the end of a ban beyond the day', async () => {
  await clock.set(nextDay() - 5 * MINUTE);
  const { key } = await server.createKey({ plan: 'enterprise', perMinute: 10, perDay: 1 });
  // Each list has a new client, because one client would remember the first refusal.
  const list = () => createClient({ apiKey: key, baseUrl: `${server.origin}/v1`, maxRetries: 0 }).listBooks();
  await list();
  const first = await list().catch((reason: unknown) => reason);
  expect(first).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
  await clock.pass(1_000);
  const codes: unknown[] = [];
  for (let i = 0; i < 3; i++) {
    const error = await list().catch((reason: unknown) => reason);
    codes.push(isBookstoreError(error) && error.code);
    const reset = new Date(clock.time + 10 * MINUTE);
    if (i === 2) expect(error).toMatchObject({ status: 429, retryAfter: 600, rateLimit: { remaining: 0, reset } });
  }
  expect(codes).toEqual(['rate_limit_exceeded', 'rate_limit_exceeded', 'api_key_banned']);
  await clock.pass(10 * MINUTE);
  expect(await list()).toBeInstanceOf(Array);
});
