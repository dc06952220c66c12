import type { FastifyInstance } from 'fastify';
import { Batcher } from '../batcher.ts';
import type { DatabaseHandle } from '../database/open.ts';
import { databaseProblem } from '../database/readiness.ts';

/** `/livez`: the process runs. `/readyz`: it can serve, or the reason why not. */
export function registerHealth(app: FastifyInstance, db: DatabaseHandle): void {
  // Not rate limited, so concurrent checks share one.
  const problems = new Batcher<undefined, string | undefined>(async () => [await databaseProblem(db)]);
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const reason = app.exchanges.closing ? 'shutting down' : await problems.submit(undefined);
    return reason === undefined ? { status: 'ok' } : reply.code(503).send({ status: 'unavailable', reason });
  });
}
