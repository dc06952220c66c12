import type { CallResult } from '../call.ts';
import { parseDeprecation } from '../deprecation.ts';
import type { PetstoreError } from '../petstore-error.ts';
import { sleep, withDeadline } from './deadline.ts';
import { decodeResult } from './decode.ts';
import { failure, metadata } from './failure.ts';
import type { Operation } from './operation.ts';
import { readArguments } from './read-arguments.ts';
import { type Received, receive } from './receive.ts';
import { retryDelay } from './retry.ts';
import { readLimits, type Settings } from './settings.ts';
import type { System } from './system.ts';

/** What the calls of a client share. */
export interface Context {
  readonly settings: Settings;
  readonly system: System;
  /** Operations whose deprecation was announced. */
  readonly announced: Set<string>;
}

/** One call of a method: attempts, and waits between them, until one succeeds or there is no use in another. */
export async function perform(
  { settings, system, announced }: Context,
  name: string,
  operation: Operation,
  args: readonly unknown[],
): Promise<CallResult<unknown>> {
  const { apiKey, onRetry, onDeprecation } = settings;
  const { method } = operation;
  const { url, body, options } = readArguments(name, operation, args, settings.baseUrl);
  const { timeout, totalTimeout, maxRetries, maxRetryAfter } = readLimits(options, settings.limits);
  const idempotencyKey = operation.idempotencyKey ? (options.idempotencyKey ?? system.uuid()) : undefined;
  const repeatable = { safe: /^(GET|HEAD|OPTIONS|TRACE)$/.test(method), idempotencyKey: idempotencyKey !== undefined };
  const headers = {
    Accept: 'application/json',
    Authorization: `Bearer ${apiKey}`,
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
  };

  const end = system.now() + totalTimeout;
  let attempts = 0;
  let received: Received = { text: '' };
  const failed = (outcome: { cause?: unknown }) =>
    failure({ operation: name, attempts, apiKey, now: system.now(), ...received, ...outcome });

  const attempt = async (signal: AbortSignal): Promise<CallResult<unknown> | PetstoreError> => {
    attempts++;
    received = { text: '' };
    const arriving = received;
    try {
      await withDeadline(system, { signal, ms: timeout, expired: () => late(timeout) }, (signal) =>
        // The API does not redirect; following one could turn a POST into a GET.
        receive(
          arriving,
          new Request(url, { method, headers, body, redirect: 'manual', signal } as RequestInit),
          (request) => settings.fetch(request, { operation: name, args }),
        ),
      );
    } catch (cause) {
      signal.throwIfAborted();
      return failed({ cause });
    }
    const { response, text } = arriving as Required<Received>;
    const notice = onDeprecation && !announced.has(name) && parseDeprecation(name, response.headers, url);
    if (notice) {
      announced.add(name);
      tell(onDeprecation, notice);
    }
    const result = response.ok && decodeResult(text, operation.result);
    if (!result) return failed({});
    const { requestId, rateLimit } = metadata(response.headers, system.now());
    return { ...result, response, requestId, rateLimit, attempts };
  };

  return withDeadline(
    system,
    { signal: options.signal, ms: totalTimeout, expired: () => failed({ cause: late(totalTimeout, ' in total') }) },
    async (signal) => {
      for (;;) {
        const outcome = await attempt(signal);
        if (!(outcome instanceof Error)) return outcome;
        const delay =
          attempts > maxRetries
            ? undefined
            : retryDelay(outcome, repeatable, { maxRetryAfter, random: system.random() });
        if (delay === undefined || system.now() + delay >= end) throw outcome;
        tell(onRetry, { operation: name, attempt: attempts, delay, error: outcome });
        await sleep(system, delay, signal);
      }
    },
  );
}

/** The same kind of error as that of `AbortSignal.timeout()`. */
const late = (ms: number, scope = '') =>
  new DOMException(`no complete response within ${ms} ms${scope}`, 'TimeoutError');

/** Who observes cannot break what is observed. */
function tell<T>(observer: ((event: T) => void) | undefined, event: T): void {
  try {
    observer?.(event);
  } catch {}
}
