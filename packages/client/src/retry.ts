import type { Outgoing } from './arguments.ts';
import { attempt, withDeadline } from './attempt.ts';
import type { PageResult } from './call.ts';
import { PetstoreError } from './error.ts';

/** Milliseconds: the first wait is up to half a second, each further one up to twice as long, at most eight seconds. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 8_000;

/** Attempts a call until it succeeds, or until a retry is unsafe or useless. */
export async function perform(call: Outgoing): Promise<PageResult<unknown>> {
  const { name: operation, signal, timeout, totalTimeout, onRetry } = call;
  const end = performance.now() + totalTimeout;
  const keys = new Set<string>();
  for (let attempts = 1; ; attempts++) {
    const ms = Math.min(timeout, end - performance.now());
    const limit = ms < timeout ? `${totalTimeout} ms in total` : `${timeout} ms`;
    const outcome = await attempt(call, attempts, keys, { ms, message: `no complete response within ${limit}` });
    if (!(outcome instanceof PetstoreError)) return outcome;
    const delay = retryDelay(outcome, call);
    if (performance.now() + delay >= end) throw outcome;
    new Promise((done) => done(onRetry?.({ operation, attempt: attempts, delay, error: outcome }))).catch(() => {});
    const wait = withDeadline({ signal, ms: delay, message: '' }, () => new Promise(() => {}));
    await wait.catch(() => signal?.throwIfAborted());
  }
}

/** Milliseconds to wait before the next attempt; `Infinity` if a retry is unsafe or useless. */
export function retryDelay(
  { status, code, body, retryAfter = 0, attempts }: PetstoreError,
  call: Pick<Outgoing, 'method' | 'idempotencyKey' | 'maxRetries' | 'maxRetryAfter'>,
): number {
  const keyed = call.idempotencyKey !== undefined;
  const safe = keyed || /^(GET|HEAD|OPTIONS)$/.test(call.method);
  // The service did not act: any request may be repeated.
  const refused = status === 429 || (body && (status === 408 || status === 503) && code !== 'outcome_unknown');
  // It may have acted: only an idempotent request may be repeated.
  const unclear = status === 408 || status >= 500 || code === 'network_error' || code === 'timeout';
  // 409: the previous attempt with this idempotency key is still running.
  const repeatable = refused || (unclear && safe) || (status === 409 && keyed);
  const wait = retryAfter * 1000;
  if (!repeatable || code === 'api_key_banned' || wait > call.maxRetryAfter || attempts > call.maxRetries)
    return Infinity;
  // Full jitter on top of Retry-After, so that clients refused together do not return together.
  return wait + Math.random() * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempts - 1));
}
