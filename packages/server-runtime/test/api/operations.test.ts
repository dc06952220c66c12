import { ApiError } from '@petstore-platform/server-runtime';
import { countWaiting, withClient } from '@petstore-platform/testkit/postgres';
import { write } from '@repo/bookstore/api';
import { STORE } from '@repo/bookstore/stores';
import type { tables } from '@repo/bookstore/tables';
import { sql, type Transaction } from 'kysely';
import type { ReadonlyKysely } from 'kysely/readonly';
import { expect, test } from 'vitest';
import { rowsOf, temporaryDatabase } from '../support/database.ts';
import { handlerOf, readerOn, temporaryHandle } from '../support/runtime.ts';
import { temporaryServer } from '../support/server.ts';
import { CHANGES, NEW_STORE } from '../support/stores.ts';

test('a transaction whose header cannot be sent changes nothing', async () => {
  const { call, db } = await temporaryServer();
  const { json } = await call('POST', '/stores', { name: 'Paws', city: 'Bern' });
  for (const key of [undefined, 'k'])
    expect(await call('PATCH', `/stores/${json.id}`, { name: '日本' }, key)).toMatchObject({ status: 500 });
  expect(await rowsOf(db, 'select name from stores union all select key from idempotency_keys')).toEqual([
    { name: 'Paws' },
  ]);
});

test('a handler whose request is answered as the repetition of another ends', async () => {
  const db = temporaryHandle(await temporaryDatabase());
  let [begun, ended] = [0, 0];
  const create = write('createStore', NEW_STORE, async (_, db, { row }) => {
    begun += 1;
    try {
      await db.selectFrom('stores').select('id').execute();
      return row(addition(db).returning(STORE));
    } finally {
      ended += 1;
    }
  });
  const send = handlerOf(create, db);
  const all = await Promise.all([1, 2, 3].map(() => send({ headers: { 'idempotency-key': 'once' } })));
  expect(new Set(all.map(({ body }) => body)).size).toBe(1);
  expect(begun).toBe(3);
  await expect.poll(() => ended).toBe(3);
});

type Stores = NonNullable<typeof tables.types>;

/** The addition of a store. */
const addition = (db: Pick<Transaction<Stores>, 'insertInto'>, name = 'Paws') =>
  db.insertInto('stores').values({ name, city: 'Bern' });

/** A function that sends requests to `updateStore`. @param decide - what its handler does in its transaction */
async function updates(decide: (trx: Transaction<Stores>, name?: string) => Promise<unknown>) {
  const databaseUrl = await temporaryDatabase();
  const db = temporaryHandle(databaseUrl);
  const body = { id: 1, name: '', city: '', state: 'open' } as const;
  const update = write('updateStore', CHANGES, ({ body: { name } }, trx) =>
    decide(trx as Transaction<Stores>, name).then(() => ({ status: 200, headers: { ETag: '"x"' }, body })),
  );
  const handler = handlerOf(update, db);
  const send = (name?: string, key?: string) => handler({ headers: { 'idempotency-key': key }, body: { name } });
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

test('a handler goes on after a failure that Postgres did not see, and after one that its savepoint undoes', async () => {
  const { send, db } = await updates(async (trx, name) => {
    const insertion = addition(trx, name);
    await insertion.execute();
    await sql`savepoint s`.execute(trx);
    await expect(insertion.execute()).rejects.toMatchObject({ code: '23505' });
    await sql`rollback to s`.execute(trx);
    for (const value of [sql`${{ amount: 1n }}::json`, sql`9223372036854775807::bigint`])
      await expect(trx.selectNoFrom(value.as('x')).execute()).rejects.toThrow();
  });
  for (const key of [undefined, 'k']) expect(await send(key, key)).toMatchObject({ status: 200 });
  expect(await rowsOf(db, 'select name from stores order by id')).toEqual([{ name: 'Paws' }, { name: 'k' }]);
});

test('an insertion after the return to a savepoint takes the lock that this has freed', async () => {
  let held = -1;
  const { send } = await updates(async (trx) => {
    await sql`savepoint s`.execute(trx);
    await addition(trx, 'lost').execute();
    await sql`rollback to s`.execute(trx);
    await addition(trx).execute();
    const locks = sql`select from pg_locks where pid = pg_backend_pid() and locktype = 'advisory'`;
    held = (await locks.execute(trx)).rows.length;
  });
  expect(await send()).toMatchObject({ status: 200 });
  expect(held).toBe(1);
});

test('a transaction whose beginning fails stores nothing', async () => {
  const { send, db } = await updates(async (trx, name) => {
    for (let time = 0; time < 2; time++)
      await addition(trx, `${name} ${time}`)
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
    await note(addition(trx).returning(wait));
    await sql`savepoint s`.execute(trx);
    for (const query of [trx.selectNoFrom(wait), locking, update]) await note(query);
    await sql`rollback to s`.execute(trx);
    for (const query of [update, locking]) await note(query);
  });
  await send();
  expect(waits).toEqual(['5s', '100ms', '0', '100ms', '100ms', '0']);
});

const CANNOT_COMMIT = { message: expect.stringContaining('cannot commit: a statement was not awaited, or one failed') };
const taken = new ApiError(423, 'Stock is taken');

test.each<[string, decide: (trx: Transaction<Stores>) => Promise<unknown>, failure: object]>([
  [
    'a statement that failed, even if its handler goes on,',
    async (trx) => {
      await addition(trx).execute();
      await expect(trx.selectNoFrom(sql`1 / 0`.as('x')).execute()).rejects.toThrow('division');
    },
    CANNOT_COMMIT,
  ],
  [
    'statements that are not awaited',
    // The first statement waits for its turn, the second for the first.
    async (trx) => {
      for (let time = 0; time < 2; time++)
        addition(trx)
          .execute()
          .catch(() => {});
    },
    CANNOT_COMMIT,
  ],
  ['a rejected promise', (trx) => Promise.all([addition(trx).execute(), Promise.reject(taken)]), taken],
  [
    'an exception',
    (trx) => {
      addition(trx)
        .execute()
        .catch(() => {});
      throw taken;
    },
    taken,
  ],
])('a transaction with %s changes nothing, and the next one uses its connection', async (_, decide, failure) => {
  const { send, db } = await updates(decide);
  for (const key of [undefined, 'k', 'k']) await expect(send('x', key)).rejects.toMatchObject(failure);
  expect(await rowsOf(db, 'select from stores')).toEqual([]);
  expect(await rowsOf(db, 'select key from idempotency_keys')).toEqual(failure === taken ? [{ key: 'k' }] : []);
});

test('a migration that adds a column fails no request of a running server', async () => {
  const { send, db } = await updates(async (trx) => {
    const stores = trx.selectFrom('stores').selectAll();
    // More than the attempts of a transaction.
    for (let limit = 1; limit <= 5; limit++) await stores.limit(sql.lit(limit)).execute();
  });
  const reader = readerOn<Stores>(db);
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
  const db = temporaryHandle(await temporaryDatabase());
  await db.pool.query(`insert into stores (name, city) values ('Paws', 'Bern'), ('Claws', 'Bern')`);
  const remove = handlerOf(
    write('deleteStore', async ({ path: { storeId } }, trx, { row }) => {
      await trx.selectFrom('stores').select('id').where('id', '=', storeId).forUpdate().execute();
      const own = storeId % 2 ? trx : trx.with('own', (each) => each.selectFrom('books').select('title'));
      return row(own.deleteFrom('stores').where('id', '=', storeId), { missing: 'There is none' });
    }),
    db,
  );
  for (const storeId of [1, 2]) {
    expect(await remove({ path: { storeId } })).toMatchObject({ status: 204 });
    await expect(remove({ path: { storeId } })).rejects.toMatchObject({ status: 404, message: 'There is none' });
  }
  expect(await rowsOf(db, 'select from stores')).toEqual([]);
});

test('a statement that is not awaited before a query is returned is not lost alone', async () => {
  const db = temporaryHandle(await temporaryDatabase());
  const create = write('createStore', NEW_STORE, ({ body: { name } }, trx, { row }) => {
    void trx.insertInto('visits').values({ note: name }).execute();
    return row(addition(trx, name).returning(STORE));
  });
  const send = (name: string, key?: string) =>
    handlerOf(create, db)({ headers: { 'idempotency-key': key }, body: { name } });
  expect(await send('Paws')).toMatchObject({ status: 201 });
  await expect(send('Tails', 'k')).rejects.toMatchObject(CANNOT_COMMIT);
  for (const select of ['select note as name from visits', 'select name from stores'])
    expect(await rowsOf(db, select)).toEqual([{ name: 'Paws' }]);
});

test('a failure undoes the changes, and is stored with its code and headers', async () => {
  let changes = 0;
  const more = { code: 'taking_stock', headers: { 'Retry-After': '60' } };
  const { send, db } = await updates(async (trx) => {
    await addition(trx).execute();
    changes += 1;
    throw new ApiError(423, 'Stock is taken', more);
  });
  for (let time = 0; time < 2; time++)
    await expect(send('x', 'k')).rejects.toMatchObject({ status: 423, message: 'Stock is taken', ...more });
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
  const select = (reader: Pick<ReadonlyKysely<Stores>, 'selectNoFrom'>, n: number) =>
    reader.selectNoFrom(sql.lit(n).as('x')).execute();
  let late: Parameters<typeof select>[0] | undefined;
  const { send, db } = await updates(async (trx) => {
    await addition(trx).execute();
    if (late) await expect(select(late, 1)).rejects.toThrow('has been released');
  });
  const reader = readerOn<Stores>(db);
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

test('a read only selects, also in an open transaction', async () => {
  const db = temporaryHandle(await temporaryDatabase());
  await db.pool.query(`create function leave() returns integer language plpgsql as
    'begin insert into visits (note) values (1); return 1; end'`);
  // biome-ignore lint/suspicious/noExplicitAny: past the types
  const reader = readerOn<any>(db) as any;
  const books = reader.selectFrom('books');
  const gone = (step: (on: typeof reader) => unknown) => reader.with('gone', step).selectFrom('gone').selectAll();
  const refusals = [
    reader.deleteFrom('books'),
    gone((on) => on.deleteFrom('books').returningAll()),
    gone(() => sql`(delete from books returning *)`),
    books.selectAll().forUpdate(),
    books.selectAll().modifyEnd(sql`for update`),
    { execute: () => sql`delete from books`.execute(reader) },
    reader.selectNoFrom(sql`nextval('books_id_seq')`.as('x')),
    reader.selectNoFrom((eb: typeof reader) => eb.fn('leave').as('x')),
  ];
  for (const refused of refusals) await expect(refused.execute()).rejects.toThrow('A read may only select');
  expect(() => reader.startTransaction()).toThrow('transaction()');
  expect(db.pool.idleCount).toBe(db.pool.totalCount);
  const level = sql`current_setting('transaction_isolation')`.as('level');
  const snapshot = reader.transaction().setIsolationLevel('repeatable read');
  const levels = await snapshot.execute((trx: typeof reader) => trx.selectNoFrom(level).execute());
  expect(levels).toEqual([{ level: 'repeatable read' }]);
});
