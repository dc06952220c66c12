import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { missingMigration } from '../database/migrate.ts';
import type { Database } from '../database/schema.ts';

/** `/livez`: the process runs. `/readyz`: it can serve, with the reason when it cannot. */
export function registerHealth(app: FastifyInstance, db: Kysely<Database>): void {
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const reason = app.drain.started ? 'shutting down' : await databaseProblem(db);
    return reason === undefined ? { status: 'ok' } : reply.code(503).send({ status: 'unavailable', reason });
  });
}

async function databaseProblem(db: Kysely<Database>): Promise<string | undefined> {
  try {
    const missing = await missingMigration(db);
    return missing && `the database lacks migration ${missing}`;
  } catch {
    return 'the database does not answer';
  }
}
