import { countWaiting, withClient } from '@petstore-platform/testkit/postgres';
import { read, write } from '@repo/bookstore/api';
import { STORE, stores } from '@repo/bookstore/stores';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { createHandlers, handlerOf, insertApiKey, temporaryHandle } from '../support/runtime.ts';

/** What requests do to each other: on other servers, and of other callers. */
async function twoServers(timeLimit?: number) {
  const url = await temporaryDatabase();
  const servers = [0, 1].map(() => temporaryHandle(url, { timeLimit }));
  const [db] = servers as [(typeof servers)[0]];
  const contextOf = async (name: string) => {
    const { id } = await insertApiKey(db, { name, plan: 'free' });
    return { caller: { id: `key:${id}` }, fingerprint: 'ab' };
  };
  const callers = [await contextOf('one'), await contextOf('other')] as const;
  return { url, db, servers, callers };
}

const uses = { name: true, capacity: true, state: true } as const;
const headers = { ETag: 'etag' } as const;
const WITH_ETAG = [...STORE, 'name as etag'] as const;

/** Changes the session, also beyond the transaction. */
const LEFT = sql<string>`concat(set_config('statement_timeout', '60', false), set_config('app.caller', 'ann', false))`;

/** Adds one to the capacity, as its author computes it. */
const increment = (locks: boolean) =>
  write('updateStore', uses, async ({ path }, db, { row }) => {
    const select = db.selectFrom('stores').select('capacity').where('id', '=', path.storeId);
    const { capacity } = await (locks ? select.forUpdate() : select).executeTakeFirstOrThrow();
    const update = db.updateTable('stores').set({ capacity: (capacity ?? 0) + 1 });
    return row(update.where('id', '=', path.storeId).returning(WITH_ETAG), { headers });
  });

test.each([false, true])('no increment of two servers is lost by a handler that locks the row: %s', async (locks) => {
  const { db, servers, callers } = await twoServers();
  await db.pool.query(`insert into stores (name, city, capacity) values ('Paws', 'Bern', 0)`);
  const handlers = servers.map((server) => handlerOf(increment(locks), server));
  const requests = Array.from({ length: 100 }, (_, n) => {
    const key = n % 3 ? undefined : `${n}`;
    const request = { path: { storeId: 1 }, headers: { 'idempotency-key': key }, body: { state: 'open' } };
    return handlers[n % 2]?.(request, callers[0]);
  });
  const answers = await Promise.all(requests);
  expect(answers.map(({ status }) => status)).toEqual(requests.map(() => 200));
  const { rows } = await db.pool.query('select capacity from stores');
  expect(rows).toEqual([{ capacity: requests.length }]);
});

/** Moves one from a store to the other, as its author computes it. The rows of its first reads are not locked. */
const transfer = write(
  'createStore',
  { name: true, city: true, capacity: true },
  async ({ body: { name } }, db, { row }) => {
    const [from, to] = name === 'there' ? [1, 2] : [2, 1];
    const capacityOf = async (id: number) => {
      const select = db.selectFrom('stores').select('capacity').where('id', '=', id);
      return Number((await select.executeTakeFirstOrThrow()).capacity);
    };
    const [one, other] = [await capacityOf(from), await capacityOf(to)];
    const set = (id: number, capacity: number) => db.updateTable('stores').set({ capacity }).where('id', '=', id);
    await set(from, one - 1).execute();
    return row(set(to, other + 1).returning(STORE));
  },
);

test('transfers in both directions end, even if Postgres does not look for deadlocks', async () => {
  const { db, url, servers, callers } = await twoServers(60_000);
  await db.pool.query(`alter database ${new URL(url).pathname.slice(1)} set deadlock_timeout = '1h'`);
  await db.pool.query(`insert into stores (name, city, capacity) values ('A', 'Bern', 100), ('B', 'Bern', 100)`);
  const handlers = servers.map((server) => handlerOf(transfer, server));
  const transfers = Array.from({ length: 48 }, (_, n) =>
    handlers[n % 2]?.({ headers: {}, body: { name: n % 4 < 2 ? 'there' : 'back' } }, callers[n % 3 ? 0 : 1]),
  );
  expect((await Promise.all(transfers)).map(({ status }) => status)).toEqual(transfers.map(() => 201));
  const { rows } = await db.pool.query('select capacity from stores order by id');
  expect(rows).toEqual([{ capacity: 100 }, { capacity: 100 }]);
});

test('a transaction that cannot change what it has read fails by contention', async () => {
  const { url, db, callers } = await twoServers(1_500);
  await db.pool.query(`insert into stores (name, city, capacity) values ('A', 'Bern', 100), ('B', 'Bern', 100)`);
  await withClient(url, async (client) => {
    await client.query('begin; select from stores for update');
    const request = { headers: {}, body: { name: 'there' } };
    const failed = handlerOf(transfer, db)(request, callers[0]);
    await expect(failed).rejects.toMatchObject({
      message: expect.stringContaining('Contention'),
      cause: { code: '55P03' },
    });
  });
});

test('changes that wait for locked rows leave connections to reads, and to the changes of others', async () => {
  const { url, db, callers } = await twoServers();
  await db.pool.query(`insert into stores (name, city) select n, 'Bern' from generate_series(1, 20) as n`);
  const { getStore } = createHandlers(db);
  const rename = handlerOf(stores.replaceStoreName, db);
  const send = (caller: object, storeId: number, name: string) =>
    rename({ path: { storeId }, headers: {}, body: { name } }, caller);
  await withClient(url, async (client) => {
    await client.query('begin; select from stores where id <= 10 for update');
    const locked = Array.from({ length: 10 }, (_, n) => send(callers[0], n + 1, `locked ${n}`));
    await expect.poll(() => countWaiting(client)).toBe(4);
    // Each of these uses the same pool.
    expect(await send(callers[1], 11, 'free')).toMatchObject({ status: 200 });
    expect(
      await getStore({ path: { storeId: 12 } } as never, { path: '/', caller: { id: 'key:1' } } as never),
    ).toMatchObject({ status: 200 });
    await client.query('commit');
    expect((await Promise.all(locked)).map(({ status }) => status)).toEqual(locked.map(() => 200));
  });
});

test('one of several insertions that fails is left out, and the others are stored', async () => {
  const { db, callers } = await twoServers();
  const { createStore } = createHandlers(db);
  const send = (name: string, key?: string) =>
    createStore(
      { headers: { 'idempotency-key': key }, body: { name, city: 'Bern' } } as never,
      callers[0] as never,
    ).then(
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
  const { db, callers } = await twoServers();
  await db.pool.query(`
    create function refuse() returns trigger language plpgsql as $$
      begin
        if (select count(*) from stores where xmin = pg_current_xact_id()::xid) > 1 then raise 'not together'; end if;
        if new.name = 'Lost' then perform pg_terminate_backend(pg_backend_pid()); end if;
        return null;
      end $$;
    create constraint trigger refuse after insert on stores deferrable initially deferred for each row execute function refuse()`);
  const { createStore } = createHandlers(db);
  const send = (name: string) =>
    createStore({ headers: {}, body: { name, city: 'Bern' } } as never, callers[0] as never);
  const outcomes = await Promise.allSettled(['Paws', 'Lost'].map(send));
  expect(outcomes).toMatchObject([
    { value: { status: 201 } },
    { reason: { message: expect.stringContaining('lost during a write') } },
  ]);
  expect((await db.pool.query('select name from stores')).rows).toEqual([{ name: 'Paws' }]);
});

test.each([
  [
    'a statement of a write',
    write('updateStore', uses, async (_, db, { row }) => {
      await sql`select ${LEFT}, pg_advisory_lock(42)`.execute(db);
      return row(db.updateTable('stores').set({ state: 'full' }).returning(WITH_ETAG), { headers });
    }),
  ],
  [
    'the change of a write',
    write('updateStore', uses, (_, db, { row }) => {
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
  const request = { path: { storeId: 1 }, headers: {}, body: {} };
  expect(await handlerOf(leaving, db)(request, {})).toMatchObject({ status: 200 });
  expect((await db.pool.query(select)).rows).toEqual(before.rows);
});
