import { randomUUID } from 'node:crypto';
import { readerOn } from '@repo/server-runtime/internal/database/prepared';
import { countWaiting, withClient } from '@repo/testkit/postgres';
import { temporaryProxy } from '@repo/testkit/proxy';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { transaction } from '../bookstore/api.ts';
import { temporaryDatabase } from '../support/database.ts';
import { handlerOf, openDatabase } from '../support/runtime.ts';
import { temporaryServer } from '../support/server.ts';

/** A server. @param through - the URL of a proxy to its database */
async function storeServer(databaseUrl?: string, apiKey?: string) {
  const server = await temporaryServer({ ...(databaseUrl && { databaseUrl }) });
  const call = async (method: string, path: string, body?: object, key?: string) => {
    const response = await fetch(`${server.origin}/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${apiKey ?? server.apiKey}`,
        ...(body && { 'Content-Type': 'application/json' }),
        ...(key && { 'Idempotency-Key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    // biome-ignore lint/suspicious/noExplicitAny: any JSON
    const json: any = text ? JSON.parse(text) : undefined;
    return { status: response.status, json, text, link: response.headers.get('Link') };
  };
  return { call, db: server.db, databaseUrl: server.databaseUrl, server };
}

const paws = { name: 'Paws', city: 'Bern', capacity: 10 };

test('a store in all lanes', async () => {
  const { call } = await storeServer();
  const opened = await call('POST', '/stores', paws, 'once');
  expect(opened).toMatchObject({ status: 201, json: { ...paws, id: expect.any(Number), state: 'open' } });
  expect(await call('POST', '/stores', paws, 'once')).toEqual(opened);
  const twice = await call('POST', '/stores', paws, 'other');
  expect(twice).toMatchObject({ status: 409, json: { code: 'conflict', message: 'There is a store named Paws' } });
  const path = `/stores/${opened.json.id}`;
  expect((await call('GET', path)).text).toBe(opened.text);
  expect(await call('GET', '/stores/77')).toMatchObject({ status: 404, json: { message: 'There is no store 77' } });

  const changed = await call('PATCH', path, { state: 'full' }, 'full');
  expect(changed).toMatchObject({ status: 200, json: { ...paws, state: 'full' } });
  expect((await call('PUT', `${path}/name`, { name: 'Claws' })).json).toMatchObject({ name: 'Claws', state: 'full' });
  expect(await call('PATCH', path, { state: 'full' }, 'full')).toEqual(changed);
  expect(await call('PATCH', path, { state: 'closed' }, 'full')).toMatchObject({ status: 422 });
  expect(await call('PATCH', path, { state: 'closed' })).toMatchObject({ status: 200 });

  await call('POST', '/books', { title: 'Emma', storeId: opened.json.id, format: 'ebook' });
  expect((await call('GET', `${path}/stock`)).json).toEqual({ store: 'Claws', books: 1 });
  expect((await call('GET', `${path}/stock?format=paperback`)).json).toEqual({ store: 'Claws', books: 0 });
  expect(await call('GET', '/stores/77/stock')).toMatchObject({ status: 404 });

  expect(await call('DELETE', path, undefined, 'gone')).toMatchObject({ status: 204, text: '' });
  expect(await call('DELETE', path, undefined, 'gone')).toMatchObject({ status: 204 });
  expect(await call('DELETE', path)).toMatchObject({ status: 404 });
});

test('a rule that refuses is 409 conflict, and not stored; a 404 is stored with its message', async () => {
  const { call, db } = await storeServer();
  const { id } = (await call('POST', '/stores', paws)).json;
  await call('PATCH', `/stores/${id}`, { state: 'closed' });
  const refused = await call('PATCH', `/stores/${id}`, { name: 'Claws' }, 'retry');
  expect(refused).toMatchObject({ status: 409, json: { code: 'conflict', message: 'A closed store stays closed' } });
  await db.pool.query(`update stores set state = 'open'`);
  expect(await call('PATCH', `/stores/${id}`, { name: 'Claws' }, 'retry')).toMatchObject({ status: 200 });

  const missing = await call('PATCH', '/stores/99', { name: 'X' }, 'missing');
  expect(missing).toMatchObject({ status: 404, json: { code: 'not_found', message: 'There is no store 99' } });
  await db.pool.query(`insert into stores (id, name, city) overriding system value values (99, 'Late', 'Bern')`);
  expect(await call('PATCH', '/stores/99', { name: 'X' }, 'missing')).toEqual(missing);
  expect(await call('PATCH', '/stores/99', { name: 'X' }, 'again')).toMatchObject({ status: 200 });
});

test('a constraint that refuses a transaction is 409, and undone', async () => {
  const { call } = await storeServer();
  const one = (await call('POST', '/stores', paws)).json;
  await call('POST', '/stores', { ...paws, name: 'Claws' });
  const taken = await call('PATCH', `/stores/${one.id}`, { name: 'Claws', state: 'full' }, 'taken');
  expect(taken).toMatchObject({ status: 409, json: { code: 'conflict' } });
  expect((await call('GET', `/stores/${one.id}`)).json).toEqual(one);
});

test('the newest stores come first, page by page', async () => {
  const { call } = await storeServer();
  for (let n = 1; n <= 7; n++) await call('POST', '/stores', { name: `S${n}`, city: n % 2 ? 'Bern' : 'Basel' });
  const walk = async (query: string) => {
    const names: string[] = [];
    for (let path: string | undefined = `/stores?limit=2${query}`; path; ) {
      const { json, link } = await call('GET', path);
      names.push(...json.map(({ name }: { name: string }) => name));
      path = /<\/v1([^>]+)>; rel="next"/.exec(link ?? '')?.[1];
    }
    return names.join(' ');
  };
  expect(await walk('')).toBe('S7 S6 S5 S4 S3 S2 S1');
  expect(await walk('&city=Bern')).toBe('S7 S5 S3 S1');
});

test('two servers with the same key at once change once; another waits with 409', async () => {
  const one = await storeServer();
  const other = await storeServer(one.databaseUrl, one.server.apiKey);
  const { id } = (await one.call('POST', '/stores', paws)).json;
  await one.db.pool.query(`
    create table edits (id bigint);
    create function count_edit() returns trigger language plpgsql as 'begin insert into edits values (new.id); return null; end';
    create trigger edited after update on stores for each row execute function count_edit()`);
  for (let run = 1; run <= 20; run++) {
    const key = randomUUID();
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, n) => (n % 2 ? one : other).call('PATCH', `/stores/${id}`, { capacity: run }, key)),
    );
    const statuses = all.map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    const { rows } = await one.db.pool.query('select count(*) as edits from edits');
    expect(rows[0].edits).toBe(run);
  }
});

test('a connection lost during the commit is outcome_unknown, before it nothing was done', async () => {
  const databaseUrl = await temporaryDatabase();
  const proxy = await temporaryProxy(databaseUrl);
  await withClient(databaseUrl, async (client) => {
    const { call } = await storeServer(proxy.url);
    const { id } = (await call('POST', '/stores', paws)).json;
    await client.query(`
      create function wait() returns trigger language plpgsql as 'begin perform pg_advisory_xact_lock(42); return new; end';
      create constraint trigger wait after update on stores deferrable initially deferred for each row execute function wait();
      select pg_advisory_lock(42)`);
    const attempt = call('PATCH', `/stores/${id}`, { state: 'full' }, 'lost');
    await expect.poll(() => countWaiting(client)).toBe(1);
    proxy.freeze();
    await client.query('select pg_advisory_unlock(42)');
    await expect.poll(async () => (await client.query('select state from stores')).rows[0].state).toBe('full');
    await proxy.cut();
    expect((await attempt).json).toMatchObject({ status: 503, code: 'outcome_unknown' });
    await proxy.mend();
    expect((await call('PATCH', `/stores/${id}`, { state: 'full' }, 'lost')).status).toBe(200);

    // The update itself waits: nothing can have been committed.
    await client.query(`drop trigger wait on stores;
      create trigger wait before update on stores for each row execute function wait(); select pg_advisory_lock(42)`);
    const early = call('PATCH', `/stores/${id}`, { state: 'open' }, 'early');
    await expect.poll(() => countWaiting(client)).toBe(1);
    proxy.freeze();
    await proxy.cut();
    expect((await early).json).toMatchObject({ status: 503, code: 'service_unavailable' });
    await client.query('select pg_advisory_unlock(42)');
    await proxy.mend();
    expect((await client.query('select state from stores')).rows[0].state).toBe('full');
  });
});

test('a read only selects', async () => {
  const db = openDatabase(await temporaryDatabase());
  onTestFinished(() => db.close());
  // biome-ignore lint/suspicious/noExplicitAny: past the types
  const reader = readerOn<any>(db.pool) as any;
  const refusals = [
    reader.deleteFrom('books'),
    reader
      .with('gone', (q: typeof reader) => q.deleteFrom('books').returningAll())
      .selectFrom('gone')
      .selectAll(),
    reader
      .with('gone', () => sql`delete from books returning *`)
      .selectFrom('gone')
      .selectAll(),
    reader.selectFrom('books').selectAll().forUpdate(),
    { execute: () => sql`delete from books`.execute(reader) },
  ];
  for (const refused of refusals) await expect(refused.execute()).rejects.toThrow('A read may only select');
  expect(db.pool.idleCount).toBe(db.pool.totalCount);
  expect(await reader.selectFrom('books').selectAll().execute()).toEqual([]);
  const texts = Array.from({ length: 600 }, (_, n) => n);
  for (const n of texts)
    await reader
      .selectFrom('books')
      .select('id')
      .where('id', 'in', Array(n + 1).fill(1))
      .execute();
  const { rows } = await db.pool.query(
    `select count(*)::integer as count from pg_prepared_statements where name like 'q\\_%'`,
  );
  expect(rows[0].count).toBeLessThanOrEqual(501);
});

test('a transaction refuses SQL whose insertions it cannot know, and statements after its end', async () => {
  const { call, db } = await storeServer();
  let late: (() => Promise<unknown>) | undefined;
  const odd = handlerOf(
    transaction('updateStore', { name: true, capacity: true, state: true }, async ({ body }, trx) => {
      if (body.name) await sql`insert into stores (name, city) values ('x', 'y')`.execute(trx);
      late = () => trx.selectFrom('stores').selectAll().execute();
      return { status: 200, body: { id: 1, name: '', city: '', state: 'open' } };
    }),
    db,
  );
  const context = { path: '', apiKey: { id: 1 } as never, fingerprint: undefined };
  const send = (name?: string) => odd({ path: { storeId: 1 }, headers: {}, body: { name } }, context);
  await expect(send('x')).rejects.toThrow('Kysely builds the statements');
  expect(await send()).toMatchObject({ status: 200 });
  await expect(late?.()).rejects.toThrow('has ended');
  expect((await call('GET', '/stores')).json).toEqual([]);
});

test('an insertion in a transaction takes its turn; after a deadlock, the transaction runs again', async () => {
  const { call, db, databaseUrl } = await storeServer();
  let runs = 0;
  const add = handlerOf(
    transaction('createStore', { name: true, city: true, capacity: true }, async ({ body }, trx) => {
      runs += 1;
      const { name, city, capacity = null } = body;
      const values = { name, city, capacity };
      const { id } = await trx.insertInto('stores').values(values).returning('id').executeTakeFirstOrThrow();
      return { status: 201, body: { id, name, city, state: 'open' } };
    }),
    db,
  );
  const context = { path: '', apiKey: { id: 1 } as never, fingerprint: undefined };
  await withClient(databaseUrl, async (client) => {
    await client.query(`begin; select pg_advisory_xact_lock('stores'::regclass::oid::integer, 0)`);
    const added = add({ headers: {}, body: { name: 'Paws', city: 'Bern' } }, context);
    await expect.poll(() => countWaiting(client)).toBe(1);
    await client.query('commit');
    expect(await added).toMatchObject({ status: 201 });
    await client.query(`
      create sequence tries;
      create function deadlock() returns trigger language plpgsql as $$ begin
        if nextval('tries') < 3 then raise exception using errcode = '40P01'; end if; return new; end $$;
      create trigger deadlock before insert on stores for each row execute function deadlock()`);
  });
  expect(await add({ headers: {}, body: { name: 'Claws', city: 'Bern' } }, context)).toMatchObject({ status: 201 });
  expect(runs).toBe(4);
  expect((await call('GET', '/stores')).json).toHaveLength(2);
});
