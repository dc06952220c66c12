import { ApiError } from '@petstore-platform/server-runtime';
import { countWaiting, withClient } from '@petstore-platform/testkit/postgres';
import { write } from '@repo/bookstore/api';
import { STORE, stores } from '@repo/bookstore/stores';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { createHandlers, handlerOf, insertApiKey, openDatabase } from '../support/runtime.ts';

/** What requests do to each other: on other servers, and of other callers. */
async function twoServers() {
  const url = await temporaryDatabase();
  const servers = [0, 1].map(() => {
    const db = openDatabase(url);
    onTestFinished(() => db.close());
    return db;
  });
  const [db] = servers as [(typeof servers)[0]];
  const callers = [];
  for (const name of ['one', 'other']) callers.push((await insertApiKey(db, { name, plan: 'free' })).id);
  return { url, db, servers, callers };
}

const uses = { name: true, capacity: true, state: true } as const;
const headers = { ETag: 'etag' } as const;

/** Adds one to the capacity, as its author computes it. */
const increments = {
  'reads the row': write('updateStore', uses, async ({ path }, db, { row }) => {
    const store = await db.selectFrom('stores').select('capacity').where('id', '=', path.storeId).executeTakeFirst();
    if (!store) throw new ApiError(404, 'There is no such store');
    const update = db.updateTable('stores').set({ capacity: (store.capacity ?? 0) + 1 });
    return row(update.where('id', '=', path.storeId).returning([...STORE, 'name as etag']), { headers });
  }),
  'locks the row': write('updateStore', uses, async ({ path }, db, { row }) => {
    const select = db.selectFrom('stores').select('capacity').where('id', '=', path.storeId).forUpdate();
    const { capacity } = await select.executeTakeFirstOrThrow();
    const update = db.updateTable('stores').set({ capacity: (capacity ?? 0) + 1 });
    return row(update.where('id', '=', path.storeId).returning([...STORE, 'name as etag']), { headers });
  }),
};

test.each(Object.entries(increments))(
  'no increment of two servers is lost by a handler that %s',
  async (_, increment) => {
    const { db, servers, callers } = await twoServers();
    await db.pool.query(`insert into stores (name, city, capacity) values ('Paws', 'Bern', 0)`);
    const handlers = servers.map((server) => handlerOf(increment, server));
    const requests = Array.from({ length: 100 }, (_, n) => {
      const key = n % 3 ? undefined : `${n}`;
      const request = { path: { storeId: 1 }, headers: { 'idempotency-key': key }, body: { state: 'open' } };
      return handlers[n % 2]?.(request, { caller: { id: `key:${callers[0]}` }, fingerprint: 'ab' });
    });
    const answers = await Promise.all(requests);
    expect(answers.map(({ status }) => status)).toEqual(requests.map(() => 200));
    const { rows } = await db.pool.query('select capacity from stores');
    expect(rows).toEqual([{ capacity: requests.length }]);
  },
);

test('changes that wait for locked rows leave connections to reads, and to the changes of others', async () => {
  const { url, db, callers } = await twoServers();
  await db.pool.query(`insert into stores (name, city) select n, 'Bern' from generate_series(1, 20) as n`);
  const { getStore } = createHandlers(db);
  const rename = handlerOf(stores.replaceStoreName, db);
  const send = (caller: unknown, storeId: number, name: string) =>
    rename(
      { path: { storeId }, headers: {}, body: { name } },
      { caller: { id: `key:${caller}` }, fingerprint: undefined },
    );
  await withClient(url, async (client) => {
    await client.query('begin; select from stores where id <= 10 for update');
    const locked = Array.from({ length: 10 }, (_, n) => send(callers[0], n + 1, `locked ${n}`));
    await expect.poll(() => countWaiting(client)).toBe(4);
    // Each of these uses the same pool.
    expect(await send(callers[1], 11, 'free')).toMatchObject({ status: 200 });
    expect(await getStore({ path: { storeId: 12 } } as never, { path: '/' } as never)).toMatchObject({ status: 200 });
    await client.query('commit');
    expect((await Promise.all(locked)).map(({ status }) => status)).toEqual(locked.map(() => 200));
  });
});

test('of requests that wait while the first one shows that it needs a snapshot, each has one', async () => {
  const { db, callers } = await twoServers();
  const levels: string[] = [];
  const rename = write('replaceStoreName', { name: true }, async (_, db) => {
    const level = sql<string>`current_setting('transaction_isolation')`.as('level');
    levels.push((await db.selectNoFrom(level).executeTakeFirstOrThrow()).level);
    throw new ApiError(404, 'None');
  });
  const handler = handlerOf(rename, db);
  const all = Array.from({ length: 20 }, (_, storeId) =>
    handler({ path: { storeId }, headers: {}, body: {} }, { caller: { id: `key:${callers[0]}` } }),
  );
  await Promise.allSettled(all);
  expect(levels).toEqual(all.map(() => 'repeatable read'));
});

test('grouped writes that answer with an update run one by one for a row', async () => {
  const { db, callers } = await twoServers();
  const { rows } = await db.pool.query(`insert into stores (name, city) values ('Main', 'Bern') returning id`);
  const rename = write(
    'replaceStoreName',
    { name: true },
    ({ path: { storeId }, body: { name } }, db, { row }) => {
      const update = db.updateTable('stores').set({ name }).where('id', '=', storeId);
      return row(update.returning([...STORE, 'name as etag']), { headers });
    },
    { grouped: true },
  );
  const handler = handlerOf(rename, db);
  const send = (name: string) =>
    handler(
      { path: { storeId: rows[0].id }, headers: {}, body: { name } },
      { caller: { id: `key:${callers[0]}` }, fingerprint: undefined },
    ).catch((error) => error);
  const all = await Promise.all(['a', 'b', 'c'].map(send));
  expect(all.map(({ status, body }) => [status, body && JSON.parse(body).name])).toEqual([
    [200, 'a'],
    [200, 'b'],
    [200, 'c'],
  ]);
});

/** The machine may take longer than a group may. */
function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

test('a grouped write sees what those before it have changed', async () => {
  const { db, callers } = await twoServers();
  stopTimers();
  const create = write(
    'createStore',
    { name: true, city: true, capacity: true },
    async ({ body: { name, city } }, db, { row }) => {
      const { before } = await db
        .selectFrom('stores')
        .select(({ fn }) => fn.countAll<number>().as('before'))
        .where('city', '=', city)
        .executeTakeFirstOrThrow();
      return row(db.insertInto('stores').values({ name, city, capacity: before }).returning(STORE));
    },
    { grouped: true },
  );
  const handler = handlerOf(create, db);
  const send = (_: unknown, n: number) =>
    handler(
      { headers: {}, body: { name: `Store ${n}`, city: 'Basel' } },
      { caller: { id: `key:${callers[0]}` }, fingerprint: undefined },
    );
  const all = await Promise.all(Array.from({ length: 50 }, send));
  const counts = all.map(({ body }) => JSON.parse(String(body)).capacity);
  expect(counts.sort((one, other) => one - other)).toEqual(all.map((_, n) => n));
});

test('grouped writes share a commit; one that fails or takes long fails no other', async () => {
  const { db, callers } = await twoServers();
  await db.pool.query(`insert into stores (name, city, capacity) select n, 'Bern', n from generate_series(1, 40) as n`);
  stopTimers();
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let waits = true;
  const rename = write(
    'updateStore',
    uses,
    async ({ path: { storeId }, body: { name } }, db, { row }) => {
      const store = await db.selectFrom('stores').select('capacity').where('id', '=', storeId).executeTakeFirst();
      if (!store) throw new ApiError(404, `There is no store ${storeId}`);
      // This one goes on only after another one has been answered.
      if (name === 'late' && waits) {
        reached.resolve();
        await gate.promise;
      }
      await db
        .updateTable('stores')
        .set({ capacity: (store.capacity ?? 0) + 1 })
        .where('id', '=', storeId)
        .execute();
      if (name === 'refused') throw new ApiError(423, 'Refused after a change');
      const update = db.updateTable('stores').set({ name }).where('id', '=', storeId);
      return row(update.returning([...STORE, 'name as etag']), { headers });
    },
    { grouped: true },
  );
  const handler = handlerOf(rename, db);
  const send = (storeId: number, name: string, key?: string) =>
    handler(
      { path: { storeId }, headers: { 'idempotency-key': key }, body: { name } },
      { caller: { id: `key:${callers[0]}` }, fingerprint: 'ab' },
    ).catch((error) => error);
  const commits = async () =>
    Number(
      (await db.pool.query('select count(distinct xmin::text)::integer as n from stores where id <= 20')).rows[0].n,
    );
  let round = 0;
  // On a busy machine, a group may take so long that each of its requests runs alone.
  await expect
    .poll(async () => {
      round += 1;
      const all = Array.from({ length: 20 }, (_, n) =>
        send(n + 1, `new ${round} ${n}`, n % 2 ? `${round} ${n}` : undefined),
      );
      expect((await Promise.all(all)).map(({ status }) => status)).toEqual(all.map(() => 200));
      return commits();
    })
    .toBeLessThan(10);
  const mixed = [send(21, 'a'), send(22, 'refused', 'r'), send(99, 'none', 'n'), send(23, 'b'), send(24, '40')];
  expect((await Promise.all(mixed)).map(({ status }) => status)).toEqual([200, 423, 404, 200, 409]);
  const slow = [send(30, 'c'), send(31, 'late'), send(32, 'd')];
  await reached.promise;
  vi.advanceTimersByTime(100);
  expect([(await slow[0]).status, (await slow[2]).status]).toEqual([200, 200]);
  waits = false;
  gate.resolve();
  expect((await slow[1]).status).toBe(200);
  const { rows } = await db.pool.query(
    'select id, capacity - id as more from stores where id in (21, 22, 23, 30, 31, 32) order by id',
  );
  expect(rows.map(({ more }) => more)).toEqual([1, 0, 1, 1, 1, 1]);
});
