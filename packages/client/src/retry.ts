import type { Outgoing } from './arguments.ts';
import { attempt, type Context, tell } from './attempt.ts';
import type { PageResult } from './call.ts';
import { sleep } from './deadline.ts';
import { PetstoreError } from './error.ts';

/** The first wait is up to half a second, each further one up to twice as long, none longer than eight. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 8_000;

/** One call: attempts, and waits between them, until one succeeds or there is no use in another. */
export async function perform(call: Outgoing, context: Context): Promise<PageResult<unknown>> {
  const { totalTimeout, timeout, maxRetries, maxRetryAfter } = call.limits;
  const safe = /^(GET|HEAD|OPTIONS|TRACE)$/.test(call.method);
  const end = performance.now() + totalTimeout;
  for (let attempts = 1; ; attempts++) {
    const left = end - performance.now();
    const deadline =
      left < timeout
        ? { ms: left, message: `no complete response within ${totalTimeout} ms in total` }
        : { ms: timeout, message: `no complete response within ${timeout} ms` };
    const outcome = await attempt(call, context, attempts, deadline);
    if (!(outcome instanceof PetstoreError)) return outcome;
    const delay =
      attempts > maxRetries
        ? undefined
        : retryDelay(outcome, { safe, idempotencyKey: call.idempotencyKey !== undefined }, maxRetryAfter);
    if (delay === undefined || performance.now() + delay >= end) throw outcome;
    tell(context.settings.onRetry, { operation: call.name, attempt: attempts, delay, error: outcome });
    await sleep(delay, call.signal);
  }
}

/**
 * Milliseconds to wait after a failed attempt before the next one; undefined when repeating it is not safe or no use.
 *
 * - 429, and 408 and 503 with the contract's body: the service did not act on the request, so that any may be repeated.
 *   Not for a banned key, whose ban would only grow.
 * - Network failures, timeouts, 408 and 5xx of a proxy, other 5xx and the 503 that says `outcome_unknown`: the service
 *   may have acted, so that only a request without a second effect is repeated. With an idempotency key this includes
 *   409, which the first attempt gets while it is still carried out.
 */
export function retryDelay(
  { status, code, body, retryAfter = 0, attempts }: PetstoreError,
  request: { safe: boolean; idempotencyKey: boolean },
  maxRetryAfter: number,
): number | undefined {
  const refused = status === 429 || (body && (status === 408 || status === 503) && code !== 'outcome_unknown');
  const unclear = status === 408 || status >= 500 || code === 'network_error' || code === 'timeout';
  const repeatable =
    refused || (unclear && (request.safe || request.idempotencyKey)) || (status === 409 && request.idempotencyKey);
  const wait = retryAfter * 1000;
  if (!repeatable || code === 'api_key_banned' || wait > maxRetryAfter) return undefined;
  // Full jitter, on top of what the service asks for: clients that it refused together do not come back together.
  return wait + Math.random() * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempts - 1));
}
