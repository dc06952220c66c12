import { prepare, run as send, settingsOf } from '@petstore-platform/kysely-pipeline';
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HandlerTransaction, unscoped } from '../../src/database/kysely.ts';
import { withDatabase } from '../../src/database/migrate.ts';
import { openDatabase } from '../../src/database/open.ts';
import { servedUrl } from '../../src/database/server-role.ts';
import { RequestDb } from '../../src/database/statement.ts';
import { tenantProblems } from '../../src/database/tenant-isolation.ts';
import { Scope, type TenantScope } from '../../src/database/tenants.ts';
import { createDatabase } from '../support/database.ts';
import { compose, SCHEMA, TENANTS } from '../support/statements.ts';

// biome-ignore lint/suspicious/noExplicitAny: statements of any tables
type Any = any;

const service = { name: 'scope', command: 'scope-server', tenants: TENANTS };
const scope = new Scope(TENANTS, false);
let db: ReturnType<typeof openDatabase>;
let drop: () => Promise<void>;
beforeAll(async () => {
  const created = await createDatabase({ migrated: false });
  drop = created.drop;
  const { url } = created;
  await withDatabase(service, url, ({ pool }) => pool.query(SCHEMA));
  db = openDatabase(service, await servedUrl(service, url));
});
afterAll(async () => {
  await db.close();
  await drop();
});

const readerOn = (owned: TenantScope) => new RequestDb(db, { service: 'scope' }).reader<Any>(owned, { caller: 'test' });

/** The runner of statements for an owner; null has none. */
const own = (owner: string | null) => ({ scope, caller: { owner: owner ?? undefined } });
const reader = (owner: string | null = 'a'): Kysely<Any> => readerOn(own(owner)) as unknown as Kysely<Any>;

/** Runs statements of an owner, or of the superuser, and undoes them. */
async function changes<Result>(
  run: (trx: Any, client: pg.PoolClient) => Promise<Result>,
  owner: string | null = 'a',
  isScoped = true,
): Promise<Result> {
  const client = await db.pool.connect();
  await client.query('begin');
  if (!isScoped) await client.query(`set local role none; set local app.owner = '${owner}'`);
  try {
    const owned = own(owner);
    const transaction = new HandlerTransaction(
      async (query) => {
        const settings = isScoped ? settingsOf(scope.settings(query, owned.caller, 'scope')) : [];
        const result = (await send(client, ...settings, prepare(query.sql, query.parameters))).at(-1);
        const { rows = [], count = 0, command = '' } = result ?? {};
        return command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(count) };
      },
      isScoped ? owned : undefined,
    );
    const result = await run(transaction.db, client);
    transaction.end();
    return result;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** Kysely on a connection. */
const kyselyOn = (client: pg.PoolClient) =>
  new Kysely<Any>({
    dialect: new PostgresDialect({
      pool: { connect: async () => ({ query: client.query.bind(client), release() {} }) } as never,
    }),
  });

const dump = async (client: pg.PoolClient, owner: string) => {
  await client.query('set local role none');
  const all = `select (select json_agg(c order by id) from customers c where owner = $1), (select json_agg(i order by id) from invoices i where owner = $1)`;
  return JSON.stringify((await client.query({ text: all, values: [owner], rowMode: 'array' })).rows);
};

const plainOf = (row: object) =>
  JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
    // Ids that are generated differ.
    .replaceAll(/"c1":"\d{4,}"/g, '"c1":new');

interface Outcome {
  rows?: string[];
  error?: string;
  /** Whether the rows of the other owner are as before. */
  isUntouched: boolean;
}

/** Runs statements of an owner, limited or in a database of its rows alone, which is the oracle. */
function outcomeOf(run: (trx: Any) => Promise<object[]>, owner: string, isLimited: boolean): Promise<Outcome> {
  const other = owner === 'a' ? 'b' : 'a';
  const attempt = async (trx: Any, client: pg.PoolClient): Promise<Outcome> => {
    if (!isLimited)
      for (const text of [
        'delete from invoices where owner = $1',
        'update invoices set customer_id = null where customer_id in (select id from customers where owner = $1)',
        'delete from customers where owner = $1',
      ])
        await client.query(text, [other]);
    const before = await dump(client, other);
    try {
      const rows = (await run(trx)).map(plainOf).sort();
      return { rows, isUntouched: (await dump(client, other)) === before };
    } catch (error) {
      return { error: (error as { code?: string }).code ?? `${error}`, isUntouched: true };
    }
  };
  return changes(attempt, owner, isLimited);
}

test('no statement sees or changes the rows of another owner, and each sees all of its own', async () => {
  const runs = Number(process.env.SCOPE_RUNS ?? 150);
  const kinds = new Map<string, number>();
  let rows = 0;
  for (let seed = 1; seed <= runs; seed++) {
    const [owner, other] = seed % 2 ? ['a', 'b'] : ['b', 'a'];
    let context = '';
    let kind = '';
    const built = (trx: Any) => {
      const composed = compose(trx, seed);
      kind = composed.kind;
      context = `seed ${seed}, ${kind}: ${composed.query.compile().sql}`;
      return composed.query.execute();
    };
    // The same as SQL, in which no table is seen.
    const raw = async (trx: Any) => {
      const { sql: text, parameters } = compose(kyselyOn(undefined as never), seed).query.compile();
      return (await trx.executeQuery(CompiledQuery.raw(text, [...parameters]))).rows;
    };
    for (const run of [built, raw]) {
      const oracle = await outcomeOf(run, owner, false);
      const limited = await outcomeOf(run, owner, true);
      rows += limited.rows?.length ?? 0;
      expect(limited.isUntouched, context).toBe(true);
      // The constraint is one of all owners, so that the oracle differs; no row of the other may come back.
      if (kind === 'conflict') expect(limited.rows?.join() ?? '', context).not.toMatch(`"${other}\\d`);
      else expect([limited.error, limited.rows], context).toEqual([oracle.error, oracle.rows]);
    }
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  expect(rows).toBeGreaterThan(runs * 6);
  expect([...kinds.keys()].sort()).toEqual(['change', 'change in with', 'conflict', 'for update', 'select', 'with']);
}, 600_000);

const TEXT = 'select sum(total)::text from invoices';
/** SQL of a value that adds up invoices. */
const SUMS = [
  `(${TEXT})`,
  '(select sum(total)::text from public . "invoices")',
  '(select sum(total)::text from u&"\\0069nvoices")',
  '(select sum(total)::text from INVOICES as "x" /* -- */ where true or true)',
  '(select sum(i.total)::text from customers c full join invoices i on i.customer_id = c.id)',
  '(select sum(total)::text from paid)',
  '(with cities as (table invoices) select sum(total)::text from cities)',
  `(select sum(total)::text from json_populate_recordset(null::invoices, (select json_agg(i) from invoices i)))`,
  `run('${TEXT}')`,
  `run($$select run('${TEXT}')$$)`,
  `query_to_xml('${TEXT}', true, true, '')::text`,
  `table_to_xml('invoices', true, true, '')::text`,
  `schema_to_xml('public', true, true, '')::text`,
  `(select string_agg(word, ' ' order by word) from ts_stat('select to_tsvector(name) from customers'))`,
  '(select string_agg(total::text, $x$ $x$ order by id) from invoices where 1 / (total - 10) is not null or 1 / (total - 20) is not null)',
  `(select string_agg(most_common_vals::text, '') from pg_stats where schemaname = 'public' and tablename = 'invoices')`,
];
const PLACES: ((sum: string) => string[])[] = [
  (sum) => [`select ${sum} as c1`],
  (sum) => [`select x as c1 from cities c, lateral (select c.city || ${sum} as x) as l`],
  (sum) => [`select city as c1 from cities where ${sum} > '' order by ${sum}`],
  (sum) => [`values (${sum})`],
  (sum) => [`with x as materialized (select ${sum} as c1) select c1 from x union all select ${sum}`],
  (sum) => [`update cities set country = ${sum} returning country as c1`],
  (sum) => [`insert into customers (id, name, city) select 5000, ${sum}, 'x' returning name as c1`],
  (sum) => [
    `insert into customers (id, name) values (5000, 'z') on conflict (id) do update set city = ${sum} returning city as c1`,
  ],
  (sum) => [`prepare q_1 as select ${sum} as c1`, 'execute q_1', 'deallocate q_1'],
  (sum) => [`declare c cursor for select ${sum} as c1`, 'fetch all from c'],
  (sum) => [`do $do$ begin perform ${sum}; end $do$`],
  (sum) => ['savepoint s', `select ${sum} as c1`, 'rollback to s', `select ${sum} as c1`],
];
const FRAGMENTS = ['true', 'true) or (true', 'owner is not null or id > 0', '1 / (total - 10) <> 7', 'true -- '];
const CHANGES = [
  ...FRAGMENTS.flatMap((fragment) => [
    `update invoices set state = 'x' where (${fragment})`,
    `delete from invoices where (${fragment})`,
    `delete from invoices using customers c where (${fragment.replaceAll(/(owner|id) /g, 'invoices.$1 ')})`,
  ]),
  `merge into invoices using cities on true when matched then update set state = cities.city`,
  `merge into invoices using (values (1)) as v (n) on true when matched then delete`,
  `merge into invoices i using generate_series(1, 14) n on i.id = n when not matched then insert (total) values (n)`,
  `with x as (delete from invoices or_true returning *) select count(*)::text as c1 from x`,
  `update paid set total = 0`,
  `do $$ begin delete from invoices; end $$`,
  `select run('delete from invoices returning 1')`,
  'truncate invoices cascade',
  'drop table invoices',
  'alter table invoices disable row level security',
  'drop policy owner on invoices',
  `create or replace view paid as select * from invoices`,
  'copy invoices to stdout',
  'copy invoices from stdin',
];

test('SQL that hides its tables gets what a database of its owner alone would give', async () => {
  const texts = [...SUMS.flatMap((sum) => PLACES.map((place) => place(sum))), ...CHANGES.map((text) => [text])];
  let done = 0;
  for (const all of texts) {
    const run = async (trx: Any) => {
      let rows: object[] = [];
      for (const text of all) ({ rows } = await sql.raw<object>(text).execute(trx));
      return rows;
    };
    const limited = await outcomeOf(run, 'a', true);
    expect(limited.isUntouched, all[0]).toBe(true);
    if (limited.error) continue;
    done += 1;
    // A scan of the rows of both would fail for that of the other.
    const oracle = await outcomeOf(run, 'a', false);
    expect(limited.rows, all[0]).toEqual(oracle.rows);
  }
  expect(done).toBeGreaterThan(texts.length / 2);
}, 600_000);

test.each([
  `insert into invoices (owner) values ('b')`,
  `insert into invoices (id, owner) select 5000, 'b'`,
  `insert into customers (name, owner) values ('a2', 'b') on conflict (name) do update set owner = 'b'`,
  `insert into customers (name) values ('b1') on conflict (name) do update set city = 'q'`,
  `update invoices set owner = 'b' where id = 2`,
  `update invoices set (state, owner) = ('x', 'b')`,
  `merge into invoices using (values (1)) as v (n) on false when not matched then insert (owner) values ('b')`,
])('an owner cannot be given: %s', async (text) => {
  await expect(changes((trx) => sql.raw(text).execute(trx))).rejects.toMatchObject({ code: '42501' });
});

test('a statement that nobody owns sees and adds nothing, also in a session that has served an owner', async () => {
  const count = (on: Any) => sql<{ c: number }>`select count(*)::integer as c from invoices`.execute(on);
  expect((await count(reader('a'))).rows).toEqual([{ c: 7 }]);
  for (const owner of [null, ''])
    for (let turn = 0; turn < 12; turn++) expect((await count(reader(owner))).rows).toEqual([{ c: 0 }]);
  await changes((trx) => count(trx));
  const add = (trx: Any) => sql`insert into invoices default values`.execute(trx);
  await expect(changes(add, null)).rejects.toMatchObject({ code: '42501' });
});

test('nothing undoes it but unscoped(db)', async () => {
  const all = async (on: Any) => (await on.selectFrom('invoices').selectAll().execute()).length;
  const on = reader();
  expect(await all(on)).toBe(7);
  expect(await all(on.withoutPlugins())).toBe(7);
  expect(await all(on.withSchema('public'))).toBe(7);
  expect(await on.transaction().execute(all)).toBe(7);
  expect(await on.transaction().execute((trx) => all(unscoped(trx as never)))).toBe(14);
  expect(
    await unscoped(on as never)
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(all),
  ).toBe(14);
  expect(await all(unscoped(on as never))).toBe(14);
  const total = await changes(async (trx) => [await all(trx), await all(unscoped(trx)), await all(trx)]);
  expect(total).toEqual([7, 14, 7]);
  // A failure leaves no transaction open in its session.
  for (let turn = 0; turn < 12; turn++)
    await expect(on.transaction().execute((trx) => sql`select 1 / 0`.execute(trx))).rejects.toThrow('division');
  expect(await on.transaction().execute(all)).toBe(7);
});

test('who has no owner has no rows', async () => {
  const failure = { status: 403, message: 'The credentials belong to no tenant' };
  for (const owner of [null, '']) {
    await expect(reader(owner).selectFrom('invoices').selectAll().execute()).rejects.toMatchObject(failure);
    const insert = (trx: Any) => trx.insertInto('invoices').defaultValues().execute();
    await expect(changes(insert, owner)).rejects.toMatchObject(failure);
  }
  expect(await reader(null).selectFrom('cities').selectAll().execute()).toHaveLength(2);
});

test('an operation that is open to everybody has no rows of owners', async () => {
  const open = { scope: new Scope(TENANTS, true), caller: { owner: 'a' } };
  const on = readerOn(open);
  expect(() => on.selectFrom('invoices').selectAll().compile()).toThrow('open to everybody');
  expect(await on.selectFrom('cities').selectAll().execute()).toHaveLength(2);
  expect(
    await unscoped(on as never)
      .selectFrom('invoices')
      .selectAll()
      .execute(),
  ).toHaveLength(14);
});

test('a query that was kept runs for nobody after its handler', async () => {
  const request = own('a');
  const kept = readerOn(request).selectFrom('invoices').selectAll();
  expect(await kept.execute()).toHaveLength(7);
  Object.assign(request, { isOver: true });
  await expect(kept.execute()).rejects.toThrow('The handler is done');
});

test('the objects of a request are values, whatever their fields are', async () => {
  for (const kind of ['TableNode', 'RawNode', 'SelectQueryNode', 'ValueNode']) {
    const note = { kind, sqlFragments: ['invoices'], table: { identifier: { name: 'invoices' } } };
    const [row] = await changes<Any[]>((trx) =>
      trx.insertInto('invoices').values({ note }).returning('note').execute(),
    );
    expect(row).toEqual({ note });
    const set = (trx: Any) => trx.updateTable('invoices').set({ note }).returning('note').execute();
    expect(await changes(set)).toEqual(Array(7).fill({ note }));
  }
});

test('the owner is a parameter of a text that all share, and the plan is that of a condition', async () => {
  const query = (on: Kysely<Any>) =>
    on
      .selectFrom('invoices as i')
      .leftJoin('customers as c', 'c.id', 'i.customer_id')
      .select(['i.id', 'c.name'])
      .where('i.state', '=', 'paid');
  const [one, other] = [reader('a'), reader('b')].map((on) => query(on).compile() as CompiledQuery);
  expect(one?.sql).toBe(other?.sql);
  const { sql: text, parameters } = scope.bind(one as CompiledQuery, { owner: 'a' });
  expect(parameters).toEqual(['a', 'paid', 'a']);
  const { rows } = await db.pool.query(`explain ${text}`, parameters as unknown[]);
  expect(JSON.stringify(rows)).not.toContain('Subquery');
  // An unbound owner is never sent.
  await expect(db.pool.query(text, one?.parameters as unknown[])).rejects.toThrow('without the owner');
});

test('tables that let rows of one owner reach another', async () => {
  await changes(
    async (_, client) => {
      await client.query(`
      drop view paid; create view paid as select * from invoices where state = 'paid'; create view own as select id, owner from invoices;
      create view states as select state from paid; create view own_ids as select id from own; create view gone as select from cities;
      create table good (id uuid primary key default gen_random_uuid(), owner text not null, code text, unique (owner, code), unique (owner, id));
      create table child (id integer generated always as identity primary key, owner text not null, good uuid,
        foreign key (owner, good) references good (owner, id));
      create table lines (id integer primary key, good uuid references good);
      create table towns (id integer primary key);
      create table visits (id integer generated always as identity primary key, owner text not null,
        plain integer references towns, deleted integer references towns on delete cascade, emptied integer references towns on delete set null,
        reset integer references towns on delete set default, moved integer references towns on update cascade);
      create table bad (id uuid primary key, owner integer, unique (id) include (owner));
      create function total() returns bigint language sql as 'select sum(total) from Invoices';
      create function touched() returns trigger language plpgsql as 'begin select from invoices; return new; end'`);
      await client.query(`grant select (state) on states to scope_server; grant delete on own to scope_server;
        create function sum_of() returns bigint language sql security definer as 'select sum(total) from Invoices';
        create table pieces (id integer, owner text not null, primary key (owner, id)) partition by list (owner);
        create table pieces_a partition of pieces for values in ('a'); grant select on pieces_a to scope_server`);
      const problems = async (tenants: Record<string, string>, role = 'scope_server') => {
        await client.query(`set local role ${role}`);
        const found = await tenantProblems({ kysely: kyselyOn(client) }, { ...service, tenants });
        await client.query('set local role none');
        return found;
      };
      const lacks = (table: string) =>
        [
          `alter table ${table} alter owner set default nullif(current_setting('app.owner', true), '')`,
          `alter table ${table} enable row level security`,
          `alter table ${table} force row level security`,
          `create policy owner on ${table} using (owner = nullif(current_setting('app.owner', true), ''))`,
          `create policy unscoped on ${table} to scope_unscoped using (true)`,
        ].map((text) => `${table} lacks: ${text}`);
      expect(await problems({ good: 'owner' })).toEqual([
        'child_owner_good_fkey of child refers to rows of good, which have owners: add child to tenants',
        ...lacks('good'),
        'lines_good_fkey of lines refers to rows of good, which have owners: add lines to tenants',
      ]);
      // The start prints the SQL of the missing part.
      for (const each of ['good', 'child', 'visits', 'pieces'].flatMap(lacks))
        await client.query(each.slice(each.indexOf(': ') + 2));
      expect(await problems({ good: 'owner', child: 'owner' })).toEqual([
        'lines_good_fkey of lines refers to rows of good, which have owners: add lines to tenants',
      ]);
      expect(await problems({ visits: 'owner' })).toEqual(
        ['deleted', 'emptied', 'moved', 'reset'].map(
          (name) =>
            `visits_${name}_fkey of visits changes rows of all owners with one of towns: leave out cascade, set null and set default`,
        ),
      );
      expect(await problems({ pieces: 'owner' })).toEqual([
        'the table pieces_a is a part of pieces, without its policies: revoke it',
      ]);
      const view = (name: string, table: string) =>
        `the view ${name} sees all rows of ${table}: make it security_invoker, or revoke it`;
      expect(await problems({ ...TENANTS, own: 'owner', bad: 'owner', child: 'tenant', none: 'owner' })).toEqual([
        ...lacks('bad'),
        'bad.owner is no text that equals only itself',
        'bad.owner may be null: nobody sees a row without an owner',
        'bad_id_owner_key of bad is one of all owners: a conflict tells that another has the value',
        'bad_pkey of bad is one of all owners: a conflict tells that another has the value',
        'child.tenant is missing',
        'customers_name_key of customers is one of all owners: a conflict tells that another has the value',
        'invoices_customer_id_fkey of invoices does not name the owner: reference customers (owner, …)',
        'none.owner is missing',
        'the function sum_of() sees all rows of invoices: make it security invoker, or revoke it',
        view('own', 'invoices'),
        view('own', 'own'),
        view('states', 'invoices'),
      ]);
      await client.query(`drop function sum_of(); revoke all on own, states from scope_server;
        create policy more on invoices for select using (total > 0); create policy other on invoices to pg_monitor using (true)`);
      const bounds = Object.values(await problems({ invoices: 'owner' })).filter((each) => each.startsWith('the '));
      expect(bounds).toEqual(['the policy more of invoices adds rows of others: drop it']);
      await client.query('drop policy more on invoices; create role scope_owner; create role scope_bypass bypassrls');
      const roles = async (role: string) =>
        (await problems({ invoices: 'owner' }, role)).filter((each) => each.startsWith('the role'));
      const out = 'serve as one that is neither superuser nor bypassrls';
      const { rows } = await client.query<{ role: string }>('select session_user as role');
      expect(await roles('none')).toEqual([`the role ${rows[0]?.role} sees the rows of all owners: ${out}`]);
      expect(await roles('scope_bypass')).toEqual([
        'the role scope_bypass may not become scope_unscoped: grant scope_unscoped to scope_bypass with inherit false',
        `the role scope_bypass sees the rows of all owners: ${out}`,
      ]);
      await client.query('grant scope_unscoped to scope_owner; alter table invoices owner to scope_owner');
      expect(await roles('scope_owner')).toEqual([
        'the role scope_owner has the rows of scope_unscoped without becoming it: grant it with inherit false',
        'the role scope_owner may change the policies of invoices: serve as one that does not own it',
      ]);
      const missing = await client
        .query('alter role scope_unscoped rename to scope_gone')
        .then(() => roles('scope_server'));
      expect(missing).toEqual(['the role scope_unscoped is missing: create role scope_unscoped']);
    },
    'a',
    false,
  );
});
