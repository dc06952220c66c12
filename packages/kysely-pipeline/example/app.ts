import { PipelineDialect } from '@petstore-platform/kysely-pipeline';
import Fastify from 'fastify';
import { type Generated, Kysely } from 'kysely';
import pg from 'pg';

interface Tables {
  notes: { id: Generated<number>; title: string };
}

export function createApp(connectionString: string) {
  const pool = new pg.Pool({ connectionString, max: 10 });
  // Or the loss of an idle connection ends the process.
  pool.on('error', console.error);
  // Instead of PostgresDialect.
  const db = new Kysely<Tables>({ dialect: new PipelineDialect({ pool }) });
  const app = Fastify();
  app.addHook('onClose', () => db.destroy());

  app.get<{ Params: { id: number } }>('/notes/:id', async ({ params }) => {
    const note = await db.selectFrom('notes').selectAll().where('id', '=', params.id).executeTakeFirst();
    return note ?? {};
  });
  app.post<{ Body: { titles: string[] } }>('/notes', ({ body }) =>
    db.transaction().execute(async (trx) => {
      const notes = body.titles.map((title) => ({ title }));
      return trx.insertInto('notes').values(notes).returning('id').execute();
    }),
  );
  return app;
}
