import { hash } from 'node:crypto';
import { takeInsertLock } from '@petstore-platform/server-runtime';
import { countWaiting, withClient } from '@petstore-platform/testkit/postgres';
import { write } from '@repo/bookstore/api';
import { STORE, stores } from '@repo/bookstore/stores';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { handlerOf, temporaryHandle } from '../support/runtime.ts';
import { errorOf, temporaryServer } from '../support/server.ts';
import { CHANGES, headers, NEW_STORE, WITH_ETAG } from '../support/stores.ts';

/** Creates a database with ten stores, which logs their changes, and handlers on it. */
async function tenStores() {
  // Time stands still, so that requests wait for their turn however slow this machine is.
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const url = await temporaryDatabase();
  const open = () => temporaryHandle(url);
  const db = open();
  await db.pool.query(`
    insert into stores (name, city) select n, 'Bern' from generate_series(1, 10) as n;
    create table edits (at serial, id bigint, name text);
    create function log() returns trigger language plpgsql as
      'begin insert into edits (id, name) values (new.id, new.name); return null; end';
    create trigger log after update on stores for each row execute function log()`);
  const handlerOn = (implementation: Parameters<typeof handlerOf>[0]) => {
    const handler = handlerOf(implementation, open());
    return async (storeId: number, name: string, key?: string, path: object = { storeId }) => {
      const request = { path, headers: { 'idempotency-key': key }, body: { name, city: 'Bern' } };
      const { status, body } = await handler(request, { fingerprint: hash('sha256', `${storeId} ${name}`) });
      return { status, body: body && JSON.parse(body) };
    };
  };
  const edits = async (storeId: number): Promise<string[]> => {
    const { rows } = await db.pool.query('select name from edits where id = $1 order by at', [storeId]);
    return rows.map(({ name }) => name);
  };
  return { url, db, handlerOn, edits };
}

test('concurrent changes of the same row all happen once, in their order, on each of two servers', async () => {
  const { handlerOn, edits } = await tenStores();
  const servers = [handlerOn(stores.replaceStoreName), handlerOn(stores.replaceStoreName)];
  const letters = [...'abcdefghijklmnopqrst'];
  const requests = servers.flatMap((rename, server) =>
    letters.map((letter) => () => rename(1, `${letter}${server}`, `${letter}${server}`)),
  );
  const first = await Promise.all(requests.map((send) => send()));
  expect(await Promise.all(requests.map((send) => send()))).toEqual(first);
  const names = await edits(1);
  expect(names).toHaveLength(requests.length);
  for (const server of ['0', '1'])
    expect(names.filter((name) => name.endsWith(server))).toEqual(letters.map((letter) => `${letter}${server}`));
});

test('a change that a constraint refuses because of other rows or of the same one is 409', async () => {
  const { handlerOn, db } = await tenStores();
  await db.pool.query('create table uses (store bigint references stores on delete restrict)');
  await db.pool.query('insert into uses values (4)');
  await db.pool.query(`alter table stores add check (name <> 'x')`);
  await expect(handlerOn(stores.deleteStore)(4, '')).rejects.toMatchObject({ status: 409, code: 'conflict' });
  const refused = { status: 409, message: 'There is a store named x' };
  await expect(handlerOn(stores.replaceStoreName)(5, 'x')).rejects.toMatchObject(refused);
});

test('a row without a partition is no conflict of the client', async () => {
  const { handlerOn, db } = await tenStores();
  await db.pool.query(`alter table stores rename to old;
    create table stores (like old including identity) partition by range (id)`);
  const created = handlerOn(stores.createStore)(0, 'New');
  await expect(created).rejects.toMatchObject({ code: '23514', table: 'stores' });
});

test('an addition takes the insert locks of all tables that it adds to, as a job does', async () => {
  const { url, db, handlerOn } = await tenStores();
  await expect(takeInsertLock(db.kysely, 'stores')).rejects.toThrow('takeInsertLock() needs a transaction');
  const addBoth = write('createStore', NEW_STORE, ({ body: { name } }, db, { row }) =>
    row(
      db
        .with('added', (q) => q.insertInto('books').values({ title: name, store_id: 1 }))
        .insertInto('stores')
        .values({ name, city: 'Chur' })
        .returning(STORE),
    ),
  );
  const create = handlerOn(stores.createStore);
  const first = await create(11, 'first', 'k');
  await withClient(url, async (client) => {
    const { added } = await db.kysely.transaction().execute(async (transaction) => {
      await takeInsertLock(transaction, 'stores');
      // Without the lock, which would fail in the log of Postgres. Its insertion uses up an id.
      expect(await create(11, 'first', 'k')).toEqual(first);
      const added = handlerOn(addBoth)(13, 'x');
      await expect.poll(() => countWaiting(client)).toBe(1);
      return { added };
    });
    expect(await added).toEqual({ status: 201, body: { id: 13, name: 'x', city: 'Chur', state: 'open' } });
  });
});

test('a locked row delays requests with its path alone, on a single connection', async () => {
  const { url, handlerOn, edits } = await tenStores();
  const rename = handlerOn(stores.replaceStoreName);
  await withClient(url, async (client) => {
    await client.query('begin; select from stores where id = 5 for update');
    const locked = Array.from({ length: 30 }, (_, index) => rename(5, 'x', `${index}`));
    await expect.poll(() => countWaiting(client)).toBe(1);
    for (let id = 1; id <= 4; id++) expect(await rename(id, `x${id}`)).toMatchObject({ status: 200 });
    await client.query('commit');
    await Promise.all(locked);
  });
  expect(await edits(5)).toHaveLength(30);
});

test('without parameters in the path, a few requests run at once, and leave connections to others', async () => {
  const { url, handlerOn, edits } = await tenStores();
  const byBody = write('updateStore', CHANGES, ({ body: { name = '' } }, db, { row }) => {
    const update = db.updateTable('stores').set({ name }).where('id', '=', Number.parseInt(name, 10));
    return row(update.returning(WITH_ETAG), { headers });
  });
  const handler = handlerOn(byBody);
  const rename = (name: string, key?: string) => handler(0, name, key, {});
  await withClient(url, async (client) => {
    await client.query('begin; select from stores where id = 5 for update');
    const locked = [rename('5x')];
    await expect.poll(() => countWaiting(client)).toBe(1);
    for (const name of ['1x', '2x']) expect(await rename(name)).toMatchObject({ status: 200 });
    for (let key = 0; key < 30; key++) locked.push(rename(`5 ${key}`, `${key}`));
    await expect.poll(() => countWaiting(client)).toBe(3);
    expect(await handler(1, '1y')).toMatchObject({ status: 200 });
    await client.query('commit');
    await Promise.all(locked);
  });
  expect(await edits(5)).toHaveLength(31);
});

test('an empty key, where the contract has none, is no key', async () => {
  const { handlerOn, edits } = await tenStores();
  const rename = handlerOn(stores.replaceStoreName);
  const names = ['a', 'b', 'c', 'd'];
  const answers = await Promise.all(names.map((name, index) => rename(1, name, index % 2 ? '' : '""')));
  expect(answers.map(({ body }) => body.name)).toEqual(names);
  expect(await edits(1)).toEqual(names);
});

test('null is a body, also in the response to a repetition', async () => {
  const { handlerOn } = await tenStores();
  const response = { status: 200, headers: { ETag: '"x"' }, body: null as never } as const;
  const update = handlerOn(write('updateStore', CHANGES, async () => response));
  for (let time = 0; time < 2; time++) expect(await update(1, 'a', 'k')).toEqual({ status: 200, body: null });
});

test('a key belongs to the headers that the handler sees and to the body, its fields in any order', async () => {
  const { request } = await temporaryServer();
  const times = { soldAt: '2026-11-24T10:15:30Z', due: '2026-12-24' };
  const sale = { ...times, price: '1.00', buyer: { name: 'Ada' }, titles: ['a', 'b'] };
  const usual = { 'Content-Type': 'application/json', 'Idempotency-Key': 'k' };
  const sell = (headers: Record<string, string>, body: object = sale) =>
    request('/v1/sales', { method: 'POST', headers: { ...usual, ...headers }, body: JSON.stringify(body) });
  const cashier = { 'X-Cashier': 'Grace' };
  expect(await errorOf(await sell({ 'Idempotency-Key': '<string>' }))).toMatchObject({
    status: 400,
    errors: [{ pointer: '/header/Idempotency-Key', message: expect.stringMatching(/placeholder/) }],
  });
  const first = await (await sell(cashier)).json();
  expect(await (await sell({ 'x-cashier': 'Grace', 'X-Trace': '2', 'Idempotency-Key': '"k"' })).json()).toEqual(first);
  const reversed = Object.fromEntries(Object.entries(sale).reverse());
  expect(await (await sell(cashier, reversed)).json()).toEqual(first);
  for (const [headers, body] of [[{}], [{ 'X-Cashier': 'Ada' }], [cashier, { ...sale, titles: ['b', 'a'] }]] as const)
    expect(await errorOf(await sell(headers, body))).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
});
