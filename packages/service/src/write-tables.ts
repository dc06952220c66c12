import {
  type DatabaseHandle,
  migrations,
  type Service,
  tenantProblems,
  VALUE_TYPES,
  withDatabase,
} from '@petstore-platform/server-runtime/operate';
import type { Migration } from 'kysely/migration';
import { migrateUp } from './commands/migrations.ts';

/** The columns of tables (r, p, f) and views (v, m). Postgres does not know whether a column of a view may be null. */
const COLUMNS = `
  select relname as table, attname as column, atttypid as type, format_type(atttypid, null) as sql, not attnotnull as nullable,
    (atthasdef or attidentity <> '') as generated, attidentity = 'a' or attgenerated <> '' as always,
    relkind in ('v', 'm') as view
  from pg_attribute join pg_class on pg_class.oid = attrelid
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'f', 'v', 'm') and attnum > 0 and not attisdropped
    and relname !~ '^kysely_' and relname <> all($1)
    -- Views of extensions.
    and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
  order by relname, attnum`;

interface Column {
  table: string;
  column: string;
  type: number;
  /** The type as Postgres prints it. */
  sql: string;
  nullable: boolean;
  generated: boolean;
  always: boolean;
  view: boolean;
}

const TYPES = `
  select oid, format_type(oid, null) as name, typtype as kind, typbasetype as base,
    case when typcategory = 'A' then typelem else 0 end as item,
    (select json_agg(enumlabel order by enumsortorder) from pg_enum where enumtypid = pg_type.oid) as labels
  from pg_type`;

interface Type {
  oid: number;
  name: string;
  kind: string;
  base: number;
  item: number;
  labels: string[] | null;
}

/** The TypeScript of a type: a domain is its base, an enum the union of its labels. */
function typeOf(types: Map<number, Type>, oid: number): string {
  const { name, kind, base, item, labels } = types.get(oid) as Type;
  if (kind === 'd') return typeOf(types, base);
  if (labels) return labels.map(quoted).join(' | ');
  if (!item || name === 'box[]') return VALUE_TYPES[name]?.type ?? 'string';
  const each = typeOf(types, item);
  return each.includes(' ') ? `(${each})[]` : `${each}[]`;
}

/** A text in single quotes. */
const quoted = (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** The name of a property. `__proto__` would set the prototype. */
const property = (name: string) =>
  name === '__proto__' ? `['${name}']` : /^[a-z_$][\w$]*$/i.test(name) ? name : quoted(name);

function fieldOf(types: Map<number, Type>, { column, type, nullable, generated, always, view }: Column): string {
  const value = `${typeOf(types, type)}${nullable ? ' | null' : ''}`;
  const wrapped = view
    ? `ColumnType<${value}, never, never>`
    : always
      ? `GeneratedAlways<${value}>`
      : generated
        ? `Generated<${value}>`
        : value;
  return `    ${property(column)}: ${wrapped};\n`;
}

/** Migrates an empty database as a server does, and reads from it. */
function migrated<Result>(
  url: string,
  migrations: Record<string, Migration>,
  read: (pool: DatabaseHandle['pool']) => Promise<Result>,
): Promise<Result> {
  const session = { command: 'tables', migrations };
  return withDatabase(session, url, async (db) => {
    await migrateUp(session, db);
    return read(db.pool);
  });
}

/** What the tables with owners lack in a migrated database: columns, and the SQL of policies. */
export async function lacksOf(url: string, service: Pick<Service, 'name' | 'tenants'>): Promise<string[]> {
  const problems = await withDatabase({ command: 'tables' }, url, (db) => tenantProblems(db, service));
  const tables = Object.keys(service.tenants);
  // The others depend on the role that serves. A start looks at them.
  return problems.filter((each) =>
    tables.some((table) => each.startsWith(`${table}.`) || each.startsWith(`${table} lacks`)),
  );
}

/** The names of the tables that are not a service's, in an empty database. */
export const othersIn = (url: string): Promise<string[]> =>
  migrated(url, migrations, async (pool) => {
    const { rows } = await pool.query<{ name: string }>('select tablename as name from pg_tables');
    return rows.map(({ name }) => name);
  });

/**
 * Writes the types of the tables and views that a service's migrations add to an empty database.
 *
 * @param others - the tables that are not the service's
 * @param command - generates, which the text names
 */
export async function tablesOf(
  url: string,
  added: Record<string, Migration>,
  others: string[],
  command = 'pnpm tables',
): Promise<string> {
  const { columns, types } = await migrated(url, { ...migrations, ...added }, async (pool) => ({
    columns: (await pool.query<Column>(COLUMNS, [others])).rows,
    types: new Map((await pool.query<Type>(TYPES)).rows.map((type) => [type.oid, type])),
  }));
  const tables = [...Map.groupBy(columns, ({ table }) => table)];
  const fields = tables.map(
    ([table, columns]) => `  ${property(table)}: {\n${columns.map((column) => fieldOf(types, column)).join('')}  };\n`,
  );
  const typed = ({ column, sql }: Column) =>
    `${property(column)}: ${quoted(sql.replace('timestamp with time zone', 'timestamptz'))}`;
  const values = tables.map(([table, columns]) => `  ${property(table)}: { ${columns.map(typed).join(', ')} },\n`);
  const used = ['ColumnType', 'Generated', 'GeneratedAlways'].filter((name) =>
    fields.some((text) => text.includes(`: ${name}<`)),
  );
  const banner = `// Generated from migrations.ts by \`${command}\`. Do not edit.\n\n`;
  return `${banner}${used.length > 0 ? `import type { ${used.join(', ')} } from 'kysely';\n\n` : ''}/** The tables, as the migrations leave them. */
export interface GeneratedTables {
${fields.join('')}}

/** The types of the columns in Postgres. */
export const columns = {
${values.join('')}} as const;
`;
}
