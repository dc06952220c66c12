import { countWaiting, withClient } from '@petstore-platform/testkit/postgres';
import { read, write } from '@repo/bookstore/api';
import { STORE, stores } from '@repo/bookstore/stores';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { handlerOf, temporaryHandle } from '../support/runtime.ts';
import { CHANGES, headers, NEW_STORE, WITH_ETAG } from '../support/stores.ts';

/** What requests do to each other: on other servers, and of other callers. */
async function twoServers(timeLimit?: number) {
  const url = await temporaryDatabase();
  const servers = [0, 1].map(() => temporaryHandle(url, { timeLimit }));
  const [db] = servers as [(typeof servers)[0]];
  return { url, db, servers };
}

const OTHER = { caller: { id: 'key:1' } };

/** Changes the session, also beyond the transaction. */
const LEFT = sql<string>`concat(set_config('statement_timeout', '60', false), set_config('app.caller', 'ann', false))`;

/** Adds one to the capacity, as its author computes it. */
const increment = (locks: boolean) =>
  write('updateStore', CHANGES, async ({ path }, db, { row }) => {
    const select = db.selectFrom('stores').select('capacity').where('id', '=', path.storeId);
    const { capacity } = await (locks ? select.forUpdate() : select).executeTakeFirstOrThrow();
    const update = db.updateTable('stores').set({ capacity: (capacity ?? 0) + 1 });
    return row(update.where('id', '=', path.storeId).returning(WITH_ETAG), { headers });
  });

test.each([false, true])('no increment of two servers is lost by a handler that locks the row: %s', async (locks) => {
  const { db, servers } = await twoServers();
  await db.pool.query(`insert into stores (name, city, capacity) values ('Paws', 'Bern', 0)`);
  const handlers = servers.map((server) => handlerOf(increment(locks), server));
  const requests = Array.from({ length: 100 }, (_, n) => {
    const key = n % 3 ? undefined : `${n}`;
    return handlers[n % 2]?.({ path: { storeId: 1 }, headers: { 'idempotency-key': key }, body: { state: 'open' } });
  });
  const answers = await Promise.all(requests);
  expect(answers.map(({ status }) => status)).toEqual(requests.map(() => 200));
  const { rows } = await db.pool.query('select capacity from stores');
  expect(rows).toEqual([{ capacity: requests.length }]);
});

/** Moves one from a store to the other, as its author computes it. The rows of its first reads are not locked. */
const transfer = write('createStore', NEW_STORE, async ({ body: { name } }, db, { row }) => {
  const [from, to] = name === 'there' ? [1, 2] : [2, 1];
  const capacityOf = async (id: number) => {
    const select = db.selectFrom('stores').select('capacity').where('id', '=', id);
    return Number((await select.executeTakeFirstOrThrow()).capacity);
  };
  const [one, other] = [await capacityOf(from), await capacityOf(to)];
  const set = (id: number, capacity: number) => db.updateTable('stores').set({ capacity }).where('id', '=', id);
  await set(from, one - 1).execute();
  return row(set(to, other + 1).returning(STORE));
});
const ACCOUNTS = `insert into stores (name, city, capacity) values ('A', 'Bern', 100), ('B', 'Bern', 100)`;

test('transfers in both directions end, even if Postgres does not look for deadlocks', async () => {
  const { db, url, servers } = await twoServers(60_000);
  await db.pool.query(`alter database ${new URL(url).pathname.slice(1)} set deadlock_timeout = '1h'; ${ACCOUNTS}`);
  const handlers = servers.map((server) => handlerOf(transfer, server));
  const transfers = Array.from({ length: 48 }, (_, n) =>
    handlers[n % 2]?.({ body: { name: n % 4 < 2 ? 'there' : 'back' } }, n % 3 ? {} : OTHER),
  );
  expect((await Promise.all(transfers)).map(({ status }) => status)).toEqual(transfers.map(() => 201));
  const { rows } = await db.pool.query('select capacity from stores order by id');
  expect(rows).toEqual([{ capacity: 100 }, { capacity: 100 }]);
});

test('a transaction that cannot change what it has read fails by contention', async () => {
  const { url, db } = await twoServers(1_500);
  await db.pool.query(ACCOUNTS);
  await withClient(url, async (client) => {
    await client.query('begin; select from stores for update');
    const failed = handlerOf(transfer, db)({ body: { name: 'there' } });
    const message = expect.stringContaining('Contention');
    await expect(failed).rejects.toMatchObject({ message, cause: { code: '55P03' } });
  });
});

test('changes that wait for locked rows leave connections to reads, and to the changes of others', async () => {
  const { url, db } = await twoServers();
  await db.pool.query(`insert into stores (name, city) select n, 'Bern' from generate_series(1, 20) as n`);
  const rename = handlerOf(stores.replaceStoreName, db);
  await withClient(url, async (client) => {
    await client.query('begin; select from stores where id <= 10 for update');
    const locked = Array.from({ length: 10 }, (_, n) =>
      rename({ path: { storeId: n + 1 }, body: { name: `locked ${n}` } }),
    );
    await expect.poll(() => countWaiting(client)).toBe(4);
    // Each of these uses the same pool.
    expect(await rename({ path: { storeId: 11 }, body: { name: 'free' } }, OTHER)).toMatchObject({ status: 200 });
    expect(await handlerOf(stores.getStore, db)({ path: { storeId: 12 } })).toMatchObject({ status: 200 });
    await client.query('commit');
    expect((await Promise.all(locked)).map(({ status }) => status)).toEqual(locked.map(() => 200));
  });
});

test('one of several insertions that fails is left out, and the others are stored', async () => {
  const db = temporaryHandle(await temporaryDatabase());
  const create = handlerOf(stores.createStore, db);
  const send = (name: string, key?: string) =>
    create({ headers: { 'idempotency-key': key }, body: { name, city: 'Bern' } }).then(
      ({ status }) => status,
      ({ status, code }) => status ?? code,
    );
  await Promise.all([send('Taken', 'taken'), send('Other')]);
  const again = Array.from({ length: 20 }, (_, n) => send(n % 5 ? `New ${n}` : 'Taken', n % 2 ? `${n}` : undefined));
  const repeated = [send('Taken', 'taken'), send('Last', 'last')];
  expect(await Promise.all(again)).toEqual(again.map((_, n) => (n % 5 ? 201 : 409)));
  expect(await Promise.all(repeated)).toEqual([201, 201]);
  expect((await db.pool.query('select count(*)::integer as n from stores')).rows).toEqual([{ n: 19 }]);
});

test('an insertion that is stored is answered so, whatever happens to those with which it was sent', async () => {
  const db = temporaryHandle(await temporaryDatabase());
  await db.pool.query(`
    create function refuse() returns trigger language plpgsql as $$
      begin
        if (select count(*) from stores where xmin = pg_current_xact_id()::xid) > 1 then raise 'not together'; end if;
        if new.name = 'Lost' then perform pg_terminate_backend(pg_backend_pid()); end if;
        return null;
      end $$;
    create constraint trigger refuse after insert on stores deferrable initially deferred for each row execute function refuse()`);
  const create = handlerOf(stores.createStore, db);
  const outcomes = await Promise.allSettled(['Paws', 'Lost'].map((name) => create({ body: { name, city: 'Bern' } })));
  expect(outcomes).toMatchObject([
    { value: { status: 201 } },
    { reason: { message: expect.stringContaining('lost during a write') } },
  ]);
  expect((await db.pool.query('select name from stores')).rows).toEqual([{ name: 'Paws' }]);
});

test.each([
  [
    'a statement of a write',
    write('updateStore', CHANGES, async (_, db, { row }) => {
      await sql`select ${LEFT}, pg_advisory_lock(42)`.execute(db);
      return row(db.updateTable('stores').set({ state: 'full' }).returning(WITH_ETAG), { headers });
    }),
  ],
  [
    'the change of a write',
    write('updateStore', CHANGES, (_, db, { row }) => {
      const etag = sql<string>`concat(name, ${LEFT}, pg_advisory_lock(42))`.as('etag');
      const update = db.updateTable('stores').set({ state: 'full' });
      return row(update.returning([...STORE, etag]), { headers });
    }),
  ],
  [
    'the select of a read',
    read('getStore', (_, db, { row }) =>
      row(db.selectFrom('stores').select(['id', 'name', 'capacity', 'state', LEFT.as('city')])),
    ),
  ],
  [
    'the statements of a read',
    read('getStore', async (_, db) => {
      await db.selectNoFrom(LEFT.as('left')).execute();
      await db.transaction().execute((one) => one.selectNoFrom(LEFT.as('left')).execute());
      return { status: 200, body: { id: 1, name: 'Paws', city: 'Bern', state: 'open' } };
    }),
  ],
])('no state is left on a connection: by %s', async (_, leaving) => {
  const db = temporaryHandle(await temporaryDatabase(), { size: 1 });
  const select = `
    select json_object_agg(name, setting) as settings, coalesce(current_setting('app.caller', true), '') as caller,
      (select count(*) from pg_locks where pid = pg_backend_pid() and locktype = 'advisory') as locks
    from pg_settings where source = 'session'`;
  const before = await db.pool.query(select);
  await db.pool.query(`insert into stores (name, city) values ('Paws', 'Bern')`);
  expect(await handlerOf(leaving, db)({ path: { storeId: 1 } })).toMatchObject({ status: 200 });
  expect((await db.pool.query(select)).rows).toEqual(before.rows);
});
