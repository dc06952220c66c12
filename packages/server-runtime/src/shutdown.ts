import { setTimeout as delay } from 'node:timers/promises';
import { trace } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import type { RunningService } from './app.ts';
import type { DatabaseHandle } from './database/open.ts';
import { logOutput } from './ops/log.ts';

interface Parts extends Pick<RunningService, 'app' | 'health' | 'close'> {
  drainSeconds: number;
  stopJobs(): Promise<void>;
  jobsDb: DatabaseHandle;
  metricsApp: FastifyInstance | undefined;
}

/** Ends a service, once it has left the load balancer, in phases of at most 35 seconds, as the README and deploy/ say. */
export async function shutDown(parts: Parts): Promise<void> {
  const { app, health, close, drainSeconds, stopJobs, jobsDb, metricsApp } = parts;
  health.leave();
  await delay(drainSeconds * 1_000);
  const phases: Phases = {
    'finishing requests and jobs': [
      14_000,
      () => Promise.all([app.requests.drain({ total: 10_000, quiet: 1_000 }), stopJobs()]),
    ],
    'closing the server': [5_000, () => app.close()],
    // Node.js does not time out slow clients of a closed server.
    'closing the remaining connections': [1_000, async () => app.server.closeAllConnections()],
    'closing the database': [10_000, () => Promise.all([close(), jobsDb.close()])],
    // The metrics close after the other phases, so that they show them.
    'closing the metrics': [1_000, async () => metricsApp?.close()],
    'exporting spans': [2_000, flushSpans],
    'writing the log': [
      2_000,
      () => {
        app.log.info('ended');
        return logOutput.flush();
      },
    ],
  };
  await runPhases(phases, (message) => app.log.warn(message));
}

/** Exports the spans of `tracing.ts`, if it is preloaded. */
async function flushSpans(): Promise<void> {
  const provider = trace.getTracerProvider() as { getDelegate?(): { forceFlush?(): Promise<void> } };
  await provider.getDelegate?.().forceFlush?.();
}

/** Phases by name, each with its time limit in milliseconds. */
type Phases = Record<string, [limit: number, run: () => Promise<unknown>]>;

/** Runs the phases in order. A phase that fails or exceeds its limit is logged; the next one runs anyway. */
async function runPhases(phases: Phases, warn: (message: string) => void): Promise<void> {
  for (const [name, [limit, run]] of Object.entries(phases)) {
    const overdue = Promise.withResolvers<never>();
    const timer = setTimeout(overdue.reject, limit, new Error(`not done after ${limit} ms`));
    try {
      await Promise.race([run(), overdue.promise]);
    } catch (error) {
      warn(`shutdown: ${name}: ${(error as Error).message}`);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Signals this close together, in milliseconds, count as one: a process group gets a signal, and the parent passes it on. */
const SAME_SIGNAL = 2_000;

/** Resolves to the first signal to end. One more than two seconds later ends the process at once. */
export function untilSignal(): Promise<string> {
  let first: number | undefined;
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const) {
      process.on(signal, () => {
        first ??= performance.now();
        if (performance.now() - first > SAME_SIGNAL) process.exit(1);
        resolve(signal);
      });
    }
  });
}
