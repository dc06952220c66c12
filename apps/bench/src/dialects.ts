import { PipelineDialect } from '@petstore-platform/kysely-pipeline';
import { withClient } from '@petstore-platform/testkit/postgres';
import { type Dialect, Kysely, PostgresDialect } from 'kysely';
import { PostgresJSDialect } from 'kysely-postgres-js';
import pg from 'pg';
import postgres from 'postgres';
import { withPostgres } from './database.ts';
import { formatRatio, median } from './statistics.ts';

interface Tables {
  notes: { id: number; title: string };
}

type Db = Kysely<Tables>;

/** Postgres may stop before the last connection has closed. */
const poolOf = (connectionString: string) => new pg.Pool({ connectionString }).on('error', () => {});
/** Ten connections each, as it is the default of all. */
const DIALECTS: Record<string, (connectionString: string) => Dialect> = {
  'pg.Pool': (connectionString) => new PostgresDialect({ pool: poolOf(connectionString) }),
  'kysely-postgres-js': (url) => new PostgresJSDialect({ postgres: postgres(url, { max: 10 }) }),
  'kysely-pipeline': (connectionString) => new PipelineDialect({ pool: poolOf(connectionString) }),
};

const NOTES = 10_000;

const WORK: Record<string, (db: Db, time: number) => Promise<unknown>> = {
  'look-ups': (db, time) => find(db, (time * 7919) % NOTES),
  'the same look-up': (db) => find(db, 1),
  'look-ups, every tenth an update': (db, time) =>
    time % 10 > 0
      ? find(db, (time * 7919) % NOTES)
      : db
          .updateTable('notes')
          .set({ title: 'x' })
          .where('id', '=', (time * 7919) % NOTES)
          .execute(),
};
const find = (db: Db, id: number) =>
  db.selectFrom('notes').select(['id', 'title']).where('id', '=', id).executeTakeFirst();

/** Compares Kysely's dialects by queries per second of the same queries. */
export async function benchDialects({ quick }: { quick: boolean }): Promise<string> {
  const [rounds, milliseconds] = quick ? [1, 500] : [5, 2_000];
  return withPostgres(async ({ url }) => {
    await withClient(url, async (client) => {
      await client.query(
        `create table notes as select n as id, 'Note ' || n as title from generate_series(0, ${NOTES}) as n;
         alter table notes add primary key (id)`,
      );
      await client.query('vacuum analyze notes');
    });
    const sides = Object.entries(DIALECTS).map(
      ([name, make]) => [name, new Kysely<Tables>({ dialect: make(url) })] as const,
    );
    const rows: string[] = [];
    for (const [work, run] of Object.entries(WORK))
      for (const concurrency of [1, 16, 64]) {
        const figures = new Map(sides.map(([name]) => [name, [] as Record<'rate' | 'cpu', number>[]]));
        for (let round = 0; round <= rounds; round++) {
          for (const [name, db] of sides) {
            const figure = await measure(concurrency, milliseconds, (time) => run(db, time));
            // Round 0 is a warm-up.
            if (round > 0) figures.get(name)?.push(figure);
          }
          sides.push(...sides.splice(0, 1));
        }
        const of = (name: string, kind: 'rate' | 'cpu') => figures.get(name)?.map((figure) => figure[kind]) ?? [];
        const cells = Object.keys(DIALECTS).map(
          (name) => `${Math.round(median(of(name, 'rate')))} (${median(of(name, 'cpu')).toFixed(0)})`,
        );
        const pooled = of('pg.Pool', 'rate');
        const ratios = of('kysely-pipeline', 'rate').map((rate, round) => rate / (pooled[round] as number));
        rows.push(`| ${work} | ${concurrency} | ${cells.join(' | ')} | ${formatRatio(ratios)} |`);
      }
    for (const [, db] of sides) await db.destroy();
    return `Queries per second, and microseconds of CPU of Node.js for each in parentheses, with ten connections: medians of ${rounds} rounds of ${milliseconds / 1_000} s.

| queries | at once | ${Object.keys(DIALECTS).join(' | ')} | kysely-pipeline beside pg.Pool |
|---|---|---|---|---|---|
${rows.join('\n')}`;
  });
}

async function measure(concurrency: number, milliseconds: number, run: (time: number) => Promise<unknown>) {
  const [start, used] = [performance.now(), process.cpuUsage()];
  let queries = 0;
  const loop = async () => {
    while (performance.now() - start < milliseconds) await run(queries++);
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  const { user, system } = process.cpuUsage(used);
  return { rate: (queries * 1_000) / (performance.now() - start), cpu: (user + system) / queries };
}
