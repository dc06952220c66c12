import { temporaryDatabase } from '@petstore-platform/testkit/database';
import { type Generated, Kysely, sql } from 'kysely';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { PipelineDialect, type PipelineDialectOptions } from '../src/index.ts';

export interface Tables {
  people: { id: Generated<number>; name: string; age: number | null };
}

/** Kysely on an own database with a table of ten people. */
export async function openPeople(options: Omit<Partial<PipelineDialectOptions>, 'pool'> & { max?: number } = {}) {
  const { max = 10, ...others } = options;
  const pool = new pg.Pool({ connectionString: await temporaryDatabase(), max });
  pool.on('error', () => {});
  const db = new Kysely<Tables>({ dialect: new PipelineDialect({ pool, ...others }) });
  onTestFinished(async () => {
    await db.destroy();
    // Kysely ends no pool that it has not used.
    if (!pool.ended) await pool.end();
  });
  await pool.query(`create table people (id integer generated always as identity primary key, name text not null unique, age integer);
    insert into people (name, age) select 'p' || n, n from generate_series(1, 10) as n`);
  return { db, pool };
}

export { sql };
