import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { CallError } from '../src/error.ts';
import { retryDelay } from '../src/retry.ts';

const body = { code: 'service_unavailable', message: 'Later', status: 503 };
const REQUESTS = {
  GET: { method: 'GET', headers: {} },
  PUT: { method: 'PUT', headers: {} },
  'POST with a key': { method: 'POST', headers: { 'idempotency-key': 'a' } },
  POST: { method: 'POST', headers: {} },
};
const ALL = Object.keys(REQUESTS) as (keyof typeof REQUESTS)[];
const SAFE = ALL.slice(0, 3);

const LIMITS = { maxRetries: Infinity, maxRetryAfter: 60_000, quota: { tokens: 500, isReached: true } };
const delayOf = (failure: Partial<CallError>, request = ALL[0] as keyof typeof REQUESTS, quota = LIMITS.quota) =>
  retryDelay({ attempts: 1, ...failure } as CallError, REQUESTS[request], { ...LIMITS, quota });

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
    const delays = [500, 450, 449].map((tokens) => delayOf(away, 'GET', { tokens, isReached: true }));
    expect([...delays, delayOf({ ...away, attempts: 2 }), delayOf({ ...away, attempts: 9 })]).toEqual([
      250, 250, 7_000, 7_000, 7_000,
    ]);
  }
  expect(delayOf({ status: 503, body, attempts: 2, retryAfter: 20 })).toBe(21_000);
});
