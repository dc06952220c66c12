import { type Attempt, attempt, type PendingCall, type PlainInit, plainInit, tell } from './attempt.ts';
import { COST, COST_AFTER_TIMEOUT, FEW, FIRST_WAIT, LONGEST_WAIT, RESTART, RETRY_BUDGET } from './constants.ts';
import { now, sleep } from './deadline.ts';
import { type CallError, NO_RESPONSE, reasonOf } from './error.ts';
import type { Settings } from './settings.ts';

/** Reasons that waiting does not mend: a certificate, another protocol on the port, too many headers, an odd port. */
const LASTING = /certificate|SSL|EPROTO|overflow|parse error|bad port/i;

/**
 * The `fetch` of one call of openapi-fetch: repeats the request until it succeeds, or until a retry is unsafe or useless. As
 * any `fetch`, it resolves to a response of whatever status, and rejects if there is none.
 */
export async function fetchWithRetries(request: Request, call: PendingCall, signal: AbortSignal): Promise<Response> {
  const init = await plainInit(request, call);
  // A middleware may have replaced the request, and with it the signal.
  const signals = [signal, request.signal];
  const { retryBudget } = call;
  for (;;) {
    const start = now();
    let latest: Attempt;
    try {
      latest = await attempt(call, init, signals);
    } finally {
      call.latest.gate?.leave(call.latest, call.maxRetryAfter);
    }
    const { failure, buffered, passage, gate } = latest;
    if (passage === 'queued') {
      await gate?.wait(signals);
      continue;
    }
    const held = passage === 'held';
    if (buffered && !held) retryBudget.isReached = true;
    const retry = failure ? retryDelay(failure, init, call) : Infinity;
    const delay = gate && held && retry < Infinity ? gate.delay() : retry;
    const cost = held ? 0 : failure?.code === 'timeout' ? COST_AFTER_TIMEOUT : COST;
    const isLast = now() + delay >= call.end || retryBudget.left < cost;
    if (!failure) retryBudget.left = Math.min(RETRY_BUDGET, retryBudget.left + 1);
    if (isLast && buffered) return buffered;
    if (isLast) throw failure;
    retryBudget.left -= cost;
    if (held) await gate?.wait(signals, delay);
    else {
      const error = failure as CallError;
      const { operation, method, url, status, attempts: attempt } = error;
      const duration = Math.round(now() - start);
      tell(call.onRetry, { operation, method, url, status, attempt, duration, delay, error });
      await sleep(delay, signals);
    }
  }
}

/** Milliseconds to wait before the next attempt; `Infinity` if a retry is unsafe or useless. */
export function retryDelay(
  { status, code, body, retryAfter = 0, attempts, cause }: CallError,
  { method, headers }: Pick<PlainInit, 'method' | 'headers'>,
  { maxRetries, maxRetryAfter, retryBudget }: Pick<Settings, 'maxRetries' | 'maxRetryAfter' | 'retryBudget'>,
): number {
  const keyed = headers['idempotency-key'] !== undefined;
  // The methods that are idempotent by RFC 9110, section 9.2.2. The service asks for a key with a DELETE, which may have another response.
  const safe = keyed || /^(GET|HEAD|OPTIONS|PUT)$/.test(method);
  // The service did not process the request, so any request may be repeated.
  const refused = status === 429 || (body && (status === 408 || status === 503) && code !== 'outcome_unknown');
  // The service may have processed the request, so only an idempotent one may be repeated.
  const unclear = status === 408 || status >= 500 || NO_RESPONSE.test(code);
  // The previous attempt with this idempotency key may still be running.
  const repeatable = refused || (unclear && safe) || code === 'idempotency_key_in_use';
  const wait = retryAfter * 1000;
  const lasting = status === 501 || code === 'api_key_banned' || LASTING.test(reasonOf(cause));
  if (!repeatable || lasting || wait > maxRetryAfter || attempts > maxRetries) return Infinity;
  const away = NO_RESPONSE.test(code) || /^50[234]$/.test(String(status));
  // Before any response, the address is more likely wrong than the service away, and its developer waits.
  const isKnown = retryBudget.isReached || code !== 'network_error';
  const isRestart = away && isKnown && (attempts > 1 || retryBudget.left < RETRY_BUDGET - FEW);
  const spread = isRestart ? LONGEST_WAIT - RESTART : Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempts - 1));
  // Full jitter is added to Retry-After, so that clients refused together do not return together.
  return Math.max(wait, isRestart ? RESTART : 0) + Math.random() * spread;
}
