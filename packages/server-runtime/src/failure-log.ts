import { inspect } from 'node:util';
import type { FastifyBaseLogger } from 'fastify';

/** Milliseconds between two lines about the same failure. */
const SUMMARY_INTERVAL = 1_000;

/** The most different failures that are remembered in an interval. Further ones are logged each time. */
const MAX_FAILURES = 100;

/** Where the service defines the handlers of its operations. */
export const definedAt = new WeakMap<object, string | undefined>();

const repetitions = new WeakMap<FastifyBaseLogger, Map<string, { times: number; reqId: string }>>();

/** Reads a value that was thrown, any property of which may throw, too. */
export function readable<Result>(read: () => Result, otherwise: Result): Result {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

const titleOf = (err: unknown) => (err instanceof Error ? `${err.name}: ${err.message}` : inspect(err));

/**
 * Logs that a request failed. The same failure of an operation is logged once a second, with the number of the requests that met it since
 * and the id of the last one.
 */
export function logFailure(
  log: FastifyBaseLogger,
  { id: reqId, operation }: { id: string; operation?: { id: string } | undefined },
  err: unknown,
): void {
  const repeated = repetitions.get(log) ?? new Map<string, { times: number; reqId: string }>();
  repetitions.set(log, repeated);
  const operationId = operation?.id;
  const failure = `${operationId} ${readable(() => titleOf(err), 'a value that cannot be read')}`;
  const last = repeated.get(failure);
  if (last) return void Object.assign(last, { times: last.times + 1, reqId });
  const handler = operation && definedAt.get(operation);
  log.error({ reqId, operationId, handler, err }, 'request failed');
  if (repeated.size === MAX_FAILURES) return;
  const since = { times: 0, reqId };
  repeated.set(failure, since);
  const timer = setInterval(() => {
    const { times, reqId } = since;
    since.times = 0;
    if (times > 0) return log.error({ reqId, operationId, handler, err, repeated: times }, 'requests failed');
    clearInterval(timer);
    repeated.delete(failure);
  }, SUMMARY_INTERVAL).unref();
}
