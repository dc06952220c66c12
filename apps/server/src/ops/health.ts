import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { Batcher } from '../batcher.ts';
import { missingMigration } from '../database/migrate.ts';
import type { DatabaseHandle } from '../database/open.ts';

/** `/livez`: the process runs. `/readyz`: it can serve, with the reason when it cannot. */
export function registerHealth(app: FastifyInstance, db: DatabaseHandle): void {
  // Nobody counts who asks: all of them take one connection.
  const problems = new Batcher(async () => [await databaseProblem(db)], { keyOf: () => 'problem' });
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const reason = app.drain.started ? 'shutting down' : await problems.submit(undefined);
    return reason === undefined ? { status: 'ok' } : reply.code(503).send({ status: 'unavailable', reason });
  });
}

/** Why the database cannot serve; undefined when it can. */
async function databaseProblem(db: DatabaseHandle): Promise<string | undefined> {
  try {
    const migration = await missingMigration(db);
    if (migration) return `the database lacks migration ${migration}`;
    // As a standby is until its promotion.
    const { rows } = await sql<{ transaction_read_only: string }>`show transaction_read_only`.execute(db.kysely);
    return rows[0]?.transaction_read_only === 'on' ? 'the database is read-only' : undefined;
  } catch {
    return 'the database does not answer';
  }
}
