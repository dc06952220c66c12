import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { batcher } from '../batcher.ts';
import type { DatabaseHandle } from '../database/open.ts';
import { type Checked, databaseProblem, needsOf, type Problem } from './database-problem.ts';

/** Milliseconds for which metrics wait for a check. */
const CHECK_LIMIT = 1_000;

export interface Health {
  /** The check of `/readyz`. */
  check(): Promise<Problem | undefined>;
  /** Waits for the check for at most a second. */
  isReady(): Promise<boolean>;
  /** Whether changes waited for a synchronous standby at the last check. */
  waitsForStandby(): boolean;
  /** From now on, `/readyz` responds 503 although requests are answered. */
  leave(): void;
}

/** Reads are served without the standby that changes wait for: all servers would leave the load balancer. */
export const isServing = (problem: Problem | undefined): boolean =>
  problem === undefined || problem.cause === 'standby';

/**
 * Adds `/livez`, which says that the process runs, and `/readyz`, which says whether it can serve, or the cause and the reason why not.
 *
 * @param ready - resolves to the reason why the service cannot serve
 */
export function registerHealth(
  app: FastifyInstance,
  db: DatabaseHandle,
  service: Checked,
  ready: () => Promise<string | undefined>,
): Health {
  const needs = needsOf(service);
  const serviceProblem = async (): Promise<Problem | undefined> => {
    const reason = await ready().catch(() => 'the check of the service failed');
    return reason === undefined ? undefined : { cause: 'service', reason };
  };
  // Concurrent checks share one.
  const problems = batcher<undefined, Problem | undefined>(async () => [
    (await databaseProblem(db, needs)) ?? (await serviceProblem()),
  ]);
  let waits = false;
  const check = async () => {
    const problem = await problems.submit(undefined);
    const isStandby = problem?.cause === 'standby';
    if (isStandby && !waits) app.log.error(problem, 'changes fail');
    waits = isStandby;
    return problem;
  };
  let leaving = false;
  const isLeaving = () => leaving || app.requests.ending.aborted;
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const closing: Problem = { cause: 'shutting_down', reason: 'shutting down' };
    const problem = isLeaving() ? closing : await check();
    return isServing(problem)
      ? { status: 'ok', ...problem }
      : reply.code(503).send({ status: 'unavailable', ...problem });
  });
  const leave = () => {
    leaving = true;
  };
  // All metrics wait for this one: a scrape must not time out because the database does not answer.
  const isReady = async () =>
    !isLeaving() && Promise.race([check().then(isServing), delay(CHECK_LIMIT, false, { ref: false })]);
  return { check, isReady, waitsForStandby: () => waits, leave };
}
