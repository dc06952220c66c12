import { expect, test } from 'vitest';
import { clientOf, failureOf, rejectionOf } from './helpers.ts';
import { errorResponse, ok } from './responses.ts';

/** A service that allows 60 requests in each minute, and bans a key that goes on after its refusals. */
function limited() {
  let [minute, used, refused, since] = [-1, 0, 0, 0];
  const sent: number[] = [];
  const respond = async () => {
    await sleep(20);
    const now = Date.now();
    sent.push(now);
    if (Math.floor(now / 60_000) !== minute) [minute, used, refused] = [Math.floor(now / 60_000), 0, 0];
    const left = 60 - Math.floor((now % 60_000) / 1000);
    const headers = (remaining: number) => ({
      Date: new Date(now).toUTCString(),
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': `${remaining}`,
      'X-RateLimit-Reset': `${(minute + 1) * 60}`,
      'RateLimit-Policy': '"minute";q=60;w=60, "day";q=1000;w=86400',
      RateLimit: `"minute";r=${remaining};t=${left}, "day";r=900;t=43200`,
    });
    if (used < 60) return Response.json([], { headers: headers(59 - used++) });
    if (refused++ === 0) since = now;
    const code = refused > 60 && now - since > 1000 ? 'api_key_banned' : 'rate_limit_exceeded';
    const retryAfter = code === 'api_key_banned' ? 600 : left;
    return refusal({ ...headers(0), 'Retry-After': `${retryAfter}` }, code);
  };
  return { respond, sent, isBanned: () => refused > 60 };
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const refusal = (headers: Record<string, string>, code = 'rate_limit_exceeded') => errorResponse(429, headers, code);

test('with the defaults, calls wait in order for the next window, as many as it allows', async () => {
  const service = limited();
  const { api, time } = clientOf(service.respond);
  time.random = () => Math.cbrt(Date.now()) % 1;
  const start = Date.now();
  const calls: Promise<number>[] = [];
  const rejections: number[] = [];
  for (let call = 0; call < 200; call++) {
    const ended = api.listBooks().then(
      () => Date.now() - start,
      ({ attempts, retryAfter }) => rejections.push(retryAfter, attempts) && -1,
    );
    calls.push(ended);
    await sleep(25);
  }
  const ends = (await Promise.all(calls)).filter((end) => end >= 0);
  const inFirst = service.sent.filter((at) => at - start < 60_000);
  expect(inFirst.length).toBeLessThanOrEqual(65);
  expect(service.sent.length - inFirst.length).toBe(60);
  // They end in the order of the calls, and none ends before the window.
  expect(ends).toEqual(ends.toSorted((a, b) => a - b));
  expect(ends.filter((end) => end > 2_500 && end < 60_000)).toEqual([]);
  expect([service.isBanned(), time.pending]).toEqual([false, 0]);
  // The others would be refused again, so they are told to come back a window later.
  expect([rejections.length > 100, Math.min(...rejections.filter((each) => each !== 0)) > 60]).toEqual([true, true]);
});

test('calls that wait leave in order, at random times within a second', async () => {
  let closed = true;
  const order: string[] = [];
  const { api, time } = clientOf((request) => {
    if (closed) return refusal({ 'Retry-After': '30' });
    order.push(`${new URL(request.url).searchParams.get('limit')} ${Date.now() - start}`);
    return Response.json([]);
  });
  const start = Date.now();
  await failureOf(api.listBooks({}, { maxRetries: 0 }));
  closed = false;
  // Each call draws the jitter of a retry, too.
  const delays = [0, 0.9, 0, 0.1, 0, 0.5];
  time.random = () => delays.shift() ?? 0;
  await Promise.all([1, 2, 3].map((limit) => api.withOptions({ maxRetries: 5 }).listBooks({ limit })));
  expect(order).toEqual(['1 30100', '2 30500', '3 30900']);
});

test.each([
  ['a wait beyond maxRetryAfter', 'rate_limit_exceeded', { maxRetryAfter: 20_000 }],
  ['a wait beyond totalTimeout', 'rate_limit_exceeded', { totalTimeout: 20_000 }],
  ['a ban', 'api_key_banned', {}],
])('%s rejects at once, with the time that is left', async (_, code, options) => {
  const { api, requests } = clientOf(() => refusal({ 'Retry-After': '59', 'X-Request-Id': 'first' }, code));
  await failureOf(api.listBooks({}, { maxRetryAfter: 0 }));
  await sleep(9_500);
  const start = Date.now();
  const error = await failureOf(api.getBook({ bookId: 1 }, options));
  const body = { code, status: 429 };
  expect(error).toMatchObject({ ...body, body, retryAfter: 50, attempts: 0, operation: 'getBook', requestId: 'first' });
  expect([Date.now() - start, requests.length]).toEqual([0, 1]);
});

test('the calls of withOptions wait, too, unless they have another key or another server', async () => {
  const { api, requests } = clientOf(() => refusal({ 'Retry-After': '59' }), { maxRetryAfter: 0 });
  await failureOf(api.listBooks());
  for (const [attempts, options] of [
    [0, {}],
    [1, { apiKey: 'books_another' }],
    [1, { baseUrl: 'http://127.0.0.1:3000/v1' }],
    [1, { apiKey: async () => 'books_third' }],
  ] as const)
    expect(await failureOf(api.withOptions(options).listBooks())).toMatchObject({ attempts });
  expect(requests).toHaveLength(4);
});

test('a call that is aborted in line leaves it, with its timer', async () => {
  const { api, requests, time } = clientOf((_, count) => (count === 1 ? refusal({ 'Retry-After': '30' }) : ok()));
  await failureOf(api.listBooks({}, { maxRetryAfter: 0 }));
  const controller = new AbortController();
  const aborted = rejectionOf(api.listBooks({}, { signal: controller.signal }));
  const other = api.listBooks();
  setTimeout(() => controller.abort('changed my mind'), 1_000);
  expect(await aborted).toBe('changed my mind');
  await other;
  expect([requests.length, time.pending]).toEqual([2, 0]);
});

const totals = (remaining: number, end: number, limit = 1_000) => ({
  'X-RateLimit-Limit': `${limit}`,
  'X-RateLimit-Remaining': `${remaining}`,
  'X-RateLimit-Reset': `${end / 1000}`,
});
/** The headers of a day's window. */
const daily = (remaining: number, limit = 1_000) => ({
  ...totals(remaining, Date.parse('2026-11-21'), limit),
  'RateLimit-Policy': `"minute";q=60;w=60, "day";q=${limit};w=86400`,
  RateLimit: `"minute";r=60;t=60, "day";r=${remaining};t=43200`,
});

const page = (seconds: string) => new Response('<html>', { status: 429, headers: { 'Retry-After': seconds } });
test.each([
  ['milliseconds in place of seconds', () => refusal({ 'Retry-After': '30000' })],
  ['a page of a proxy with a date in ten years', () => page('Tue, 01 Jan 2036 00:00:00 GMT')],
  ['a day of a CDN', () => page('86400')],
  ['a reset in ten years', () => Response.json([], { headers: totals(0, Date.parse('2036-01-01')) })],
])('%s does not close a client for longer than maxRetryAfter', async (_, first) => {
  const { api, requests } = clientOf((_, count) => (count === 1 ? first() : ok()), { maxRetryAfter: 20_000 });
  await api.listBooks().catch(() => {});
  expect(await failureOf(api.listBooks({}, { maxRetryAfter: 0 }))).toMatchObject({ attempts: 0, status: 429 });
  const start = Date.now();
  await api.listBooks();
  expect(Date.now() - start).toBeLessThanOrEqual(21_000);
  expect(requests.length).toBe(2);
});

test('a spent day is asked once in a while, by one call, and a plan that is raised meanwhile is noticed', async () => {
  let isRaised = false;
  const { api, requests } = clientOf(() =>
    isRaised
      ? Response.json([], { headers: daily(9_000, 10_000) })
      : refusal({ ...daily(0), 'Retry-After': `${Math.ceil((Date.parse('2026-11-21') - Date.now()) / 1000)}` }),
  );
  const calls = () => Promise.allSettled([1, 2, 3].map(() => api.listBooks()));
  for (let second = 0; second < 600; second += 10) {
    await calls();
    await sleep(10_000);
  }
  // The first three are sent at once, and then one every 90 seconds.
  expect(requests.length).toBe(3 + 6);
  isRaised = true;
  await sleep(90_000);
  await calls();
  expect((await calls()).map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
});

test.each([
  ['all headers', /./, 43_200],
  ['X-RateLimit-* alone', /^X-/, 60],
  ['RateLimit alone', /^RateLimit/, 43_200],
])(
  'a window without requests left holds the next call back, one with a request does not: %s',
  async (_, names, rest) => {
    const twice = async (left: number) => {
      const headers = Object.entries(daily(left)).filter(([name]) => names.test(name));
      const { api } = clientOf(() => Response.json([], { headers: Object.fromEntries(headers) }));
      await api.listBooks();
      return api.listBooks({}, { maxRetryAfter: 0 });
    };
    expect(await failureOf(twice(0))).toMatchObject({ attempts: 0, retryAfter: rest, status: 429 });
    expect(await twice(1)).toEqual([]);
  },
);

test('150 calls at once send what the window holds, and the patient ones send the rest in the next windows', async () => {
  for (const count of [150, 1_000]) {
    const service = limited();
    const { api, time } = clientOf(service.respond, { totalTimeout: Infinity, maxRetryAfter: Infinity });
    time.random = () => Math.cbrt(Date.now()) % 1;
    const results = await Promise.all(Array.from({ length: count }, () => api.listBooks().withResponse()));
    expect(results).toHaveLength(count);
    // Some requests may be refused at the beginning of a window, before its first response.
    expect(service.sent.length - count).toBeLessThanOrEqual(Math.ceil(count / 60));
    expect([service.isBanned(), time.pending]).toEqual([false, 0]);
  }
});

test('a key over its limit is held back, however many other keys a client has had since', async () => {
  const { api, requests } = clientOf((request) =>
    request.headers.get('Authorization') === 'Bearer books_limited' ? refusal({ 'Retry-After': '60' }) : ok(),
  );
  const limited = api.withOptions({ apiKey: 'books_limited', maxRetryAfter: 0 });
  expect(await failureOf(limited.listBooks())).toMatchObject({ status: 429, attempts: 1 });
  for (let key = 0; key < 120; key++) await api.withOptions({ apiKey: `books_key_${key}` }).listBooks();
  const sent = requests.length;
  expect(await failureOf(limited.listBooks())).toMatchObject({ status: 429, attempts: 0 });
  expect(requests.length).toBe(sent);
});
