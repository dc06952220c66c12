import { inspect } from 'node:util';
import type { FastifyBaseLogger } from 'fastify';

/** Milliseconds between two lines about the same failure. */
const INTERVAL = 1_000;

/** The most different failures that are remembered in an interval. Further ones are logged each time. */
const MOST = 100;

const repetitions = new WeakMap<FastifyBaseLogger, Map<string, number>>();

/** Identifies a failure. Any property of a value that was thrown may throw, too. */
function titleOf(err: unknown): string {
  try {
    return err instanceof Error ? `${err.name}: ${err.message}` : inspect(err);
  } catch {
    return 'a value that cannot be read';
  }
}

/** Logs that a request failed. The same failure is logged once a second, with the number of the requests that met it since. */
export function logFailure(log: FastifyBaseLogger, reqId: string, err: unknown): void {
  const counts = repetitions.get(log) ?? new Map<string, number>();
  repetitions.set(log, counts);
  const failure = titleOf(err);
  const count = counts.get(failure);
  if (count !== undefined) return void counts.set(failure, count + 1);
  log.error({ reqId, err }, 'request failed');
  if (counts.size === MOST) return;
  counts.set(failure, 0);
  const timer = setInterval(() => {
    const repeated = counts.get(failure);
    if (repeated) log.error({ err, repeated }, 'requests failed');
    else clearInterval(timer);
    if (repeated) counts.set(failure, 0);
    else counts.delete(failure);
  }, INTERVAL).unref();
}
