import type { FastifyInstance } from 'fastify';
import { Batcher } from '../batcher.ts';
import { missingMigration } from '../database/migrate.ts';
import type { DatabaseHandle } from '../database/open.ts';

/** `/livez`: the process runs. `/readyz`: it can serve, with the reason when it cannot. */
export function registerHealth(app: FastifyInstance, db: DatabaseHandle): void {
  // Nobody counts who asks: all of them take one connection.
  const missing = new Batcher(async () => [await missingMigration(db)], { keyOf: () => 'migration' });
  const databaseProblem = async () => {
    try {
      const migration = await missing.submit(undefined);
      return migration && `the database lacks migration ${migration}`;
    } catch {
      return 'the database does not answer';
    }
  };
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const reason = app.drain.started ? 'shutting down' : await databaseProblem();
    return reason === undefined ? { status: 'ok' } : reply.code(503).send({ status: 'unavailable', reason });
  });
}
