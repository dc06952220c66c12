/**
 * Writes the types of each service's tables, read from a migrated database: `pnpm tables`. `--check` fails if they are stale. A service
 * has `migrations.ts` beside the folder that its package.json names for generated code.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createDatabase } from '@repo/testkit/database';
import { openTestPostgres } from '@repo/testkit/postgres';
import type { Migration } from 'kysely/migration';
import pg from 'pg';
import { migrateUp, withDatabase } from '../src/database/migrate.ts';
import { migrations } from '../src/database/migrations.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

const BANNER = '// Generated from migrations.ts by `pnpm tables`. Do not edit.\n\n';

const TYPES: Record<string, string> = {
  bigint: 'number',
  boolean: 'boolean',
  bytea: 'Buffer',
  'character varying': 'string',
  date: 'string',
  'double precision': 'number',
  integer: 'number',
  json: 'unknown',
  jsonb: 'unknown',
  numeric: 'string',
  real: 'number',
  smallint: 'number',
  text: 'string',
  'text[]': 'string[]',
  'timestamp with time zone': 'Date',
  uuid: 'string',
};

const COLUMNS = `
  select relname as table, attname as column, format_type(atttypid, null) as type, not attnotnull as nullable,
    (atthasdef or attidentity <> '') as generated, attidentity = 'a' as always,
    pg_get_expr(adbin, adrelid) as initial
  from pg_attribute join pg_class on pg_class.oid = attrelid
    left join pg_attrdef on (adrelid, adnum) = (attrelid, attnum)
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
    and relname !~ '^kysely_' and relname <> all($1) order by relname, attnum`;

interface Column {
  table: string;
  column: string;
  type: string;
  nullable: boolean;
  generated: boolean;
  always: boolean;
  initial: string | null;
}

/** The tables that a service's migrations add to an empty database. */
async function tablesOf(url: string, own: Record<string, Migration>): Promise<string> {
  const migrate = (migrations: Record<string, Migration>) => {
    const session = { command: 'tables', distributed: [], migrations };
    return withDatabase(session, url, async (db) => {
      await migrateUp(session, db);
      return (await db.pool.query<{ name: string }>('select tablename as name from pg_tables')).rows;
    });
  };
  const others = await migrate(migrations);
  await migrate({ ...migrations, ...own });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Column>(COLUMNS, [others.map(({ name }) => name)]).finally(() => client.end());
  const tables = [...Map.groupBy(rows, ({ table }) => table)];
  const types = tables.map(([table, columns]) => {
    const fields = columns.map(({ column, type, nullable, generated, always }) => {
      const value = `${TYPES[type] ?? 'unknown'}${nullable ? ' | null' : ''}`;
      return `    ${column}: ${always ? `GeneratedAlways<${value}>` : generated ? `Generated<${value}>` : value};\n`;
    });
    return `  ${table}: {\n${fields.join('')}  };\n`;
  });
  const values = tables.map(([table, columns]) => {
    const fields = columns.map(
      ({ column, type }) => `${column}: '${type.replace('timestamp with time zone', 'timestamptz')}'`,
    );
    return `  ${table}: { ${fields.join(', ')} },\n`;
  });
  const defaults = tables.map(([table, columns]) => {
    const fields = columns.flatMap(({ column, initial }) => (initial === null ? [] : `${column}: ${quoted(initial)}`));
    return fields.length === 0 ? '' : `  ${table}: { ${fields.join(', ')} },\n`;
  });
  const imports = ['Generated', 'GeneratedAlways'].filter((name) => types.some((text) => text.includes(`${name}<`)));
  return `${BANNER}${imports.length > 0 ? `import type { ${imports.join(', ')} } from 'kysely';\n\n` : ''}/** The tables, as the migrations leave them. */
export interface GeneratedTables {
${types.join('')}}

/** The types of the columns in Postgres. */
export const columns = {
${values.join('')}} as const;

/** The SQL of the columns' defaults. */
export const defaults = {
${defaults.join('')}};
`;
}

const quoted = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`;

const isCheck = process.argv.includes('--check');
const { url: server, close } = await openTestPostgres();
const changed: string[] = [];
for (const manifest of globSync('{apps,packages}/*/package.json', { cwd: ROOT }).sort()) {
  const { contract } = JSON.parse(readFileSync(path.join(ROOT, manifest), 'utf8'));
  const folder = path.join(ROOT, path.dirname(manifest), contract?.server ?? '');
  const source = path.join(folder, '../migrations.ts');
  if (!contract?.server || !existsSync(source)) continue;
  const file = path.join(folder, 'tables.ts');
  const { url, drop } = await createDatabase(server);
  const { migrations: own } = await import(source);
  const failed = async ({ message }: Error) => {
    await close();
    console.error(`${path.relative(ROOT, source)}: ${message}`);
    process.exit(1);
  };
  const text = await tablesOf(url, own).finally(drop).catch(failed);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  changed.push(path.relative(ROOT, file));
  if (!isCheck) writeFileSync(file, text);
}
await close();
const list = changed.map((file) => `\n  ${file}`).join('');
if (changed.length === 0) console.log('The types of the tables are up to date.');
else if (!isCheck) console.log(`Wrote:${list}`);
else console.error(`Stale; run \`pnpm tables\` and commit the result:${list}`);
process.exitCode = isCheck && changed.length > 0 ? 1 : 0;
