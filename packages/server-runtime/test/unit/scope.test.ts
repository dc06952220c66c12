import { prepare, run as send } from '@petstore-platform/kysely-pipeline';
import { CompiledQuery, Kysely, ParensNode, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HandlerTransaction, unscoped } from '../../src/database/kysely.ts';
import { openDatabase } from '../../src/database/open.ts';
import { scoped } from '../../src/database/scope.ts';
import { Handle } from '../../src/database/statement.ts';
import { tenantProblems } from '../../src/database/tenant-isolation.ts';
import { type Own, Scope } from '../../src/database/tenants.ts';
import { createDatabase } from '../support/database.ts';
import { compose, SCHEMA, TENANTS } from '../support/statements.ts';

// biome-ignore lint/suspicious/noExplicitAny: statements of any tables
type Any = any;

const scope = new Scope(TENANTS, false);
let db: ReturnType<typeof openDatabase>;
let drop: () => Promise<void>;
let url: string;
beforeAll(async () => {
  const created = await createDatabase({ migrated: false });
  ({ drop, url } = created);
  db = openDatabase({ command: 'test' }, url);
  await db.pool.query(SCHEMA);
});
afterAll(async () => {
  await db.close();
  await drop();
});

const readerOn = (owned: Own) => new Handle(db).reader<Any>(owned, { caller: 'test' });

/** The runner of statements for an owner; null has none. */
const own = (owner: string | null) => ({ scope, caller: { owner: owner ?? undefined } });
const reader = (owner: string | null = 'a'): Kysely<Any> => readerOn(own(owner)) as unknown as Kysely<Any>;

/** Runs statements of an owner, or of nobody in particular, and undoes them. */
async function changes<Result>(
  run: (trx: Any, client: pg.PoolClient) => Promise<Result>,
  owner: string | null = 'a',
  isScoped = true,
): Promise<Result> {
  const client = await db.pool.connect();
  await client.query('begin');
  try {
    const transaction = new HandlerTransaction(
      async ({ sql, parameters }) => {
        const [result] = await send(client, prepare(sql, parameters));
        const { rows = [], count = 0, command = '' } = result ?? {};
        return command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(count) };
      },
      isScoped ? own(owner) : undefined,
    );
    const trx = transaction.db as Any;
    const result = await run(trx, client);
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
  const all = `select (select json_agg(c order by id) from customers c where owner = $1), (select json_agg(i order by id) from invoices i where owner = $1)`;
  return JSON.stringify((await client.query({ text: all, values: [owner], rowMode: 'array' })).rows);
};

test('no statement sees or changes the rows of another owner, and each sees all of its own', async () => {
  const runs = Number(process.env.SCOPE_RUNS ?? 150);
  const kinds = new Map<string, number>();
  let rows = 0;
  const plainOf = (row: object) =>
    JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
      // Ids that are generated differ.
      .replaceAll(/"c1":"\d{4,}"/g, '"c1":new');
  for (let seed = 1; seed <= runs; seed++) {
    const [owner, other] = seed % 2 ? ['a', 'b'] : ['b', 'a'];
    const run = (isAlone: boolean) =>
      changes(
        async (trx, client) => {
          // The oracle is a database with one owner only.
          if (isAlone)
            for (const text of [
              'delete from invoices where owner = $1',
              'update invoices set customer_id = null where customer_id in (select id from customers where owner = $1)',
              'delete from customers where owner = $1',
            ])
              await client.query(text, [other]);
          const before = await dump(client, other as string);
          const { query, kind } = compose(trx, seed);
          const context = `seed ${seed}, ${kind}: ${query.compile().sql}`;
          try {
            const found: string[] = (await query.execute()).map(plainOf).sort();
            return { kind, context, found, isUntouched: (await dump(client, other as string)) === before };
          } catch (error) {
            return { kind, context, error: (error as { code?: string }).code ?? `${error}`, isUntouched: true };
          }
        },
        owner,
        !isAlone,
      );
    const limited = await run(false);
    kinds.set(limited.kind, (kinds.get(limited.kind) ?? 0) + 1);
    rows += limited.found?.length ?? 0;
    expect(limited.isUntouched, limited.context).toBe(true);
    // The constraint is one of all owners, so that the oracle differs; no row of the other may come back.
    if (limited.kind === 'conflict') expect(limited.found?.join() ?? '', limited.context).not.toMatch(`"${other}\\d`);
    else {
      const alone = await run(true);
      // The oracle inserts without an owner.
      if (alone.error === '23502') continue;
      expect(limited.error, limited.context).toBe(alone.error);
      expect(limited.found, limited.context).toEqual(alone.found);
    }
  }
  expect(rows).toBeGreaterThan(runs * 3);
  expect([...kinds.keys()].sort()).toEqual(['change', 'change in with', 'conflict', 'for update', 'select', 'with']);
}, 600_000);

describe('statements that cannot be limited are refused', () => {
  const cities = (run: (query: Any) => Any) => (on: Any) => run(on.selectFrom('cities'));
  const part = (fragment: Any) => cities((query) => query.select(fragment.as('m')));
  const OWNERS = /have owners/;
  test.each<[string, (on: Any) => Any, RegExp]>([
    ['SQL as a whole', (on) => sql`select * from invoices`.execute(on), OWNERS],
    ['SQL as a table', (on) => on.selectFrom(sql`invoices`.as('i')).selectAll(), OWNERS],
    ['SQL in quotes', (on) => on.selectFrom(sql`"cities", "invoices"`.as('i')).selectAll(), OWNERS],
    ['SQL with a schema', (on) => on.selectFrom(sql`public . "invoices"`.as('i')).selectAll(), OWNERS],
    ['SQL in capitals', part(sql`(select max(total) from INVOICES)`), OWNERS],
    ['a name in pieces', part(sql`(select max(total) from inv${sql.raw('oices')})`), OWNERS],
    ['sql.table', part(sql`(select max(total) from ${sql.table('invoices')})`), OWNERS],
    ['sql.id', part(sql`(select max(total) from ${sql.id('public', 'invoices')})`), OWNERS],
    ['sql.ref', part(sql`(select max(total) from ${sql.ref('public.invoices')})`), OWNERS],
    ['sql.ref before a column', part(sql`(select ${sql.ref('x')} from invoices ${sql.ref('x')})`), OWNERS],
    ['an alias of sql.ref', part(sql`(select max(total) from ${sql.ref('invoices').as('i')})`), OWNERS],
    ['a column as a table', (on) => on.selectFrom((eb: Any) => eb.ref('invoices').as('i')).selectAll(), /as a table/],
    [
      'a set operation in SQL',
      cities((q) => q.selectAll().modifyEnd(sql`union select name, state from customers`)),
      OWNERS,
    ],
    ['a comment', part(sql`1 /* */`), /fragment/],
    ['unicode in a name', part(sql`(select max(total) from u&"\\0069nvoices")`), /fragment/],
    ['a function that runs SQL', part(sql`query_to_xml('select 1', true, true, '')`), /all owners/],
    ['the same by the builder', cities((q) => q.select(({ fn }: Any) => fn('query_to_xml', []).as('m'))), /all owners/],
    [
      'SQL as the name of a function',
      cities((q) => q.select(({ fn }: Any) => fn('(select total from invoices), f', []).as('m'))),
      /is no name/,
    ],
    ...[
      'query_to_xml',
      'pg_catalog.query_to_xml',
      'PG_CATALOG.Query_To_Xml',
      'pg_catalog.ts_stat',
      'extensions.crosstab',
      'extensions.dblink',
      'cron.schedule',
      'run_command_on_workers',
      'cursor_to_xml',
      'pg_read_file',
      'lo_import',
      'set_config',
      'currval',
      'mine.count',
      'mine.range',
    ].flatMap((name): [string, (on: Any) => Any, RegExp][] => {
      const [last, schema] = name.split('.').reverse() as [string, string | undefined];
      const id = schema ? sql.id(schema, last) : sql.id(last);
      const fn = (run: (eb: Any) => Any) => cities((q) => q.select((eb: Any) => run(eb).as('m')));
      const is = /all owners/;
      return [
        [`${name} by the builder`, fn((eb) => eb.fn(name, [sql.lit('select 1')])), is],
        [`${name} as an aggregate`, fn((eb) => eb.fn.agg(name, [sql.lit('select 1')])), is],
        [`${name} as a table`, (on) => on.selectFrom((eb: Any) => eb.fn(name, ['a']).as('x')).selectAll(), is],
        [`${name} in SQL`, part(sql`${sql.raw(name)} ('select 1')`), is],
        [`${name} in quotes`, part(sql`"${sql.raw(name.replace('.', '" . "'))}"('select 1')`), is],
        [`${name} by sql.id`, part(sql`${id}('select 1')`), is],
        [`${name} by sql.ref`, part(sql`${sql.ref(name)}('select 1')`), is],
        [`${name} by sql.table`, part(sql`(select 1 from ${sql.table(name)}('select 1'))`), is],
        [`${name} in a join`, (on) => on.selectFrom(sql`cities c, lateral ${sql.raw(name)}(c.city)`.as('i')), is],
        [`${name} after an alias`, (on) => on.selectFrom('cities').select(sql`1`.as(sql`a, ${sql.raw(name)}(1)`)), is],
      ];
    }),
    ['a statement in quotes', cities((q) => q.select(sql`'${q.select(sql.lit('x').as('x'))}'`.as('m'))), /fragment/],
    [
      'a path in quotes',
      cities((q) => q.select((eb: Any) => sql`'${eb.ref('x', '->').key('y')}'`.as('m'))),
      /fragment/,
    ],
    [
      'a tuple after a name',
      cities((q) => q.select((eb: Any) => sql`lo_import${eb.tuple('a', 'b')}`.as('m'))),
      /all owners/,
    ],
    ['a function in pieces', cities((q) => q.selectAll().orderBy(sql`dblink`, sql`('select 1')`)), /all owners/],
    ['statistics', (on) => on.selectFrom('pg_stats').select('most_common_vals'), /all owners/],
    [
      'a query that is made by hand',
      (on) => on.executeQuery(CompiledQuery.raw('select * from invoices')),
      /Kysely builds/,
    ],
    ['a prepared statement', (on) => sql`execute q_1('b')`.execute(on), /Kysely builds/],
    [
      'another builder',
      (on) => on.executeQuery((db.kysely as Kysely<Any>).selectFrom('invoices').selectAll().compile()),
      /Kysely builds/,
    ],
    [
      '`with` of this name',
      (on) =>
        on
          .with(
            'invoices',
            cities((q) => q.selectAll()),
          )
          .selectFrom('invoices')
          .selectAll(),
      /another name/,
    ],
  ])('%s', async (_, run, message) => {
    const start = async () => {
      const query = run(reader());
      return 'execute' in query ? query.execute() : query;
    };
    await expect(start()).rejects.toThrow(message);
  });

  const into = (trx: Any, row: object = { name: 'a2' }) => trx.insertInto('customers').values(row);
  const update = (trx: Any) => trx.updateTable('invoices');
  test.each<[string, (trx: Any) => Any, RegExp]>([
    ['an owner that is given', (trx) => into(trx, { name: 'x', owner: 'b' }), /set for you/],
    ['an owner that changes', (trx) => update(trx).set({ owner: 'b' }), /never changes/],
    [
      'an owner by reference',
      (trx) => update(trx).set((eb: Any) => eb.ref('invoices.owner'), 'b'),
      /never changes|name the columns/,
    ],
    ['an owner in SQL', (trx) => update(trx).set(sql`owner`, 'b'), /name the columns/],
    [
      'an owner after a conflict',
      (trx) => into(trx).onConflict((c: Any) => c.column('name').doUpdateSet({ owner: 'b' })),
      /never changes/,
    ],
    ['an end without its condition', (trx) => update(trx).set({ total: 0 }).modifyEnd(sql`or true`), /modifyEnd/],
    ['an end of a deletion', (trx) => trx.deleteFrom('invoices').modifyEnd(sql`or true`), /modifyEnd/],
    [
      'an end of an insertion',
      (trx) =>
        into(trx)
          .onConflict((c: Any) => c.column('name').doUpdateSet({ city: 'q' }))
          .modifyEnd(sql`or true`),
      /modifyEnd/,
    ],
    [
      'columns by their places',
      (trx) => trx.insertInto('invoices').expression(trx.selectFrom('invoices').selectAll()),
      /name the columns/,
    ],
    [
      'merge',
      (trx) => trx.mergeInto('invoices').using('customers', 'invoices.id', 'customers.id').whenMatched().thenDelete(),
      OWNERS,
    ],
    [
      'a column as a table',
      (trx) => trx.updateTable((eb: Any) => eb.ref('invoices').as('i')).set({ state: 'x' }),
      /as a table/,
    ],
    ['a deletion of it', (trx) => trx.deleteFrom((eb: Any) => eb.ref('invoices').as('i')), /as a table/],
    [
      'a change within SQL',
      (trx) =>
        trx
          .with('x', () => sql`${trx.deleteFrom('invoices').where('id', '=', 1)} or true`)
          .selectFrom('x')
          .selectAll(),
      /fragment/,
    ],
    ['two tables', (trx) => trx.updateTable(['invoices', 'customers']).set({ state: 'x' }), /as a table/],
    ['a schema', (trx) => trx.schema.dropTable('invoices'), /Kysely builds/],
    ['SQL', (trx) => sql`delete from invoices`.execute(trx), /Kysely builds|have owners/],
  ])('%s', async (_, run, message) => {
    const start = async (trx: Any) => {
      const query = run(trx);
      return 'execute' in query ? query.execute() : query;
    };
    await expect(changes(start)).rejects.toThrow(message);
  });

  test.each([
    'true or true',
    'true) or (true',
    'true -- ',
    'true /*',
    'true; delete from cities; select 1 where (true',
    'owner is not null or id > 0',
    "$$ x) $$ <> '' or true",
    `e'\\'') or (true and '' <> ''`,
    `U&'\\0027' <> '' or true`,
    `state <> 'it''s (x' or state = "state"`,
  ])('a fragment stays in its place: %s', async (fragment) => {
    const others = await changes(async (trx, client) => {
      const before = await dump(client, 'b');
      const update = trx.updateTable('invoices').set({ state: 'x' }).where(sql.raw(fragment));
      const isRefused = await update.execute().then(
        () => false,
        () => true,
      );
      return isRefused || (await dump(client, 'b')) === before;
    });
    expect(others).toBe(true);
  });

  test('a value in a fragment sets its own column only', async () => {
    const owners = await changes(async (trx) => {
      await update(trx).set({ state: sql`'x', owner = 'b'` }).execute();
      return trx.selectFrom('invoices').select('owner').execute();
    });
    expect(owners).toHaveLength(7);
  });

  test('a node of a kind that it does not know', () => {
    const table = reader().selectFrom('invoices').toOperationNode().from?.froms[0] as Any;
    const query = reader().selectFrom('cities').toOperationNode();
    const limit = () => scoped({ ...query, where: ParensNode.create(table) } as Any, TENANTS, undefined);
    expect(limit).toThrow(OWNERS);
  });
});

test('functions of Postgres that see what they are given, and those that the service names', async () => {
  const one = async (fragment: Any, on: Any = reader()) => {
    const { m } = await on.selectFrom('cities').select(fragment.as('m')).limit(1).executeTakeFirstOrThrow();
    return m;
  };
  expect(await one(sql`(select count(*) filter (where n > 1) from (values (1), (2)) as v (n) where n in (1, 2))`)).toBe(
    1,
  );
  expect(await one(sql`cast(round(1.256, 2) as numeric(10, 2))::text`)).toBe('1.26');
  expect(await one(sql`pg_catalog.lower("upper"('x'))`)).toBe('x');
  expect(await one(sql`(with x as materialized (select 1 as n) select (n) from x)`)).toBe(1);
  const list = sql`(values (1, 2))`.as(sql`v(a, b)`);
  expect(await reader().selectFrom(list).selectAll().execute()).toEqual([{ a: 1, b: 2 }]);
  const named = new Scope(TENANTS, false, ['pg_catalog.current_database', 'pg_backend_pid']);
  const on = readerOn({ scope: named, caller: { owner: 'a' } });
  expect(await one(sql`pg_catalog.current_database()`, on)).toBe(new URL(url).pathname.slice(1));
  expect(await one(sql`pg_backend_pid()`, on)).toBeTypeOf('number');
  await expect(one(sql`current_database()`, on)).rejects.toThrow('name it in functions');
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
  expect(parameters).toEqual(['a', 'a', 'paid']);
  const { rows } = await db.pool.query(`explain ${text}`, parameters as unknown[]);
  expect(JSON.stringify(rows)).not.toContain('Subquery');
  // An unbound owner is never sent.
  await expect(db.pool.query(text, one?.parameters as unknown[])).rejects.toThrow('without the owner');
});

test('tables that let rows of one owner reach another', async () => {
  await changes(
    async (_, client) => {
      await client.query(`
      create view paid as select * from invoices where state = 'paid'; create view own as select id, owner from invoices;
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
      const problems = (tenants: Record<string, string>) => tenantProblems({ kysely: kyselyOn(client) }, tenants);
      expect(await problems({ good: 'owner', child: 'owner' })).toEqual([
        'lines_good_fkey of lines refers to rows of good, which have owners: add lines to tenants',
      ]);
      expect(await problems({ visits: 'owner' })).toEqual(
        ['deleted', 'emptied', 'moved', 'reset'].map(
          (name) =>
            `visits_${name}_fkey of visits changes rows of all owners with one of towns: leave out cascade, set null and set default`,
        ),
      );
      expect(await problems({ ...TENANTS, own: 'owner', bad: 'owner', child: 'tenant', none: 'owner' })).toEqual([
        'bad.owner is no text that equals only itself',
        'bad.owner may be null: nobody sees a row without an owner',
        'bad_id_owner_key of bad is one of all owners: a conflict tells that another has the value',
        'bad_pkey of bad is one of all owners: a conflict tells that another has the value',
        'child.tenant is missing',
        'customers_name_key of customers is one of all owners: a conflict tells that another has the value',
        'invoices_customer_id_fkey of invoices does not name the owner: reference customers (owner, …)',
        'none.owner is missing',
        'the function total() sees all rows of invoices: revoke it',
        'the view own_ids sees all rows of own: add it to tenants, or revoke it',
        'the view paid sees all rows of invoices: add it to tenants, or revoke it',
        'the view states sees all rows of invoices: add it to tenants, or revoke it',
      ]);
      const role = `reader_${process.pid}`;
      await client.query(`create role ${role}; grant select (state) on states to ${role}; grant delete on own to ${role};
        revoke execute on function total() from public; set local role ${role}`);
      const views = (await problems({ invoices: 'owner' })).filter((each) => each.startsWith('the '));
      expect(views).toEqual(
        ['own', 'states'].map((name) => `the view ${name} sees all rows of invoices: add it to tenants, or revoke it`),
      );
    },
    'a',
    false,
  );
});
