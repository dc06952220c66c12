import type { BookstoreError, RetryEvent } from '@repo/bookstore';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { CallError } from '../src/error.ts';
import { retryDelay } from '../src/retry.ts';
import { clientOf, failureOf } from './helpers.ts';
import { book, errorResponse, lost, never, newBook, ok } from './responses.ts';

test('failed attempts are retried, and onRetry is called for each', async () => {
  const retries: RetryEvent[] = [];
  const { api, requests, time } = clientOf(
    (_, attempt) => (attempt === 1 ? errorResponse(500) : attempt === 2 ? lost() : ok()),
    { onRetry: (retry) => retries.push(retry) },
  );
  time.random = () => 0.5;
  const { data, attempts } = await api.listBooks().withResponse();
  expect([data, attempts, requests.length]).toEqual([[book], 3, 3]);
  expect(retries).toMatchObject([
    { operation: 'listBooks', attempt: 1, delay: 250, error: { code: 'internal_error' } },
    { operation: 'listBooks', attempt: 2, delay: 7_000, error: { code: 'network_error' } },
  ]);
  expect(time.pending).toBe(0);
});

test('the call rejects with the last failure, which has nothing of an earlier one', async () => {
  const { api, requests } = clientOf((_, attempt) => errorResponse(501 + attempt, { 'X-Request-Id': `${attempt}` }));
  const error = await failureOf(api.listBooks());
  expect(error).toMatchObject({ status: 504, attempts: 3 });
  expect(error.message).toMatch(/^listBooks failed: 504 internal_error: .* \(request 3, 3 attempts\)$/);
  expect(requests).toHaveLength(3);
  const offline = clientOf((_, attempt) => (attempt === 1 ? errorResponse(503) : lost()), { maxRetries: 1 });
  const expected = { status: 0, code: 'network_error', response: undefined, text: '', body: undefined };
  expect(await failureOf(offline.api.listBooks())).toMatchObject(expected);
});

test.each([0, 5])('maxRetries %i is that of the client or of the call', async (maxRetries) => {
  for (const ofCall of [{}, { maxRetries }]) {
    const { api, requests } = clientOf(() => errorResponse(503), 'maxRetries' in ofCall ? {} : { maxRetries });
    await failureOf(api.listBooks({}, ofCall));
    expect(requests).toHaveLength(maxRetries + 1);
  }
});

test('Retry-After is waited for, by the clock of the service', async () => {
  const errors: BookstoreError[] = [];
  const headers = { 'Retry-After': 'Fri, 20 Nov 2026 15:00:30 GMT', Date: 'Fri, 20 Nov 2026 15:00:00 GMT' };
  const { api } = clientOf((_, attempt) => (attempt === 1 ? errorResponse(429, headers) : ok()), {
    onRetry: ({ error }) => errors.push(error),
  });
  const start = Date.now();
  expect(await api.listBooks()).toEqual([book]);
  expect([errors[0]?.retryAfter, Date.now() - start]).toEqual([30, 30_000]);
});

test('the call rejects at once when the wait would reach totalTimeout', async () => {
  const { api, requests, time } = clientOf(() => errorResponse(429, { 'Retry-After': '30' }));
  const start = Date.now();
  const error = await failureOf(api.listBooks({}, { totalTimeout: 30_000 }));
  expect(error).toMatchObject({ status: 429, retryAfter: 30, attempts: 1 });
  expect([requests.length, Date.now() - start, time.pending]).toEqual([1, 0, 0]);
});

test.each([
  ['503', () => errorResponse(503), 100],
  ['a timeout', never, 50],
])('the retries of all calls have a budget, which successes fill again: %s', async (_, fail, retries) => {
  let down = true;
  const { api, requests } = clientOf(() => (down ? fail() : ok()), { timeout: 1_000 });
  const patient = api.withOptions({ maxRetries: 5 });
  const attempts = async () => (await failureOf(patient.listBooks())).attempts;
  for (let call = 0; call < 100; call++) await attempts();
  expect(requests).toHaveLength(100 + retries);
  expect(await attempts()).toBe(1);

  down = false;
  for (let call = 0; call < 10; call++) await api.listBooks();
  down = true;
  expect(await attempts()).toBe(1 + retries / 50);
});

test.each([50, 80])('%i calls survive a restart of five seconds', async (calls) => {
  const { api, requests, time } = clientOf(() => (Date.now() - start < 5_000 ? lost() : ok()));
  let start = 0;
  await api.listBooks();
  start = Date.now();
  // The draws are spread over the interval, and never the same.
  let draws = 0;
  time.random = () => Math.abs(Math.sin(draws++ * 12.9898));
  await Promise.all(Array.from({ length: calls }, () => api.listBooks()));
  expect(requests.length).toBeLessThanOrEqual(1 + calls * 2 + 11);
});

test('without crypto, as in React Native, creations have keys, each its own, and are repeated', async () => {
  vi.stubGlobal('crypto', undefined);
  const { api, requests, time } = clientOf((_, attempt) => (attempt === 1 ? lost() : Response.json(book)));
  let draws = 0;
  time.random = () => Math.abs(Math.sin(++draws));
  await api.createBook(newBook);
  await api.createBook(newBook);
  const [first, repeated, other] = requests.map((request) => request.headers.get('Idempotency-Key'));
  expect(first).toMatch(/^\d{13}-0\.\d+-0\.\d+$/);
  expect([repeated === first, other === first]).toEqual([true, false]);
});

test.each([
  ['ERR_TLS_CERT_ALTNAME_INVALID', "Hostname/IP does not match certificate's altnames"],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'write EPROTO 80A8: wrong version number'],
  ['HPE_INVALID_CONSTANT', 'Parse Error: Expected HTTP/, RTSP/ or ICE/'],
  ['UND_ERR_HEADERS_OVERFLOW', 'Headers Overflow Error'],
  [undefined, 'bad port'],
])('what waiting does not mend is told at once: %s, %s', async (code, message) => {
  const cause = { code, message };
  const { api, requests } = clientOf(() => Promise.reject(new TypeError('fetch failed', { cause })));
  const start = Date.now();
  expect(await failureOf(api.listBooks())).toMatchObject({ code: 'network_error', attempts: 1 });
  expect([requests.length, Date.now() - start]).toEqual([1, 0]);
});

test('before any response, a lost connection is told within two seconds; later, a restart is waited for', async () => {
  let isUp = false;
  const { api, time } = clientOf(() => (isUp ? ok() : lost()));
  time.random = () => 0.999;
  const waited = async () => {
    const start = Date.now();
    expect(await failureOf(api.listBooks())).toMatchObject({ code: 'network_error', attempts: 3 });
    return Date.now() - start;
  };
  expect(await waited()).toBeLessThan(2_000);
  isUp = true;
  await api.withOptions({ maxRetries: 1 }).listBooks();
  isUp = false;
  expect(await waited()).toBeGreaterThan(6_000);
});

const body = { code: 'service_unavailable', message: 'Later', status: 503 };
const REQUESTS = {
  GET: { method: 'GET', headers: {} },
  PUT: { method: 'PUT', headers: {} },
  'POST with a key': { method: 'POST', headers: { 'idempotency-key': 'a' } },
  POST: { method: 'POST', headers: {} },
};
const ALL = Object.keys(REQUESTS) as (keyof typeof REQUESTS)[];
const SAFE = ALL.slice(0, 3);

const LIMITS = { maxRetries: Infinity, maxRetryAfter: 60_000, retryBudget: { left: 500, isReached: true } };
const delayOf = (failure: Partial<CallError>, request = ALL[0] as keyof typeof REQUESTS, budget = LIMITS.retryBudget) =>
  retryDelay({ attempts: 1, ...failure } as CallError, REQUESTS[request], { ...LIMITS, retryBudget: budget });

const randoms = fc.double({ min: 0, max: 0.999, noNaN: true });
const draw = (random: number) => void vi.spyOn(Math, 'random').mockReturnValue(random);

test.each<[string, Partial<CallError>, string[]]>([
  ['429', { status: 429, code: 'rate_limit_exceeded' }, ALL],
  ['429 of a proxy', { status: 429, code: 'unexpected_response' }, ALL],
  ['429 of a ban', { status: 429, code: 'api_key_banned' }, []],
  ['503', { status: 503, code: 'service_unavailable', body }, ALL],
  ['503 of unknown outcome', { status: 503, code: 'outcome_unknown', body }, SAFE],
  ['503 of a proxy', { status: 503, code: 'unexpected_response' }, SAFE],
  ['408', { status: 408, code: 'request_timeout', body }, ALL],
  ['408 of a proxy', { status: 408, code: 'unexpected_response' }, SAFE],
  ['500', { status: 500, code: 'internal_error' }, SAFE],
  ['501', { status: 501, code: 'not_implemented', body }, []],
  ['a network failure', { status: 0, code: 'network_error' }, SAFE],
  ['a reset in the body', { status: 201, code: 'network_error' }, SAFE],
  ['a timeout', { status: 0, code: 'timeout' }, SAFE],
  ['409 while the first is in progress', { status: 409, code: 'idempotency_key_in_use' }, ALL],
  ['409 of a change that conflicts', { status: 409, code: 'conflict' }, []],
  ['422 of a key with another body', { status: 422, code: 'idempotency_key_reused' }, []],
  ['401', { status: 401, code: 'api_key_invalid' }, []],
  ['404', { status: 404, code: 'not_found' }, []],
  ['an opaque redirect', { status: 0, code: 'unexpected_response' }, []],
  ['HTML 200', { status: 200, code: 'unexpected_response' }, []],
])('%s, %j, is repeated for %j', (_, failure, repeated) => {
  expect(ALL.filter((request) => delayOf(failure, request) < Infinity)).toEqual(repeated);
});

test('full jitter: from 0 to 0.5 s, doubled each time, at most 8 s', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2000 }), randoms, (attempts, random) => {
      draw(random);
      const delay = delayOf({ status: 500, code: 'internal_error', body, attempts });
      expect(delay).toBeCloseTo(random * Math.min(8_000, 500 * 2 ** (attempts - 1)), 6);
    }),
  );
});

test('a service that is away gets one retry at once, and others after a restart', () => {
  draw(0.5);
  for (const away of [{ status: 0, code: 'network_error' }, { status: 502 }, { status: 503, body }, { status: 504 }]) {
    const delays = [500, 450, 449].map((left) => delayOf(away, 'GET', { left, isReached: true }));
    expect([...delays, delayOf({ ...away, attempts: 2 }), delayOf({ ...away, attempts: 9 })]).toEqual([
      250, 250, 7_000, 7_000, 7_000,
    ]);
  }
  expect(delayOf({ status: 503, body, attempts: 2, retryAfter: 20 })).toBe(21_000);
});
