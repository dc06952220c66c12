import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { CallError } from '../src/error.ts';
import { retryDelay } from '../src/retry.ts';

const body = { code: 'service_unavailable', message: 'Later', status: 503 };
type Kind = 'safe' | 'put' | 'keyed' | 'neither';

const LIMITS = { maxRetries: Infinity, maxRetryAfter: 60_000, quota: { tokens: 500, isReached: true } };
function delayOf(failure: Partial<CallError>, kind: Kind = 'safe', limits: Partial<typeof LIMITS> = {}) {
  const headers: Record<string, string> = kind === 'keyed' ? { 'idempotency-key': 'a' } : {};
  const request = { method: { safe: 'GET', put: 'PUT', keyed: 'POST', neither: 'POST' }[kind], headers };
  return retryDelay({ attempts: 1, ...failure } as CallError, request, { ...LIMITS, ...limits });
}

const randoms = fc.double({ min: 0, max: 0.999, noNaN: true });
const draw = (random: number) => void vi.spyOn(Math, 'random').mockReturnValue(random);

const failures = fc.record({
  body: fc.constantFrom(undefined, body),
  status: fc.constantFrom(0, 200, 302, 400, 401, 404, 408, 409, 422, 429, 500, 501, 502, 503, 504),
  code: fc.constantFrom('network_error', 'timeout', 'unexpected_response', 'internal_error', 'api_key_banned'),
  retryAfter: fc.option(fc.nat(120), { nil: undefined }),
  attempts: fc.integer({ min: 1, max: 20 }),
});

test('retries only requests that were not processed or are safe to repeat', () => {
  fc.assert(
    fc.property(failures, fc.constantFrom<Kind>('safe', 'keyed', 'neither'), (failure, kind) => {
      if (delayOf(failure, kind) === Infinity) return;
      const untouched = failure.status === 429 || (failure.body && [408, 503].includes(failure.status));
      expect(untouched || kind !== 'neither').toBe(true);
      expect(failure.code).not.toBe('api_key_banned');
    }),
    { numRuns: 2000 },
  );
});

test.each<[string, Partial<CallError>, Kind, boolean]>([
  ['429', { status: 429, code: 'rate_limit_exceeded' }, 'neither', true],
  ['429 of a proxy', { status: 429, code: 'unexpected_response' }, 'neither', true],
  ['503', { status: 503, code: 'service_unavailable', body }, 'neither', true],
  ['503 of unknown outcome', { status: 503, code: 'outcome_unknown', body }, 'neither', false],
  ['503 of unknown outcome', { status: 503, code: 'outcome_unknown', body }, 'keyed', true],
  ['503 of a proxy', { status: 503, code: 'unexpected_response' }, 'safe', true],
  ['503 of a proxy', { status: 503, code: 'unexpected_response' }, 'neither', false],
  ['408', { status: 408, code: 'request_timeout', body }, 'neither', true],
  ['408 of a proxy', { status: 408, code: 'unexpected_response' }, 'safe', true],
  ['500', { status: 500, code: 'internal_error' }, 'safe', true],
  ['500', { status: 500, code: 'internal_error' }, 'keyed', true],
  ['501', { status: 501, code: 'not_implemented', body }, 'safe', false],
  ['501', { status: 501, code: 'not_implemented', body }, 'keyed', false],
  ['a network failure', { status: 0, code: 'network_error' }, 'safe', true],
  ['a network failure', { status: 0, code: 'network_error' }, 'keyed', true],
  ['a network failure', { status: 0, code: 'network_error' }, 'put', true],
  ['a reset in the body', { status: 201, code: 'network_error' }, 'keyed', true],
  ['a timeout', { status: 0, code: 'timeout' }, 'safe', true],
  ['a timeout', { status: 0, code: 'timeout' }, 'put', true],
  ['409 while the first is in progress', { status: 409, code: 'idempotency_key_in_use' }, 'keyed', true],
  ['409 of a change that conflicts', { status: 409, code: 'conflict' }, 'keyed', false],
  ['422 of a key with another body', { status: 422, code: 'idempotency_key_reused' }, 'keyed', false],
  ['404', { status: 404, code: 'not_found' }, 'safe', false],
  ['an opaque redirect', { status: 0, code: 'unexpected_response' }, 'safe', false],
  ['HTML 200', { status: 200, code: 'unexpected_response' }, 'safe', false],
])('%s: %j of a request that is %s: %s', (_, failure, kind, repeated) => {
  expect(delayOf(failure, kind) < Infinity).toBe(repeated);
});

test('waits for the whole Retry-After up to the cap, and does not retry beyond it', () => {
  fc.assert(
    fc.property(fc.nat(200), fc.nat(200_000), randoms, (retryAfter, maxRetryAfter, random) => {
      draw(random);
      const delay = delayOf({ status: 429, code: 'rate_limit_exceeded', retryAfter }, 'safe', { maxRetryAfter });
      if (retryAfter * 1000 > maxRetryAfter) expect(delay).toBe(Infinity);
      else expect(delay).toBeGreaterThanOrEqual(retryAfter * 1000);
    }),
  );
});

test('full jitter: from 0 to 0.5 s, doubled each time, at most 8 s', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2000 }), randoms, (attempts, random) => {
      draw(random);
      const delay = delayOf({ status: 500, code: 'internal_error', body, attempts }, 'safe', { maxRetryAfter: 0 });
      expect(delay).toBeCloseTo(random * Math.min(8_000, 500 * 2 ** (attempts - 1)), 6);
    }),
  );
});

test('a service that is away gets one retry at once, and others after a restart', () => {
  draw(0.5);
  for (const away of [{ status: 0, code: 'network_error' }, { status: 502 }, { status: 503, body }, { status: 504 }]) {
    const delays = [500, 450, 449].map((tokens) => delayOf(away, 'safe', { quota: { tokens, isReached: true } }));
    expect([...delays, delayOf({ ...away, attempts: 2 }), delayOf({ ...away, attempts: 9 })]).toEqual([
      250, 250, 7_000, 7_000, 7_000,
    ]);
  }
  expect(delayOf({ status: 503, body, attempts: 2, retryAfter: 20 })).toBe(21_000);
});
