/**
 * How Postgres carries out the statements that read animals: `node bench/plans.ts <animals>`. It prints
 * `{ <what is read>: <EXPLAIN (ANALYZE, BUFFERS)> }`, and ends. Plans are the generic ones, which know no values: what
 * Postgres may take for a prepared statement whatever is asked for.
 */
import { sql } from 'kysely';
import pg from 'pg';
import { type DatabaseHandle, openDatabase } from '../src/database/open.ts';
import { selectPets, selectPetsById } from '../src/pets/queries.ts';

const url = process.env.DATABASE_URL ?? '';
const middle = Number(process.argv[2]) / 2;
const reads: Record<string, (db: DatabaseHandle) => Promise<unknown>> = {
  'list, first page': (db) => selectPets(db, [{ limit: 21 }]),
  'list, deep inside': (db) => selectPets(db, [{ limit: 21, after: middle }]),
  'list by status, first page': (db) => selectPets(db, [{ limit: 21, status: 'available' }]),
  'list by status, deep inside': (db) => selectPets(db, [{ limit: 21, status: 'sold', after: middle }]),
  'list by status, as one would write it at first; it is not used': (db) =>
    sql`select id, name, category_id, status from pets where status = ${'available'} and id > ${0} order by id limit ${21}`.execute(
      db.kysely,
    ),
  'get, twenty at once': (db) =>
    selectPetsById(
      db,
      Array.from({ length: 20 }, (_, index) => middle + index * 31),
    ),
};

interface Query {
  text: string;
  values: unknown[];
}

let sent: Query | undefined;
const db = openDatabase(url, { size: 1, timeLimit: 0 });
db.pool.on('connect', (connection) => {
  const send = connection.query.bind(connection);
  connection.query = ((...args: [Query | string, ...unknown[]]) => {
    const [query, values] = args;
    sent = typeof query === 'string' ? { text: query, values: values as unknown[] } : query;
    return send(...(args as unknown as [string]));
  }) as typeof connection.query;
});
const client = new pg.Client(url);
await client.connect();
await client.query('set plan_cache_mode = force_generic_plan');

/** As text in SQL. */
const literal = (value: unknown) => `'${Array.isArray(value) ? `{${value.join(',')}}` : value}'`;

const plans: Record<string, string> = {};
for (const [name, read] of Object.entries(reads)) {
  await read(db);
  const { text, values } = sent as Query;
  await client.query(`prepare statement as ${text}`);
  const explain = `explain (analyze, buffers, costs off) execute statement(${values.map(literal).join(', ')})`;
  // The first one loads what is on the disk, and plans.
  await client.query(explain);
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(explain);
  plans[name] = rows.map((row) => row['QUERY PLAN']).join('\n');
  await client.query('deallocate statement');
}
await client.end();
await db.close();
console.log(JSON.stringify(plans));
