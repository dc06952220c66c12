import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import type { ServiceError } from '../src/error.ts';
import { retryDelay as delayOf } from '../src/retry.ts';

type Failure = Partial<ServiceError>;
const failureOf = (fields: Failure) => ({ attempts: 1, ...fields }) as ServiceError;
const body = { code: 'service_unavailable', message: 'Later', status: 503 };

const limits = { maxRetries: Infinity, maxRetryAfter: 60_000, quota: { tokens: 500 } };
const get = { ...limits, method: 'GET', idempotencyKey: undefined };

function retryDelay(
  failure: ServiceError,
  request: typeof limits & { method: string; idempotencyKey?: string | undefined },
) {
  const { method, idempotencyKey } = request;
  const headers: Record<string, string> = idempotencyKey ? { 'idempotency-key': idempotencyKey } : {};
  return delayOf(failure, { method, headers }, request);
}

afterEach(() => void vi.restoreAllMocks());

const codes = fc.constantFrom('network_error', 'timeout', 'unexpected_response', 'internal_error', 'api_key_banned');
const failures = fc.record({
  body: fc.constantFrom(undefined, body),
  status: fc.constantFrom(0, 200, 302, 400, 401, 404, 408, 409, 422, 429, 500, 501, 502, 503, 504),
  code: codes,
  retryAfter: fc.option(fc.nat(120), { nil: undefined }),
  attempts: fc.integer({ min: 1, max: 20 }),
});
const requests = fc.record({ method: fc.constantFrom('GET', 'POST'), idempotencyKey: fc.constantFrom(undefined, 'a') });

test('retries only requests that were not processed or are safe to repeat', () => {
  fc.assert(
    fc.property(failures, requests, (failure, request) => {
      if (retryDelay(failureOf(failure), { ...limits, ...request }) === Infinity) return;
      const untouched = failure.status === 429 || (failure.body && [408, 503].includes(failure.status));
      expect(untouched || request.method === 'GET' || request.idempotencyKey === 'a').toBe(true);
      expect(failure.code).not.toBe('api_key_banned');
    }),
    { numRuns: 2000 },
  );
});

test.each<[string, Failure, 'safe' | 'keyed' | 'neither', boolean]>([
  ['429', { status: 429, code: 'rate_limit_exceeded' }, 'neither', true],
  ['503', { status: 503, code: 'service_unavailable', body }, 'neither', true],
  ['503 of unknown outcome', { status: 503, code: 'outcome_unknown', body }, 'neither', false],
  ['503 of unknown outcome', { status: 503, code: 'outcome_unknown', body }, 'keyed', true],
  ['503 of a proxy', { status: 503, code: 'unexpected_response' }, 'safe', true],
  ['503 of a proxy', { status: 503, code: 'unexpected_response' }, 'keyed', true],
  ['408', { status: 408, code: 'request_timeout', body }, 'neither', true],
  ['408 of a proxy', { status: 408, code: 'unexpected_response' }, 'safe', true],
  ['429 of a proxy', { status: 429, code: 'unexpected_response' }, 'neither', true],
  ['500', { status: 500, code: 'internal_error' }, 'safe', true],
  ['500', { status: 500, code: 'internal_error' }, 'keyed', true],
  ['501', { status: 501, code: 'not_implemented', body }, 'safe', false],
  ['501', { status: 501, code: 'not_implemented', body }, 'keyed', false],
  ['a network failure', { status: 0, code: 'network_error' }, 'safe', true],
  ['a network failure', { status: 0, code: 'network_error' }, 'keyed', true],
  ['a reset in the body', { status: 201, code: 'network_error' }, 'keyed', true],
  ['a timeout', { status: 0, code: 'timeout' }, 'safe', true],
  ['409 while the first is in progress', { status: 409, code: 'idempotency_key_in_use' }, 'keyed', true],
  ['409 of a change that conflicts', { status: 409, code: 'conflict' }, 'keyed', false],
  ['404', { status: 404, code: 'not_found' }, 'safe', false],
  ['an opaque redirect', { status: 0, code: 'unexpected_response' }, 'safe', false],
  ['HTML 200', { status: 200, code: 'unexpected_response' }, 'safe', false],
])('%s: %j of a request that is %s: %s', (_, failure, kind, repeated) => {
  const method = kind === 'safe' ? 'GET' : 'POST';
  const idempotencyKey = kind === 'keyed' ? 'a' : undefined;
  expect(retryDelay(failureOf(failure), { ...limits, method, idempotencyKey }) < Infinity).toBe(repeated);
});

test('waits for the whole Retry-After up to the cap, and does not retry beyond it', () => {
  fc.assert(
    fc.property(
      fc.nat(200),
      fc.nat(200_000),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (retryAfter, cap, random) => {
        const failure = failureOf({ status: 429, code: 'rate_limit_exceeded', retryAfter });
        vi.spyOn(Math, 'random').mockReturnValue(random);
        const delay = retryDelay(failure, { ...get, maxRetryAfter: cap });
        if (retryAfter * 1000 > cap) expect(delay).toBe(Infinity);
        else expect(delay).toBeGreaterThanOrEqual(retryAfter * 1000);
      },
    ),
  );
});

test('full jitter: from 0 to 0.5 s, doubled each time, at most 8 s', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2000 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (attempts, random) => {
        const failure = failureOf({ status: 500, code: 'internal_error', body, attempts });
        vi.spyOn(Math, 'random').mockReturnValue(random);
        const delay = retryDelay(failure, { ...get, maxRetryAfter: 0 });
        expect(delay).toBeCloseTo(random * Math.min(8_000, 500 * 2 ** (attempts - 1)), 6);
      },
    ),
  );
});

test('a service that is away gets one retry at once, and others after a restart', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const delay = (failure: Failure, tokens = 500) => retryDelay(failureOf(failure), { ...get, quota: { tokens } });
  for (const away of [{ status: 0, code: 'network_error' }, { status: 502 }, { status: 503, body }, { status: 504 }]) {
    expect([delay(away), delay(away, 450), delay(away, 449)]).toEqual([250, 250, 7_000]);
    expect([delay({ ...away, attempts: 2 }), delay({ ...away, attempts: 9 })]).toEqual([7_000, 7_000]);
  }
  expect(delay({ status: 503, body, attempts: 2, retryAfter: 20 })).toBe(21_000);
});

test('no more retries than maxRetries', () => {
  const failure = failureOf({ status: 503, code: 'service_unavailable', body, attempts: 3 });
  expect(retryDelay(failure, { ...get, maxRetries: 2 })).toBe(Infinity);
  expect(retryDelay(failure, { ...get, maxRetries: 3 })).toBeLessThan(Infinity);
});
