import type { PetstoreError } from '../petstore-error.ts';

/** The first wait is up to half a second, each further one up to twice as long, none longer than eight. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 8_000;

/**
 * Milliseconds to wait after a failed attempt before the next one; undefined when repeating it is not safe or no use.
 *
 * - 429 and 503: the service did not act on the request, so that any may be repeated. Not for a banned key, whose ban
 *   would only grow.
 * - Network failures, timeouts, other 5xx and the 503 that says `outcome_unknown`: the service may have acted, so that only a request without a second effect
 *   is repeated. With an idempotency key this includes 409, which the first attempt gets while it is still carried out.
 */
export function retryDelay(
  { status, code, retryAfter = 0, attempts }: PetstoreError,
  request: { safe: boolean; idempotencyKey: boolean },
  { maxRetryAfter, random }: { maxRetryAfter: number; random: number },
): number | undefined {
  const refused = (status === 429 || status === 503) && code !== 'outcome_unknown';
  const unclear = status >= 500 || code === 'network_error' || code === 'timeout';
  const repeatable =
    refused || (unclear && (request.safe || request.idempotencyKey)) || (status === 409 && request.idempotencyKey);
  const wait = retryAfter * 1000;
  if (!repeatable || code === 'api_key_banned' || wait > maxRetryAfter) return undefined;
  // Full jitter, on top of what the service asks for: clients that it refused together do not come back together.
  return wait + random * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempts - 1));
}
