import { type Kysely, sql } from 'kysely';
import { type Migrated, migrationStatus, named, printWait, withLocks } from './migrate.ts';
import type { Database, DatabaseHandle } from './open.ts';

/** Milliseconds until a revert without its locks fails. */
const TIMEOUT = 60_000;

export interface Revert {
  /** The migrations, latest first. */
  names: string[];
  /** The data that it would delete, as in "2 rows of books"; not counted when it is done. */
  losses: string[];
}

/**
 * Reverts migrations, the latest first, in one transaction.
 *
 * @param target - `to`: all that ran after this one; `steps`: this many
 * @param commit - otherwise, everything is rolled back at the end, and the result tells what would happen
 * @throws Error for a migration that did not run, that is not of this version or cannot be reverted
 */
export async function migrateDown(
  service: Migrated,
  db: DatabaseHandle,
  target: { to?: string; steps?: number },
  commit = true,
): Promise<Revert> {
  const names = await latest(service, db, target);
  if (names.length === 0) return { names, losses: [] };
  const before = commit ? undefined : await inventory(db.kysely);
  return withLocks(db, printWait(service), TIMEOUT, async (transaction) => {
    await sql`savepoint before`.execute(transaction);
    for (const name of names) await revert(service, transaction, name);
    const losses = before ? difference(before, await inventory(transaction, before)) : [];
    if (!commit) await sql`rollback to before`.execute(transaction);
    return { names, losses };
  });
}

async function revert({ migrations }: Migrated, db: Kysely<Database>, name: string): Promise<void> {
  const { numDeletedRows } = await db.deleteFrom('kysely_migration').where('name', '=', name).executeTakeFirst();
  if (numDeletedRows !== 1n) throw new Error(`Migration ${name} has just been reverted by another command`);
  await named(name, migrations[name]?.down?.(db));
}

/** The migrations to revert, in the order of their reverts. */
async function latest(service: Migrated, db: DatabaseHandle, { to, steps = 0 }: { to?: string; steps?: number }) {
  const executed = (await migrationStatus(service, db.kysely)).filter(({ executedAt }) => executedAt);
  const order = executed.toSorted((one, other) => Number(one.executedAt) - Number(other.executedAt)).reverse();
  const position = to === undefined ? steps : order.findIndex(({ name }) => name === to);
  if (position < 0) throw new Error(`Migration ${to} did not run on this database`);
  const reverted = order.slice(0, position);
  const unknown = reverted.find(({ known }) => !known);
  if (unknown) throw new Error(`Migration ${unknown.name} is of a newer version, which has to revert it`);
  const final = reverted.find(({ name }) => !service.migrations[name]?.down);
  if (final) throw new Error(`Migration ${final.name} cannot be reverted`);
  return reverted.map(({ name }) => name);
}

/** Rows of each table, and values of each column, in the schema of the connection. `file` changes when a table is written anew. */
type Inventory = Map<string, { file: string | null; rows: number; values: Map<string, number> }>;

/**
 * In SQL, as its tables are those of any service.
 *
 * @param before - reused for a table unless the transaction wrote it anew or deleted rows: it holds locks, and counting takes long
 */
async function inventory(db: Kysely<Database>, before?: Inventory): Promise<Inventory> {
  const tables = await sql<{ name: string; columns: string[]; file: string | null; deleted: boolean }>`
    select relname::text as name, array_agg(attname::text order by attnum) as columns,
      pg_relation_filenode(pg_class.oid)::text as file, coalesce(pg_stat_get_xact_tuples_deleted(pg_class.oid), 0) > 0 as deleted
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relname !~ '^kysely_migration'
      and attnum > 0 and not attisdropped
    group by pg_class.oid, relname`.execute(db);
  const found: Inventory = new Map();
  for (const { name, columns, file, deleted } of tables.rows) {
    const known = before?.get(name);
    if (known?.file === file && !deleted) {
      found.set(name, { ...known, values: new Map([...known.values].filter(([column]) => columns.includes(column))) });
      continue;
    }
    const counts = sql.join(columns.map((column) => sql`count(${sql.id(column)})`));
    const { rows } = await sql<{ counts: number[] }>`
      select array[count(*), ${counts}]::float8[] as counts from ${sql.id(name)}`.execute(db);
    const [all = 0, ...each] = rows[0]?.counts ?? [];
    found.set(name, { file, rows: all, values: new Map(columns.map((column, index) => [column, each[index] ?? 0])) });
  }
  return found;
}

function difference(before: Inventory, after: Inventory): string[] {
  return [...before].flatMap(([table, { rows, values }]) => {
    const left = after.get(table);
    const lost = rows - (left?.rows ?? 0);
    const columns = left ? [...values].filter(([column, count]) => count > 0 && !left.values.has(column)) : [];
    return [
      ...(lost > 0 ? [`${lost} rows of ${table}`] : []),
      ...columns.map(([column, count]) => `${count} values of ${table}.${column}`),
    ];
  });
}
