import fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryDelay } from '../../src/internal/retry.ts';
import { PetstoreError, type PetstoreErrorFields } from '../../src/petstore-error.ts';

type Failure = Pick<PetstoreErrorFields, 'status' | 'code'> & Partial<PetstoreErrorFields>;
const failureOf = (fields: Failure) => new PetstoreError('', { operation: 'listPets', attempts: 1, ...fields });
const limits = { maxRetryAfter: 60_000, random: 0 };

const codes = fc.constantFrom('network_error', 'timeout', 'unexpected_response', 'internal_error', 'api_key_banned');
const failures = fc.record({
  status: fc.constantFrom(0, 200, 302, 400, 401, 404, 409, 422, 429, 500, 502, 503, 504),
  code: codes,
  retryAfter: fc.option(fc.nat(120), { nil: undefined }),
  attempts: fc.integer({ min: 1, max: 20 }),
});
const requests = fc.record({ safe: fc.boolean(), idempotencyKey: fc.boolean() });

test('only what the service did not act on, or can tell from a first one, is repeated', () => {
  fc.assert(
    fc.property(failures, requests, (failure, request) => {
      if (retryDelay(failureOf(failure), request, limits) === undefined) return;
      const untouched = failure.status === 429 || failure.status === 503;
      expect(untouched || request.safe || request.idempotencyKey).toBe(true);
      expect(failure.code).not.toBe('api_key_banned');
    }),
    { numRuns: 2000 },
  );
});

test.each<[string, Failure, 'safe' | 'keyed' | 'neither', boolean]>([
  ['429', { status: 429, code: 'rate_limit_exceeded' }, 'neither', true],
  ['503', { status: 503, code: 'service_unavailable' }, 'neither', true],
  ['503 of a proxy', { status: 503, code: 'unexpected_response' }, 'neither', true],
  ['429 of a ban', { status: 429, code: 'api_key_banned', retryAfter: 1 }, 'safe', false],
  ['500', { status: 500, code: 'internal_error' }, 'safe', true],
  ['500', { status: 500, code: 'internal_error' }, 'keyed', true],
  ['500', { status: 500, code: 'internal_error' }, 'neither', false],
  ['a network failure', { status: 0, code: 'network_error' }, 'safe', true],
  ['a network failure', { status: 0, code: 'network_error' }, 'keyed', true],
  ['a network failure', { status: 0, code: 'network_error' }, 'neither', false],
  ['a reset in the body', { status: 201, code: 'network_error' }, 'keyed', true],
  ['a timeout', { status: 0, code: 'timeout' }, 'safe', true],
  ['a timeout', { status: 0, code: 'timeout' }, 'neither', false],
  ['409 while the first is carried out', { status: 409, code: 'conflict' }, 'keyed', true],
  ['409', { status: 409, code: 'conflict' }, 'safe', false],
  ['404', { status: 404, code: 'not_found' }, 'safe', false],
  ['an opaque redirect', { status: 0, code: 'unexpected_response' }, 'safe', false],
  ['HTML 200', { status: 200, code: 'unexpected_response' }, 'safe', false],
])('%s: %j of a request that is %s: %s', (_, failure, kind, repeated) => {
  const request = { safe: kind === 'safe', idempotencyKey: kind === 'keyed' };
  expect(retryDelay(failureOf(failure), request, limits) !== undefined).toBe(repeated);
});

test('Retry-After is waited for in full, up to the cap, and not at all beyond it', () => {
  fc.assert(
    fc.property(
      fc.nat(200),
      fc.nat(200_000),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (retryAfter, cap, random) => {
        const failure = failureOf({ status: 429, code: 'rate_limit_exceeded', retryAfter });
        const delay = retryDelay(failure, { safe: true, idempotencyKey: false }, { maxRetryAfter: cap, random });
        if (retryAfter * 1000 > cap) expect(delay).toBeUndefined();
        else expect(delay).toBeGreaterThanOrEqual(retryAfter * 1000);
      },
    ),
  );
});

test('full jitter: from nothing up to half a second, doubled each time, never beyond eight seconds', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2000 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (attempts, random) => {
        const failure = failureOf({ status: 503, code: 'service_unavailable', attempts });
        const delay = retryDelay(failure, { safe: true, idempotencyKey: false }, { maxRetryAfter: 0, random }) ?? -1;
        expect(delay).toBeCloseTo(random * Math.min(8_000, 500 * 2 ** (attempts - 1)), 6);
      },
    ),
  );
});
