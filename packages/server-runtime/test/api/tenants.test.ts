import { defineService, operationsOf, type Value } from '@petstore-platform/server-runtime';
import { isCitus } from '@petstore-platform/testkit/citus';
import { countWaiting, withClient } from '@petstore-platform/testkit/postgres';
import { createRandom, pick } from '@petstore-platform/testkit/random';
import { callTo } from '@petstore-platform/testkit/test-server';
import { BOOK } from '@repo/bookstore/books';
import { contract } from '@repo/bookstore/generated/contract';
import { compiled, handlers, read, service, stream, tables, unscoped, write } from '@repo/bookstore/tenanted';
import { bind, encodeCursor, loadConfig, startService } from '@repo/bookstore/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createDatabase, createTenantedDatabase, rowsOf } from '../support/database.ts';
import { handlerOf } from '../support/runtime.ts';
import { CHANGES, headers, WITH_ETAG } from '../support/stores.ts';

type Call = ReturnType<typeof callTo>;
const config = { LOG_LEVEL: 'silent' } as const;

/** The context of a request of an owner. */
const as = (owner?: string, id: number | string = 1) => ({ caller: { id: `key:${id}`, owner } });

/** Two servers, and a function that calls them in turn for each owner. */
async function start() {
  const { url, drop } = await createTenantedDatabase();
  const [server, other] = await Promise.all([
    startService(service, url, { config }),
    startService(service, url, { config }),
  ]);
  const callOf = async (owner?: string): Promise<Call> => {
    const limits = { plan: 'enterprise', perMinute: 1_000_000, perDay: 1_000_000 };
    const { key } = await server.createKey({ ...limits, ...(owner && { owner }) });
    return callTo({ origin: server.origin, others: [other.origin], apiKey: key });
  };
  const [acme, beta, nobody] = await Promise.all([callOf('acme'), callOf('beta'), callOf()]);
  /** Sees all rows. */
  const admin = bind(service).openDatabase(url);
  const close = async () => {
    await Promise.all([server.close(), other.close(), admin.close()]);
    await drop();
  };
  return { url, admin, server, acme, beta, nobody, close };
}

let all: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  all = await start();
});
afterAll(() => all.close());

const BOOK_FIELDS = { title: true, storeId: true, format: true } as const;
const book = (title: string, storeId = 1, format = 'ebook') => ({ title, storeId, format });
/** The titles on all pages. */
async function walk(call: Call, path: string): Promise<string[]> {
  const titles: string[] = [];
  for (let next: string | undefined = path; next; ) {
    const { json, link } = await call('GET', next);
    titles.push(...json.map(({ title, name }: { title?: string; name?: string }) => title ?? name));
    next = /<\/v1([^>]+)>; rel="next"/.exec(link ?? '')?.[1];
  }
  return titles;
}

test('concurrent equal requests of two owners get what belongs to each', async () => {
  const { acme, beta } = all;
  const owners = { acme, beta };
  const random = createRandom(7);
  const added = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const owner = pick(random, ['acme', 'beta'] as const);
      const title = `${owner} ${String(index).padStart(2, '0')}`;
      const added = book(title, 1 + (index % 2), pick(random, ['ebook', 'paperback']));
      const { status, json } = await owners[owner]('POST', '/books', added);
      expect(status).toBe(201);
      return { owner, id: json.id, ...json };
    }),
  );
  const paths = [
    '/books?limit=7',
    '/books?limit=4&format=ebook',
    '/stores/1/books?limit=3',
    '/stores/1/books?limit=3&title=acme',
    '/stores/1/books?limit=2&title=beta&format=ebook',
  ];
  /** The titles of an owner that a list has. */
  const titles = (owner: string, path = '') => {
    const [, prefix = ''] = /title=(\w+)/.exec(path) ?? [];
    const own = added.filter((one) => one.owner === owner && one.title.startsWith(prefix));
    const inStore = path.includes('/stores/1') ? own.filter(({ storeId }) => storeId === 1) : own;
    const found = path.includes('ebook') ? inStore.filter(({ format }) => format === 'ebook') : inStore;
    return found.map(({ title }) => title).sort();
  };
  for (let round = 0; round < 5; round++)
    await Promise.all(
      (['acme', 'beta'] as const).flatMap((owner) => [
        ...added.slice(0, 20).map(async (one) => {
          const { status, json } = await owners[owner]('GET', `/books/${one.id}`);
          expect([status, json?.title]).toEqual(one.owner === owner ? [200, one.title] : [404, undefined]);
        }),
        ...paths.map(async (path) => {
          const found = await walk(owners[owner], path);
          // The lists of a store are by title.
          expect(path.startsWith('/stores') ? found : found.sort()).toEqual(titles(owner, path));
        }),
      ]),
    );
  expect(await rowsOf(all.admin, 'select tenant, count(*)::integer as books from books group by 1 order by 1')).toEqual(
    ['acme', 'beta'].map((tenant) => ({ tenant, books: titles(tenant).length })),
  );
  // The title says who has sent it, so that no batch has mixed them.
  expect(await rowsOf(all.admin, `select from books where title not like tenant || ' %'`)).toEqual([]);
});

test('requests of several owners share round trips, which an index that begins with the owner serves', async () => {
  const { db } = all.server;
  const warn = vi.fn();
  const { listBooks, getBook } = bind(service).createHandlers(db, { warn } as never);
  const request = (index: number) => {
    const context = { path: '/v1/books', ...(index % 2 ? as('acme', 'acme') : as('beta', 'beta')) } as never;
    return index % 4 < 2
      ? listBooks({ query: { limit: 5, format: 'ebook' } }, context)
      : getBook({ path: { bookId: index } }, context).catch(() => {});
  };
  const send = () => Promise.all(Array.from({ length: 40 }, (_, index) => request(index)));
  await send();
  const missing = 'an index is missing: create index on "books" ("tenant", "format", "id")';
  await vi.waitFor(() => expect(warn).toHaveBeenCalledWith(expect.anything(), missing), 10_000);
  const acquired = vi.fn();
  db.pool.on('acquire', acquired);
  await send();
  db.pool.off('acquire', acquired);
  expect(acquired).toHaveBeenCalledTimes(2);
});

test('a change of one owner, alone, in a group or in a transaction, changes nothing of another', async () => {
  const { acme, beta } = all;
  const opened = await Promise.all([acme, beta].map((call) => call('POST', '/stores', { name: 'Main', city: 'Bern' })));
  expect(opened.map(({ status }) => status)).toEqual([201, 201]);
  const [own, others] = opened.map(({ json }) => json.id);
  const changed = await Promise.all([
    acme('PATCH', `/stores/${own}`, { capacity: 1 }),
    acme('PATCH', `/stores/${others}`, { capacity: 2 }),
    beta('PATCH', `/stores/${others}`, { capacity: 3 }),
    acme('PUT', `/stores/${others}/name`, { name: 'Stolen' }),
    beta('PUT', `/stores/${others}/name`, { name: 'Beta' }),
    acme('DELETE', `/books/${(await beta('GET', '/books?limit=1')).json[0].id}`),
  ]);
  expect(changed.map(({ status }) => status)).toEqual([200, 404, 200, 404, 200, 404]);
  expect((await acme('GET', '/stores?city=Bern')).json).toMatchObject([{ id: own, name: 'Main', capacity: 1 }]);
  expect((await beta('GET', '/stores?city=Bern')).json).toMatchObject([{ id: others, name: 'Beta', capacity: 3 }]);
  // A look at the other's store joins nothing of it.
  const [{ json: stock }, none] = await Promise.all([
    acme('GET', `/stores/${own}/stock`),
    acme('GET', `/stores/${others}/stock`),
  ]);
  expect([stock.store, none.status]).toEqual(['Main', 404]);
  // A rule that counts sees its own rows only: both have one store, and a third is the last.
  const more = async (call: Call) => {
    const statuses: number[] = [];
    for (const name of ['Second', 'Third', 'Fourth'])
      statuses.push((await call('POST', '/stores', { name, city: 'Basel' })).status);
    return statuses;
  };
  for (const statuses of await Promise.all([more(acme), more(beta)])) expect(statuses).toEqual([201, 201, 409]);
  expect(await walk(acme, '/stores?limit=2')).toEqual(['Third', 'Second', 'Main']);
});

test('a key that changes its owner repeats nothing of the former one', async () => {
  const { key, id } = await all.server.createKey({ owner: 'acme' });
  const call = callTo({ ...all.server, apiKey: key });
  const first = await call('POST', '/books', book('Before'), 'moved');
  expect(first.status).toBe(201);
  await all.server.db.pool.query(`update api_keys set owner = 'gamma' where id = $1`, [id]);
  // It has cached no key.
  const server = await startService(service, all.url, { config });
  onTestFinished(() => server.close());
  const later = callTo({ ...server, apiKey: key });
  expect(await later('GET', `/books/${first.json.id}`)).toMatchObject({ status: 404 });
  const second = await later('POST', '/books', book('Before'), 'moved');
  expect([second.status, second.json.id === first.json.id]).toEqual([201, false]);
});

test('a cursor of another owner is a place among one’s own rows', async () => {
  const { acme, beta } = all;
  const { link } = await beta('GET', '/books?limit=2');
  const cursor = /cursor=([^&>]+)/.exec(link ?? '')?.[1];
  const own = await walk(acme, '/books?limit=50');
  const found = await walk(acme, `/books?limit=50&cursor=${cursor}`);
  expect(found.every((title) => own.includes(title))).toBe(true);
  expect(await walk(acme, `/books?limit=50&cursor=${encodeCursor('listBooks', -1)}`)).toEqual(own);
  const forged = encodeCursor('listStoreBooks', JSON.stringify(['beta', '1']));
  expect((await walk(acme, `/stores/1/books?cursor=${forged}`)).every((title) => own.includes(title))).toBe(true);
});

test('a page keeps to its owner, whatever its query adds', async () => {
  const { db } = all.server;
  // biome-ignore lint/suspicious/noExplicitAny: queries that are not typed by the contract
  type Any = any;
  const pageOf = async (change: (query: Any) => Any, by = 'id', select: readonly string[] = BOOK) => {
    const build = (on: Any) => change(on.selectFrom('books').select(select));
    const run = async (query: Any): Promise<number[]> => {
      const list = read('listBooks', { format: true }, (_, on, { page }) => page(query(on), { by } as never));
      const { body } = await handlerOf(list, db)({ query: { limit: 100 } }, as('acme'));
      return [...new Set<number>(JSON.parse(body).map(({ id }: { id: number }) => id))].sort();
    };
    const found = await run(build);
    expect(await run(compiled(build))).toEqual(found);
    return found;
  };
  const own = await pageOf((query) => query);
  expect(own.length).toBeGreaterThan(0);
  const anything = sql<boolean>`true or true`;
  const qualified = ['books.id', 'books.title', 'books.store_id as storeId', 'books.format'];
  for (const by of ['id', 'title']) {
    expect(await pageOf((query) => query.where(anything), by)).toEqual(own);
    for (const join of ['innerJoin', 'leftJoin', 'rightJoin', 'fullJoin']) {
      const joined = (query: Any) =>
        query[join]('books as others', (on: Any) =>
          on.onRef('others.id', '=', 'books.id').onRef('others.tenant', '=', 'books.tenant'),
        );
      // Citus refuses outer joins with a constant before Postgres 17.
      const refused = ({ code }: { code: string }) => (isCitus && ['0A000', 'XX000'].includes(code) ? own : code);
      expect(await pageOf(joined, by, qualified).catch(refused), `${join} by ${by}`).toEqual(own);
    }
  }
  await expect(pageOf((query) => query.modifyEnd(sql`or true`))).rejects.toThrow('a page selects from a table');
  expect(await pageOf((query) => query.where(sql`true) or (true`))).toEqual(own);
});

test('a compiled query has the rows of each owner, and those of all for unscoped alone, with its values each time', async () => {
  const { db } = all.server;
  let builds = 0;
  const since = compiled((on, value: Value<{ id: number; titles: string[] }>) => {
    builds += 1;
    const books = on.selectFrom('books').select(['id', 'tenant']).where('id', '>=', value('id')).orderBy('id');
    return books.where('title', '=', sql<string>`any(${value('titles')}::text[])`);
  });
  const titles = ['acme compiled', 'beta "compiled"'];
  const added: number[] = [];
  for (const [index, call] of [all.acme, all.beta, all.acme].entries())
    added.push((await call('POST', '/books', book(titles[index % 2] as string))).json.id);
  // biome-ignore lint/suspicious/noExplicitAny: the methods of a read are those of selects
  const run = (on: any, values: Parameters<typeof since>[1]): Promise<{ rows: { id: number }[] }> =>
    on.executeQuery(since(on, values).compile());
  const list = read('listBooks', { format: true }, async ({ query: { limit } }, on) => {
    const [own, last, everybody, none] = [
      await run(on, { id: added[0] as number, titles }),
      await run(on, { id: added[limit] as number, titles }),
      await run(unscoped(on), { id: added[0] as number, titles }),
      await run(on, { id: added[0] as number, titles: [] }),
    ];
    const rows = [own, last, everybody, none].map((result) => result.rows.map(({ id }) => id));
    return { body: rows } as never;
  });
  const [first, second, third] = added;
  for (const [owner, expected] of [
    ['acme', [[first, third], [third], added, []]],
    ['beta', [[second], [second], added, []]],
  ] as const) {
    const request = { query: { limit: owner === 'acme' ? 2 : 1 } };
    expect((await handlerOf(list, db)(request, as(owner))).body, owner).toEqual(expected);
  }
  // Once for each plugin.
  expect(builds).toBe(2);
});

test('a stream reads and changes rows of its owner', async () => {
  const { db } = all.server;
  const create = stream('createBook', BOOK_FIELDS, async (_, on, { write }) => {
    const books = await on.selectFrom('books').select('tenant').execute();
    const title = [...new Set(books.map(({ tenant }) => tenant))].join();
    return write((trx, { row }) => row(trx.insertInto('books').values({ title, store_id: 1 }).returning(BOOK)));
  });
  const send = handlerOf(create, db);
  for (const owner of ['acme', 'beta']) {
    const { id, title } = JSON.parse((await send({}, as(owner))).body);
    expect(title).toBe(owner);
    expect(await rowsOf(all.admin, `select tenant from books where id = ${id}`)).toEqual([{ tenant: owner }]);
  }
  await expect(send({}, as())).rejects.toMatchObject({ status: 403, code: 'no_owner' });
});

test('a change of owned rows with a part of its own needs no `returning`', async () => {
  const db = all.server.db;
  const remove = write('deleteBook', ({ path: { bookId } }, on, { row }) =>
    row(
      on
        .with('kept', (q) => q.selectFrom('books').select('id').where('id', '<>', bookId))
        .deleteFrom('books')
        .where('id', '=', bookId),
    ),
  );
  const { json } = await all.acme('POST', '/books', book('To be removed'));
  const send = (owner: string) => handlerOf(remove, db)({ path: { bookId: json.id } }, as(owner));
  await expect(send('beta')).rejects.toMatchObject({ status: 404 });
  expect(await send('acme')).toEqual({ status: 204 });
});

test('a change of one owner waits for no change of another, on the same path or by many keys', async () => {
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  onTestFinished(() => gate.resolve());
  const { db } = all.server;
  /** The connections for changes. An owner has all but one of them. */
  const size = Math.floor((db.pool.options.max ?? 10) / 2);
  const inside = new Set<string>();
  const update = write('updateStore', CHANGES, async ({ path: { storeId } }, on, { caller, row }) => {
    await on.selectFrom('stores').select('name').execute();
    if (caller.owner === 'acme') {
      if (inside.add(caller.id).size === size - 1) begun.resolve();
      await gate.promise;
    }
    const set = on.updateTable('stores').set({ capacity: 1 }).where('id', '=', storeId);
    return row(set.returning(WITH_ETAG), { headers, missing: 'none' });
  });
  const handler = handlerOf(update, db);
  const send = (owner: string, storeId: number) =>
    handler({ path: { storeId } }, as(owner, storeId)).catch(({ message }: Error) => message);
  const others = Array.from({ length: size }, (_, index) => send('acme', 987_654 + index));
  await begun.promise;
  expect(await send('beta', 987_654)).toBe('none');
  gate.resolve();
  await Promise.all(others);
});

test('insertions of an owner wait for those of another server for the same one, and for jobs, not for other owners', async () => {
  const { url } = all;
  // Without a limit, who waits for a lock that is kept waits for ever.
  const server = await startService(service, url, { config: { ...config, STATEMENT_TIMEOUT: 0 } });
  onTestFinished(() => server.close());
  const add = handlerOf(handlers.createBook, server.db);
  const addAs = (owner: string) => add({ body: book('Emma') }, as(owner, owner));
  await addAs('acme');
  await withClient(url, async (client) => {
    for (const lock of [`hashtext('acme')`, '0']) {
      await client.query(`begin; select pg_advisory_xact_lock('books'::regclass::oid::integer, ${lock})`);
      const own = Promise.all([addAs('acme'), addAs('acme')]);
      // In the same group, and behind it.
      if (lock !== '0')
        for (const others of [[addAs('beta'), addAs('gamma')], [addAs('beta')]])
          expect(await Promise.all(others)).toMatchObject(others.map(() => ({ status: 201 })));
      await expect.poll(() => countWaiting(client)).toBeGreaterThan(0);
      await client.query('commit');
      expect(await own).toMatchObject([{ status: 201 }, { status: 201 }]);
    }
  });
});

test('a database that a handler kept runs nothing after its answer', async () => {
  const { db } = all.server;
  const kept: { execute(): Promise<unknown> }[] = [];
  const list = read('listBooks', { format: true }, (_, on, { page }) => {
    kept.push(on.selectFrom('books').select('title'));
    return page(on.selectFrom('books').select(BOOK), { by: 'id' });
  });
  const add = write('createBook', BOOK_FIELDS, ({ body }, on, { row }) => {
    kept.push(on.selectFrom('books').select('title'));
    return row(on.insertInto('books').values({ title: body.title, store_id: 1 }).returning(BOOK));
  });
  await handlerOf(list, db)({ query: { limit: 1 } }, as('acme'));
  await handlerOf(add, db)({ body: book('Emma') }, as('acme'));
  for (const query of kept) await expect(query.execute()).rejects.toThrow('a statement was not awaited');
});

test('a caller without an owner is 403, once it touches rows of owners', async () => {
  const { nobody } = all;
  const failure = { status: 403, json: { message: 'The credentials belong to no tenant' } };
  for (const path of ['/books', '/books/1', '/stores/1/books', '/stores/1/stock'])
    expect(await nobody('GET', path)).toMatchObject(failure);
  expect(await nobody('POST', '/books', book('Nobody'), 'once')).toMatchObject(failure);
  expect(await nobody('POST', '/stores', { name: 'Nobody', city: 'Bern' }, 'once')).toMatchObject(failure);
  expect(await nobody('PATCH', '/stores/1', { capacity: 1 })).toMatchObject(failure);
  expect(await nobody('DELETE', '/books/1')).toMatchObject(failure);
  // What is unscoped needs no owner.
  expect(await nobody('DELETE', '/stores/987654')).toMatchObject({ status: 404 });
  // The failure is not the response to the key for ever: a key may get an owner.
  expect(await rowsOf(all.server.db, `select status from idempotency_keys where key = 'once'`)).toEqual([]);
});

test('a service says at once what is wrong with its tenants', () => {
  const base = { name: 'x', contract, migrations: {}, addressPlan: 'free' } as const;
  const { todo } = operationsOf(contract as never, tables as never);
  const other = { ...handlers, getBook: (todo as (id: string) => never)('getBook') };
  expect(() => defineService({ ...base, handlers: other })).toThrow('listBooks and getBook have different tenants');
  const given = (tenants: object) => () => operationsOf(contract, { ...tables, tenants } as never);
  expect(given({ books: 'tenant' })).toThrow('stores.tenant has the name of an owner');
  expect(given({ books: 'tenant', stores: 'id' })).toThrow('stores has no column id that is a text');
  expect(given({ pots: 'tenant' })).toThrow('pots has no column tenant');
});

test('a start refuses a role that policies do not limit, and a table without its policy', async () => {
  const { url, drop } = await createDatabase();
  await bind(service).withDatabase(url, async (db) => {
    await bind(service).migrateUp(db);
    await db.pool.query('drop policy owner on books; alter table stores no force row level security');
  });
  const open = bind(service).openService(loadConfig({ ...config, DATABASE_URL: url }));
  await expect(open).rejects.toThrow(
    /lacks: create policy owner on books using \(tenant = nullif\(current_setting\('app.owner', true\), ''\)\)\n- stores lacks: alter table stores force row level security\n- the role \w+ sees the rows of all owners/,
  );
  await drop();
});
