import { ApiError } from '@petstore-platform/server-runtime';
import { countWaiting, withClient } from '@petstore-platform/testkit/postgres';
import { write } from '@repo/bookstore/api';
import { STORE } from '@repo/bookstore/stores';
import type { tables } from '@repo/bookstore/tables';
import { sql, type Transaction } from 'kysely';
import type { ReadonlyKysely } from 'kysely/readonly';
import { expect, test } from 'vitest';
import { rowsOf, temporaryDatabase } from '../support/database.ts';
import { handlerOf, insertApiKey, readerOn, temporaryHandle } from '../support/runtime.ts';
import { temporaryServer } from '../support/server.ts';

const paws = { name: 'Paws', city: 'Bern', capacity: 10 };

test('a store by reads and writes', async () => {
  const { call } = await temporaryServer();
  const opened = await call('POST', '/stores', paws);
  expect(opened).toMatchObject({ status: 201, json: { ...paws, id: expect.any(Number), state: 'open' } });
  const path = `/stores/${opened.json.id}`;
  expect((await call('GET', path)).text).toBe(opened.text);
  expect(await call('GET', '/stores/77')).toMatchObject({ status: 404, json: { message: 'There is no store 77' } });

  const changed = await call('PATCH', path, { state: 'full' });
  expect(changed).toMatchObject({ status: 200, json: { ...paws, state: 'full' } });
  expect((await call('PUT', `${path}/name`, { name: 'Claws' })).json).toMatchObject({ name: 'Claws', state: 'full' });

  await call('POST', '/books', { title: 'Emma', storeId: opened.json.id, format: 'ebook' });
  expect((await call('GET', `${path}/stock`)).json).toEqual({ store: 'Claws', books: 1 });
  expect((await call('GET', `${path}/stock?format=paperback`)).json).toEqual({ store: 'Claws', books: 0 });
  expect(await call('GET', '/stores/77/stock')).toMatchObject({ status: 404 });

  expect(await call('DELETE', path)).toMatchObject({ status: 204, text: '' });
  expect(await call('DELETE', path)).toMatchObject({ status: 404 });
});

test('a transaction whose header cannot be sent changes nothing', async () => {
  const { call, db } = await temporaryServer();
  const { json } = await call('POST', '/stores', paws);
  for (const key of [undefined, 'k'])
    expect(await call('PATCH', `/stores/${json.id}`, { name: '日本' }, key)).toMatchObject({ status: 500 });
  expect(await rowsOf(db, 'select name from stores union all select key from idempotency_keys')).toEqual([
    { name: 'Paws' },
  ]);
});

test('a handler whose request is answered as the repetition of another ends', async () => {
  const db = temporaryHandle(await temporaryDatabase());
  let [begun, ended] = [0, 0];
  const uses = { name: true, city: true, capacity: true } as const;
  const create = handlerOf(
    write('createStore', uses, async ({ body }, db, { row }) => {
      begun += 1;
      try {
        await db.selectFrom('stores').select('id').execute();
        return row(db.insertInto('stores').values({ name: body.name, city: body.city }).returning(STORE));
      } finally {
        ended += 1;
      }
    }),
    db,
  );
  const request = { body: { name: 'Paws', city: 'Bern' }, headers: { 'idempotency-key': 'once' } };
  const all = await Promise.all([1, 2, 3].map(() => create(request, { path: '/', fingerprint: '0000' })));
  expect(new Set(all.map(({ body }) => body)).size).toBe(1);
  expect(begun).toBe(3);
  await expect.poll(() => ended).toBe(3);
});

/** Makes a handler of `updateStore`, and a function that calls it. @param decide - what the handler does in its transaction */
async function updates(
  decide: (trx: Transaction<NonNullable<typeof tables.types>>, name?: string) => Promise<unknown>,
  timeLimit = 5_000,
) {
  const { db, databaseUrl } = await temporaryServer({ config: { STATEMENT_TIMEOUT: timeLimit / 1_000 } });
  const { id } = await insertApiKey(db, { name: 'test', plan: 'free' });
  const uses = { name: true, capacity: true, state: true } as const;
  const update = handlerOf(
    write('updateStore', uses, ({ body }, trx) =>
      decide(trx as Transaction<NonNullable<typeof tables.types>>, body.name).then(() => ({
        status: 200,
        headers: { ETag: '"x"' },
        body: { id: 1, name: '', city: '', state: 'open' },
      })),
    ),
    db,
  );
  const send = (name?: string, key?: string) =>
    update(
      { path: { storeId: 1 }, headers: { 'idempotency-key': key }, body: { name } },
      { caller: { id: `key:${id}` }, fingerprint: 'ab' },
    );
  return { send, db, databaseUrl };
}

test('a transaction runs SQL of its author, and no statement after its end', async () => {
  let late: (() => Promise<unknown>) | undefined;
  const { send, db } = await updates(async (trx, name) => {
    if (name) await sql`insert into stores (name, city) values (${name}, 'y')`.execute(trx);
    late = () => trx.selectFrom('stores').selectAll().execute();
  });
  for (const name of ['x', undefined]) expect(await send(name)).toMatchObject({ status: 200 });
  await expect(late?.()).rejects.toThrow('has ended');
  expect(await rowsOf(db, 'select name from stores')).toEqual([{ name: 'x' }]);
});

test('a transaction with a statement that failed is a bug, even if its handler goes on', async () => {
  const { send, db } = await updates(async (trx) => {
    await trx.insertInto('stores').values({ name: 'Paws', city: 'Bern' }).execute();
    await expect(trx.selectNoFrom(sql`1 / 0`.as('x')).execute()).rejects.toThrow('division');
  });
  for (const key of [undefined, 'k']) await expect(send('x', key)).rejects.toThrow('its error was not thrown');
  expect(await rowsOf(db, 'select from stores union all select from idempotency_keys')).toEqual([]);
});

test('a handler goes on after a failure that Postgres did not see, and after one that its savepoint undoes', async () => {
  const { send, db } = await updates(async (trx, name) => {
    const insertion = trx.insertInto('stores').values({ name: name ?? 'x', city: 'Bern' });
    await insertion.execute();
    await sql`savepoint s`.execute(trx);
    await expect(insertion.execute()).rejects.toMatchObject({ code: '23505' });
    await sql`rollback to s`.execute(trx);
    for (const value of [sql`${{ amount: 1n }}::json`, sql`9223372036854775807::bigint`])
      await expect(trx.selectNoFrom(value.as('x')).execute()).rejects.toThrow();
  });
  for (const key of [undefined, 'k']) expect(await send(key, key)).toMatchObject({ status: 200 });
  expect(await rowsOf(db, 'select name from stores order by name')).toEqual([{ name: 'k' }, { name: 'x' }]);
});

test('an insertion after the return to a savepoint takes the lock that this has freed', async () => {
  let held = -1;
  const { send } = await updates(async (trx, name) => {
    const insertion = (value: string) => trx.insertInto('stores').values({ name: value, city: 'Bern' }).execute();
    await sql`savepoint s`.execute(trx);
    await insertion(`${name} lost`);
    await sql`rollback to s`.execute(trx);
    await insertion(`${name}`);
    const locks = sql<{
      n: number;
    }>`select count(*)::integer as n from pg_locks where pid = pg_backend_pid() and locktype = 'advisory'`;
    held = (await locks.execute(trx)).rows[0]?.n ?? -1;
  });
  expect(await send('x')).toMatchObject({ status: 200 });
  expect(held).toBe(1);
});

test('a transaction whose beginning fails stores nothing', async () => {
  const { send, db } = await updates(async (trx, name) => {
    for (let time = 0; time < 2; time++)
      await trx
        .insertInto('stores')
        .values({ name: `${name} ${time}`, city: 'Bern' })
        .execute()
        .catch(() => {});
  });
  expect(await send('x', 'first')).toMatchObject({ status: 200 });
  // As by a pooler that gives each transaction another session.
  await db.pool.query('deallocate all');
  await expect(send('y', 'second')).rejects.toMatchObject({ code: '26000' });
  expect(await rowsOf(db, 'select name from stores')).toEqual([{ name: 'x 0' }, { name: 'x 1' }]);
});

test('after a plain select, a change waits briefly for a lock, and forUpdate() as long as any statement', async () => {
  const waits: string[] = [];
  const { send } = await updates(async (trx) => {
    const wait = sql<string>`current_setting('lock_timeout')`.as('wait');
    const locking = trx.selectFrom('stores').select(wait).forUpdate();
    const update = trx.updateTable('stores').set({ capacity: 7 }).returning(wait);
    const note = async (query: { execute(): Promise<{ wait: string }[]> }) => {
      waits.push(...(await query.execute()).map((row) => row.wait));
    };
    await note(trx.insertInto('stores').values({ name: 'Paws', city: 'Bern' }).returning(wait));
    await sql`savepoint s`.execute(trx);
    for (const query of [trx.selectNoFrom(wait), locking, update]) await note(query);
    await sql`rollback to s`.execute(trx);
    for (const query of [update, locking]) await note(query);
  });
  await send();
  expect(waits).toEqual(['5s', '100ms', '0', '100ms', '100ms', '0']);
});

test('a transaction that does not wait for a statement is a bug, and changes nothing', async () => {
  // The first statement waits for its turn, the second for the first.
  const { send, db } = await updates(async (trx) => {
    const insertion = trx.insertInto('stores').values({ name: 'Paws', city: 'Bern' });
    for (let time = 0; time < 2; time++) insertion.execute().catch(() => {});
  });
  for (const key of [undefined, 'k']) await expect(send('x', key)).rejects.toThrow('was not awaited');
  expect(await rowsOf(db, 'select from stores union all select from idempotency_keys')).toEqual([]);
});

const taken = new ApiError(423, 'Stock is taken');

test.each([
  ['a rejected promise', (added: Promise<unknown>) => Promise.all([added, Promise.reject(taken)])],
  [
    'an exception',
    (added: Promise<unknown>) => {
      added.catch(() => {});
      throw taken;
    },
  ],
])('%s undoes a change that is still on its way', async (_failure, fail) => {
  // The insertion waits for its turn meanwhile.
  const { send, db } = await updates((trx) =>
    fail(trx.insertInto('stores').values({ name: 'Paws', city: 'Bern' }).execute()),
  );
  for (const key of [undefined, 'k']) await expect(send('x', key)).rejects.toMatchObject({ status: 423 });
  // This request uses the same connection.
  await expect(send('x', 'k')).rejects.toMatchObject({ status: 423 });
  expect(await rowsOf(db, 'select from stores')).toEqual([]);
});

test('a migration that adds a column fails no request of a running server', async () => {
  const { send, db } = await updates(async (trx) => {
    const stores = trx.selectFrom('stores').selectAll();
    // More than the attempts of a transaction.
    for (let limit = 1; limit <= 5; limit++) await stores.limit(sql.lit(limit)).execute();
  });
  const reader = readerOn<NonNullable<typeof tables.types>>(db);
  const read = () => reader.selectFrom('visits').selectAll().execute();
  // All use the same connection.
  await send();
  await read();
  for (const table of ['stores', 'visits']) await db.pool.query(`alter table ${table} add column more text`);
  for (let time = 0; time < 2; time++) {
    expect(await send('x', `${time}`)).toMatchObject({ status: 200 });
    expect(await read()).toEqual([]);
  }
});

test('an update without any value is 400', async () => {
  const { send } = await updates((trx, name) => trx.updateTable('stores').set({ name }).execute());
  await expect(send()).rejects.toMatchObject({ status: 400, message: 'The request changes nothing' });
  expect(await send('Paws')).toMatchObject({ status: 200 });
});

test('the answer of a transaction may be a change that returns nothing, with or without steps of its own', async () => {
  const { db } = await temporaryServer();
  const { id } = await insertApiKey(db, { name: 'test', plan: 'free' });
  await db.pool.query(`insert into stores (name, city) values ('Paws', 'Bern'), ('Claws', 'Bern')`);
  const remove = handlerOf(
    write('deleteStore', async ({ path: { storeId } }, trx, { row }) => {
      await trx.selectFrom('stores').select('id').where('id', '=', storeId).forUpdate().execute();
      const own = storeId % 2 ? trx : trx.with('own', (each) => each.selectFrom('books').select('title'));
      return row(own.deleteFrom('stores').where('id', '=', storeId), { missing: 'There is none' });
    }),
    db,
  );
  const send = (storeId: number) => remove({ path: { storeId }, headers: {} }, { caller: { id: `key:${id}` } });
  for (const storeId of [1, 2]) {
    expect(await send(storeId)).toMatchObject({ status: 204 });
    await expect(send(storeId)).rejects.toMatchObject({ status: 404, message: 'There is none' });
  }
  expect(await rowsOf(db, 'select from stores')).toEqual([]);
});

test('a failure undoes the changes, and is stored with its code and headers', async () => {
  let changes = 0;
  const { send, db } = await updates(async (trx) => {
    await trx.insertInto('stores').values({ name: 'Paws', city: 'Bern' }).execute();
    changes += 1;
    throw new ApiError(423, 'Stock is taken', { code: 'taking_stock', headers: { 'Retry-After': '60' } });
  });
  for (let time = 0; time < 2; time++)
    await expect(send('x', 'k')).rejects.toMatchObject({
      status: 423,
      code: 'taking_stock',
      message: 'Stock is taken',
      headers: { 'Retry-After': '60' },
    });
  expect(changes).toBe(1);
  expect(await rowsOf(db, 'select from stores')).toEqual([]);
});

test('an insertion waits for its turn, but not into a table that no list walks', async () => {
  const { send, databaseUrl } = await updates(async (trx, name) => {
    if (name)
      await trx
        .insertInto('public.stores' as 'stores')
        .values({ name, city: 'Bern' })
        .execute();
    else await trx.insertInto('visits').values({ note: 'x' }).execute();
  });
  await withClient(databaseUrl, async (client) => {
    await client.query(
      `begin; select pg_advisory_xact_lock(oid::integer, 0) from pg_class where relname in ('stores', 'visits')`,
    );
    expect(await send()).toMatchObject({ status: 200 });
    const added = send('Paws');
    await expect.poll(() => countWaiting(client)).toBe(1);
    await client.query('commit');
    expect(await added).toMatchObject({ status: 200 });
  });
});

test('a read has no part in a transaction, and a connection reads nothing after its end', async () => {
  const select = (reader: Pick<ReadonlyKysely<NonNullable<typeof tables.types>>, 'selectNoFrom'>, n: number) =>
    reader.selectNoFrom(sql.lit(n).as('x')).execute();
  let late: Parameters<typeof select>[0] | undefined;
  const { send, db } = await updates(async (trx) => {
    await trx.insertInto('stores').values({ name: 'Paws', city: 'Bern' }).execute();
    if (late) await expect(select(late, 1)).rejects.toThrow('has been released');
  });
  const reader = readerOn<NonNullable<typeof tables.types>>(db);
  let started: Promise<unknown> | undefined;
  await reader.connection().execute(async (one) => {
    started = select(one, 2);
  });
  expect(await started).toEqual([{ x: 2 }]);
  await reader.connection().execute(async (one) => {
    late = one;
  });
  expect(await send()).toMatchObject({ status: 200 });
  expect(await rowsOf(db, 'select name from stores')).toEqual([{ name: 'Paws' }]);
});

test('a read only selects, and forgets prepared statements, also in an open transaction', async () => {
  const { db } = await temporaryServer();
  await db.pool.query(`create function leave() returns integer language plpgsql as
    'begin insert into visits (note) values (1); return 1; end'`);
  // biome-ignore lint/suspicious/noExplicitAny: past the types
  const reader = readerOn<any>(db) as any;
  const books = reader.selectFrom('books');
  const refusals = [
    reader.deleteFrom('books'),
    reader
      .with('gone', (q: typeof reader) => q.deleteFrom('books').returningAll())
      .selectFrom('gone')
      .selectAll(),
    reader
      .with('gone', () => sql`(delete from books returning *)`)
      .selectFrom('gone')
      .selectAll(),
    books.selectAll().forUpdate(),
    books.selectAll().modifyEnd(sql`for update`),
    { execute: () => sql`delete from books`.execute(reader) },
    reader.selectNoFrom(sql`nextval('books_id_seq')`.as('x')),
    reader.selectNoFrom((eb: typeof reader) => eb.fn('leave').as('x')),
  ];
  for (const refused of refusals) await expect(refused.execute()).rejects.toThrow('A read may only select');
  expect(() => reader.startTransaction()).toThrow('transaction()');
  expect(db.pool.idleCount).toBe(db.pool.totalCount);
  const snapshot = reader.transaction().setIsolationLevel('repeatable read');
  const count = (trx: typeof reader, n: number) =>
    trx.selectFrom('books').select('id').where('id', 'in', Array(n).fill(1));
  for (let n = 1; n <= 500; n++) await count(reader, n).execute();
  await snapshot.execute(async (trx: typeof reader) => {
    expect(await trx.selectNoFrom(sql`current_setting('transaction_isolation')`.as('x')).execute()).toEqual([
      { x: 'repeatable read' },
    ]);
    for (let n = 501; n <= 510; n++) expect(await count(trx, n).execute()).toEqual([]);
    const prepared = trx.selectFrom('pg_prepared_statements').select('name').where('name', 'like', 'q\\_%');
    expect((await prepared.execute()).length).toBeLessThanOrEqual(501);
  });
  for (const n of [1, 510]) expect(await count(reader, n).execute()).toEqual([]);
});
