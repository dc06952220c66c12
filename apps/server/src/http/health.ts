import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
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
    await db.selectFrom('api_keys').select('id').limit(1).execute();
    return undefined;
  } catch (error) {
    const undefinedTable = (error as { code?: string }).code === '42P01';
    return undefinedTable ? 'the database is not migrated' : 'the database does not answer';
  }
}
