import { writeFileSync } from 'node:fs';
import { migration, policiesOf } from '@petstore-platform/server-runtime';
import { lacksOf, othersIn, tablesOf } from '@repo/bookstore/commands';
import { expect, test } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { temporaryFile } from '../support/files.ts';
import { temporaryHandle } from '../support/runtime.ts';

/** The types of columns with a value, how it is read, and its type in TypeScript. */
const KINDS: [sql: string, value: string, read: unknown, type: string][] = [
  ['boolean', 'true', true, 'boolean'],
  ['smallint', '-5', -5, 'number'],
  ['integer', '5', 5, 'number'],
  ['bigint', '9007199254740991', 9_007_199_254_740_991, 'number'],
  ['real', '1.5', 1.5, 'number'],
  ['double precision', '-Infinity', Number.NEGATIVE_INFINITY, 'number'],
  ['numeric(10, 2)', '12345678.90', '12345678.90', 'string'],
  ['money', '$1,000.00', '$1,000.00', 'string'],
  ['text', 'a"b\\c,{}', 'a"b\\c,{}', 'string'],
  ['varchar(10)', 'é', 'é', 'string'],
  ['char(3)', 'a', 'a  ', 'string'],
  ['citext', 'Ada', 'Ada', 'string'],
  ['uuid', '8E03978E-40D5-43DD-BC93-6894A57F9324', '8e03978e-40d5-43dd-bc93-6894a57f9324', 'string'],
  ['date', '2026-12-24', '2026-12-24', 'string'],
  ['time', '10:15:30.5', '10:15:30.5', 'string'],
  ['timetz', '10:15:30+02', '10:15:30+02', 'string'],
  ['timestamp', '2026-12-24 10:15:30', '2026-12-24 10:15:30', 'string'],
  ['timestamptz', '2026-12-24 10:15:30+02', new Date('2026-12-24T08:15:30Z'), 'Date'],
  ['interval', '1 year 2 days 3 hours', 'P1Y2DT3H', 'string'],
  ['bytea', '\\x00ff', Buffer.from([0, 255]), 'Buffer'],
  ['jsonb', '{"a": [1, null]}', { a: [1, null] }, 'unknown'],
  ['json', '"x"', 'x', 'unknown'],
  ['inet', '10.0.0.1', '10.0.0.1', 'string'],
  ['point', '(1,2)', '(1,2)', 'string'],
  ['macaddr', '08:00:2b:01:02:03', '08:00:2b:01:02:03', 'string'],
  ['xml', '<a>1</a>', '<a>1</a>', 'string'],
  ['bit(3)', '101', '101', 'string'],
  ['oid', '4294967295', 4_294_967_295, 'number'],
  ['tsvector', "'a' 'b'", "'a' 'b'", 'string'],
  ['int4multirange', '{[1,5)}', '{[1,5)}', 'string'],
  ['int4range', '[1,5)', '[1,5)', 'string'],
  ['mood', 'it\'s "so\\so"\n', 'it\'s "so\\so"\n', `'open' | 'it\\'s "so\\\\so"\\n' | '{a,b}'`],
  ['mood', '{a,b}', '{a,b}', `'open' | 'it\\'s "so\\\\so"\\n' | '{a,b}'`],
  ['email', 'a@b', 'a@b', 'string'],
  ['rating', '4', 4, 'number'],
];

const own = {
  '001-kinds': migration(
    `create extension citext;
    create type mood as enum ('open', 'it''s "so\\so"\n', '{a,b}');
    create domain email as citext check (value like '%@%');
    create domain score as integer;
    create domain rating as score check (value <= 5);
    create table kinds (
      ${KINDS.map(([type], index) => `c${index} ${type} not null, a${index} ${type}[], d${index} ${type}[][]`).join(', ')}
    );
    create domain scores as rating[];
    create table "lineItems" (
      id bigint generated always as identity primary key,
      "item-name" text not null default 'it''s',
      "position" bigint,
      "__proto__" text not null,
      "constructor" mood,
      "a.b" scores,
      "double" integer generated always as (2) stored,
      "1" text not null default ''
    );
    create view "open items" as select id, "item-name" as "select" from "lineItems";
    create materialized view counts as select count(*) as n from "lineItems"`,
    `drop materialized view counts;
    drop view "open items";
    drop table "lineItems", kinds;
    drop domain scores, rating, score, email;
    drop type mood;
    drop extension citext`,
  ),
};

const emptyDatabase = () => temporaryDatabase({ migrated: false });

test('values of all types are read without loss, as the types say', async () => {
  const url = await emptyDatabase();
  const text = await tablesOf(url, own, await othersIn(await emptyDatabase()));
  for (const [index, [, , , type]] of KINDS.entries()) {
    expect(text).toContain(`    c${index}: ${type};\n`);
    const list = type.includes(' ') ? `(${type})[]` : `${type}[]`;
    expect(text).toContain(`    a${index}: ${list} | null;\n`);
  }
  const db = temporaryHandle(url);
  const names = KINDS.flatMap((_, index) => [`c${index}`, `a${index}`, `d${index}`]);
  const values = KINDS.flatMap(([, value]) => [value, [value, null], [[value], [value]]]);
  const types = KINDS.flatMap(([type]) => [type, `${type}[]`, `${type}[][]`]);
  const places = types.map((type, index) => `$${index + 1}::text${'[]'.repeat(type.split('[]').length - 1)}::${type}`);
  await db.pool.query(`insert into kinds (${names}) values (${places})`, values);
  const { rows } = await db.pool.query<Record<string, unknown>>('select * from kinds');
  for (const [index, [sql, , read]] of KINDS.entries()) {
    const { [`c${index}`]: one, [`a${index}`]: list, [`d${index}`]: lists } = rows[0] ?? {};
    expect([sql, one, list, lists]).toEqual([sql, read, [read, null], [[read], [read]]]);
  }
});

test('tables, views and columns of any name have types', async () => {
  const text = await tablesOf(await emptyDatabase(), own, await othersIn(await emptyDatabase()));
  const mood = `'open' | 'it\\'s "so\\\\so"\\n' | '{a,b}'`;
  expect(text).toContain("import type { ColumnType, Generated, GeneratedAlways } from 'kysely';\n");
  expect(text).toContain(`  lineItems: {
    id: GeneratedAlways<number>;
    'item-name': Generated<string>;
    position: number | null;
    ['__proto__']: string;
    constructor: ${mood} | null;
    'a.b': number[] | null;
    double: GeneratedAlways<number | null>;
    '1': Generated<string>;
  };
  'open items': {
    id: ColumnType<number | null, never, never>;
    select: ColumnType<string | null, never, never>;
  };
`);
  expect(text).toContain('  counts: {\n    n: ColumnType<number | null, never, never>;\n');
  expect(text).toContain(
    `'item-name': 'text', position: 'bigint', ['__proto__']: 'text', constructor: 'mood', 'a.b': 'scores'`,
  );
  const file = temporaryFile('tables.ts');
  writeFileSync(file, text);
  const { columns } = await import(file);
  const names = ['1', 'id', 'item-name', 'position', '__proto__', 'constructor', 'a.b', 'double'];
  expect(Object.keys(columns.lineItems)).toEqual(names);
});

test('tables with owners lack what no migration has written', async () => {
  const url = await emptyDatabase();
  const service = { name: 'shop', tenants: { notes: 'owner', others: 'owner' } };
  const tables = 'create table notes (id bigint, owner text not null); create table others (id bigint)';
  await tablesOf(url, { '001-notes': migration(tables, '') }, []);
  const missing = 'others.owner is missing';
  expect(await lacksOf(url, service)).toEqual([
    "notes lacks: alter table notes alter owner set default nullif(current_setting('app.owner', true), '')",
    'notes lacks: alter table notes enable row level security',
    'notes lacks: alter table notes force row level security',
    "notes lacks: create policy owner on notes using (owner = nullif(current_setting('app.owner', true), ''))",
    'notes lacks: create policy unscoped on notes to shop_unscoped using (true)',
    missing,
  ]);
  const policies = policiesOf('shop', { notes: 'owner' });
  await tablesOf(url, { '001-notes': migration(tables, ''), '002-owners': migration(policies, '') }, []);
  expect(await lacksOf(url, service)).toEqual([missing]);
});
