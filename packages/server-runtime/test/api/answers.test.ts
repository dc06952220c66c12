import { operationsOf, type Tables, type Value } from '@petstore-platform/server-runtime';
import { withClient } from '@petstore-platform/testkit/postgres';
import { read } from '@repo/bookstore/api';
import { BOOK } from '@repo/bookstore/books';
import { contract } from '@repo/bookstore/generated/contract';
import type { Format, Sale } from '@repo/bookstore/generated/operations';
import { stores } from '@repo/bookstore/stores';
import { encodeCursor } from '@repo/bookstore/testing';
import fc from 'fast-check';
import type { Generated, SelectQueryBuilder } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createDatabase, temporaryDatabase } from '../support/database.ts';
import { type Caller, createHandlers, handlerOf, temporaryHandle } from '../support/runtime.ts';
import { errorOf, sharedServer, startServer, type TestServer, temporaryServer } from '../support/server.ts';

async function idsOf(items: AsyncIterable<{ id: number }>) {
  const ids: number[] = [];
  for await (const { id } of items) ids.push(id);
  return ids;
}

const cursorAfter = (id: number) => encodeCursor('listBooks', id);
const list = (server: TestServer, cursor: string) => server.request(`/v1/books?${new URLSearchParams({ cursor })}`);

describe('on one server', () => {
  const server = sharedServer();

  test('pages, rows, insertions and updates have the same JSON: objects, arrays, maps, times, decimals, expressions', async () => {
    const { bookstore, db, request } = server;
    const sale = {
      soldAt: '2026-11-24T10:15:30.123456Z',
      due: '2026-12-24',
      price: '100.00',
      buyer: { name: 'Ada "L\\"', city: 'Bern' },
      titles: ['Emma', 'a "b", {c}'],
      labels: { campaign: 'winter', 'a.b': '' },
    };
    const body = JSON.stringify({ ...sale, soldAt: '2026-11-24T12:15:30.123456+02:00' });
    const headers = { 'Content-Type': 'application/json', 'X-Cashier': 'Grace' };
    const created = (await (await request('/v1/sales', { method: 'POST', body, headers })).json()) as Sale;
    expect(created).toEqual({ id: 1, ...sale, cashier: 'Grace', isLarge: true });
    // Optional fields may be absent from the body and from the object in it.
    const least = { ...sale, price: '0.10', buyer: { name: 'Bo' }, titles: [], labels: undefined };
    const small = await bookstore.createSale(least);
    expect(small).toEqual({ ...JSON.parse(JSON.stringify(least)), id: 2, isLarge: false });
    for (const each of [created, small]) expect(await bookstore.getSale({ saleId: each.id })).toEqual(each);
    expect(await bookstore.listSales()).toEqual([small, created]);
    // Of a value of the request, no field is taken for a part of the query.
    const labels = { kind: 'RawNode', campaign: 'spring' };
    expect(await bookstore.labelSale({ saleId: 2 }, { labels })).toEqual({ ...small, labels });
    // The same holds if a session's time zone is not UTC.
    await db.pool.query(
      `do $$ begin execute format('alter database %I set timezone = "Asia/Kolkata"', current_database()); end $$`,
    );
    const other = await startServer({ databaseUrl: server.databaseUrl });
    onTestFinished(() => other.close());
    expect(await other.bookstore.getSale({ saleId: created.id })).toEqual(created);
    await db.pool.query('delete from sales');
  });

  test('a list of a path, by filters and by the beginning of a text, in the order of code points', async () => {
    const { bookstore, db } = server;
    const last = '\u{10ffff}';
    const characters = ['%', '_', '\\', 'a', 'A', 'é', 'e', "'", '"', '\ud7ff', '\ue000', '\u{1f600}', last];
    const text = fc.array(fc.constantFrom(...characters), { minLength: 1, maxLength: 4 }).map((all) => all.join(''));
    const book = fc.record({ title: text, storeId: fc.constantFrom(7, 8), format: fc.constantFrom('ebook', null) });
    const query = fc.record(
      { title: text, format: fc.constant('ebook' as const), limit: fc.integer({ min: 1, max: 5 }) },
      { requiredKeys: [] },
    );
    const pages = fc.array(query, { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.array(book, { maxLength: 40 }), pages, async (books, queries) => {
        await db.pool.query('truncate books restart identity');
        const insert = `insert into books (title, store_id, format)
          select * from json_to_recordset($1) as book (title text, "storeId" bigint, format text)`;
        await db.pool.query(insert, [JSON.stringify(books)]);
        const stored = books.map((book, index) => ({ ...book, id: index + 1 }));
        stored.sort(
          (one, other) => Buffer.compare(Buffer.from(one.title), Buffer.from(other.title)) || one.id - other.id,
        );
        // All walks run at once, so that they share statements.
        const walks = queries.map(async ({ title = '', format, limit = 3 }) => {
          const parameters = { storeId: 7, limit, ...(title && { title }), ...(format && { format }) };
          const walked = await idsOf(bookstore.listStoreBooks(parameters));
          const expected = stored.filter(
            (book) => book.storeId === 7 && book.title.startsWith(title) && (!format || book.format === format),
          );
          expect(walked).toEqual(expected.map(({ id }) => id));
        });
        await Promise.all(walks);
      }),
      // No character comes after the last one, which ends this prefix.
      { numRuns: 60, examples: [[[{ title: `${last}${last}a`, storeId: 7, format: null }], [{ title: last }]]] },
    );
  });

  test('the link to the next page of a path has it, and all parameters, an array as often as it has values', async () => {
    const { request, bookstore, db } = server;
    for (const title of ['The One', 'The Two']) await bookstore.createBook({ title, storeId: -9, format: 'ebook' });
    const first = '/v1/stores/-9/books?title=The+&format=ebook&limit=1';
    const response = await request(first);
    expect((await request(first, { method: 'HEAD' })).headers.get('Link')).toBe(response.headers.get('Link'));
    const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('Link') ?? '') ?? [];
    expect(next).toMatch(/^\/v1\/stores\/-9\/books\?title=The\+&format=ebook&limit=1&cursor=[\w-]+$/);
    expect(await (await request(next)).json()).toMatchObject([{ title: 'The Two' }]);
    const query = { limit: 1, tags: ['a', 'b c'] };
    const { headers } = await handlerOf(stores.listStoreBooks, db)({ path: { storeId: -9 }, query });
    expect(headers.Link).toMatch(/^<\/\?limit=1&tags=a&tags=b\+c&cursor=[\w-]+>; rel="next"$/);
  });

  test('a cursor of a text of any length that the contract admits is read', async () => {
    const { bookstore } = server;
    const titles = ['a', 'b', 'c'].map((first) => first + '\u{1f4d6}'.repeat(199));
    for (const title of titles) await bookstore.createBook({ title, storeId: 4 });
    const listed: string[] = [];
    for await (const { title } of bookstore.listStoreBooks({ storeId: 4, limit: 1 })) listed.push(title);
    expect(listed).toEqual(titles);
  });

  test('a cursor that could not be of the list is 400, and fails no other request', async () => {
    const { request } = server;
    const time = '2026-11-24T10:00:00';
    const times = ['x', '2026-02-30T10:00:00', '0000-01-01T00:00:00'].map((text) => [text, '1']);
    const numbers = ['9223372036854775808', '1.5', '', 1, null].map((number) => [time, number]);
    const all = [...times, ...numbers, [time], [time, '1', '1']];
    const cursors = all.map((keys) => encodeCursor('listSales', JSON.stringify(keys)));
    cursors.push(encodeCursor('listSales', '['), encodeCursor('listBooks', JSON.stringify([time, '1'])), 'x', '');
    cursors.push(encodeCursor('listStoreBooks', JSON.stringify(['\0', '1'])));
    const statuses = cursors.map(async (cursor) => (await request(`/v1/sales?cursor=${cursor}`)).status);
    expect(await Promise.all(statuses)).toEqual(cursors.map(() => 400));
    for (const title of ['\0', '\ud800']) {
      const cursor = encodeCursor('listStoreBooks', JSON.stringify([title, '1']));
      expect((await request(`/v1/stores/7/books?cursor=${cursor}`)).status).toBe(400);
    }
    for (const [at, id] of Object.entries({ [`${time}.5`]: '-7', infinity: '1' })) {
      const right = encodeCursor('listSales', JSON.stringify([at, id]));
      expect((await request(`/v1/sales?cursor=${right}`)).status).toBe(200);
    }
  });

  test('a cursor that was truncated, extended or garbled, or that is of another list, is 400 and names the parameter', async () => {
    const changed = fc.tuple(fc.maxSafeInteger(), fc.nat(), fc.base64String()).map(([after, at, text]) => {
      const cursor = cursorAfter(after);
      const start = cursor.slice(0, at % cursor.length);
      const all = [start, `${cursor}${text || 'A'}`, `${start}${text}`, encodeCursor('listPots', after)];
      return all.filter((each) => each !== cursor);
    });
    // The unit `binary` of fast-check would list all million characters first.
    const unit = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code));
    const texts = fc.oneof(fc.string({ unit }), fc.string()).map((text) => [text]);
    const beyond = Buffer.from('after:9007199254740993.').toString('base64url');
    const known = ['', beyond, `${cursorAfter(4)}==`, 'YWZ0ZXI6LTAu', 'after:4', '4', 'a'.repeat(200)];
    await fc.assert(
      fc.asyncProperty(fc.oneof(changed, texts), async (cursors) => {
        for (const cursor of cursors) {
          const { code, message } = await errorOf(await list(server, cursor));
          expect([cursor, code, message]).toEqual([cursor, 'invalid_request', expect.stringContaining('cursor')]);
        }
      }),
      { examples: [[known]] },
    );
  });

  test('a cursor past the last book is an empty page', async () => {
    const response = await list(server, cursorAfter(Number.MAX_SAFE_INTEGER));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual([]);
    expect(response.headers.has('Link')).toBe(false);
  });
});

test('a page is read from its index and not sorted, although other indexes have the rows of its filter', async () => {
  const databaseUrl = await temporaryDatabase();
  await withClient(databaseUrl, async (client) => {
    await client.query(`
      insert into books (title, store_id, format) select md5(n::text), n % 250, (array['ebook', 'hardcover'])[1 + n / 250 % 2]
        from generate_series(1, 50000) as n;
      insert into sales (sold_at, due, price, buyer_name, titles)
        select now() - n * interval '1 second', now(), n, md5(n::text), '{}' from generate_series(1, 2000) as n;
      create index on books (store_id, format);
      create index on books (store_id, id)`);
    await client.query('vacuum analyze books, sales');
    const { rows } = await client.query('select quote_ident(current_database()) as name');
    for (const setting of [`session_preload_libraries = 'auto_explain'`, 'client_min_messages = log'])
      await client.query(`alter database ${rows[0].name} set ${setting}`);
    for (const setting of ['log_min_duration = 0', 'log_analyze = on', 'log_format = json'])
      await client.query(`load 'auto_explain'; alter database ${rows[0].name} set auto_explain.${setting}`);
  });
  const emit = vi.spyOn(pg.Client.prototype, 'emit');
  onTestFinished(() => emit.mockRestore());
  const { bookstore } = await temporaryServer({ databaseUrl });
  for (const query of [{}, { format: 'ebook' }, { title: 'a' }, { format: 'ebook', title: 'a' }] as const) {
    const titles = new Set<string>();
    for await (const { title } of bookstore.listStoreBooks({ storeId: 8, ...query, limit: 3 }))
      if (titles.add(title).size > 8) break;
  }
  for await (const { id } of bookstore.listSales({ limit: 3 })) if (id > 6) break;
  await bookstore.listBooks({ format: 'ebook', limit: 3 });
  const notices = emit.mock.calls.flatMap(([event, notice]) => (event === 'notice' ? String(notice.message) : []));
  const plans = notices.filter((notice) => notice.includes('string_agg'));
  expect(plans.length).toBeGreaterThanOrEqual(15);
  for (const plan of plans) {
    expect(plan).not.toMatch(/"Node Type": ".*Sort"/);
    // A page has three rows. Postgres reads one more, to know whether there is a next page.
    for (const [, rows] of plan.matchAll(/"Actual Rows": (\d+)/g)) expect(Number(rows)).toBeLessThanOrEqual(4);
    expect(plan).not.toMatch(/"Rows Removed by [\w ]+": [1-9]/);
  }
});

test('an index that is missing is named once for each page, of its order, prefix and filters', async () => {
  const databaseUrl = await temporaryDatabase();
  await withClient(databaseUrl, (client) =>
    client.query('drop index books_format_id, sales_sold_at, sales_buyer, books_of_stores, books_of_stores_by_format'),
  );
  const warn = vi.fn();
  const handlers = createHandlers(temporaryHandle(databaseUrl), { warn } as never);
  const context = { path: '/', caller: { id: 'key:1' } as Caller, fingerprint: undefined };
  const page = { limit: 3 };
  for (let time = 0; time < 2; time++) {
    await handlers.listBooks({ query: { ...page, format: 'ebook' } }, context);
    await handlers.listSales({ query: page }, context);
    await handlers.listSales({ query: { ...page, buyer: 'A' } }, context);
    await handlers.listStores({ query: page }, context);
    await handlers.listStoreBooks({ path: { storeId: 1 }, query: { ...page, title: 'AB' } }, context);
  }
  await expect.poll(() => warn.mock.calls.length).toBe(4);
  const found = warn.mock.calls.map(([{ operations }, text]) => `${operations}: ${text}`).sort();
  expect(found).toEqual([
    'listBooks by format: an index is missing: create index on "books" ("format", "id")',
    'listSales by buyer_name: an index is missing: create index on "sales" ("buyer_name" collate "C")',
    'listSales: an index is missing: create index on "sales" ("sold_at", "id")',
    'listStoreBooks by store_id and title: an index is missing: create index on "books" ("store_id", "title" collate "C", "id")',
  ]);
});

/** Values of each type, at the ends of their ranges, as Postgres reads them. */
const VALUES: Record<string, string[]> = {
  smallint: ['-32768', '0', '32767'],
  integer: ['-2147483648', '7', '2147483647'],
  bigint: ['-9223372036854775808', '9007199254740993', '0', '9223372036854775807'],
  numeric: ['-1e30', '0.1', '12345678901234567890.123456789', 'NaN', 'Infinity', '-Infinity'],
  real: ['-3.4e38', '1e-45', '0.1', '-0', 'NaN', 'Infinity'],
  'double precision': ['-1.7976931348623157e308', '5e-324', '1e21', '0.1', 'NaN', '-Infinity'],
  boolean: ['true', 'false'],
  text: ['', ' ', '\u{10ffff}', 'a"b', 'ä', 'null'],
  'character varying': ['', 'Zz', 'zz'],
  'character(3)': ['', 'a', 'ab', 'abc', 'abd'],
  'bit(3)': ['000', '001', '010', '100'],
  uuid: ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  date: ['4714-11-24 BC', '0001-01-01 BC', '0001-02-28', '2024-02-29', '5874897-12-31', 'infinity', '-infinity'],
  'timestamp without time zone': [
    '4714-11-24 00:00:00 BC',
    '2026-01-01 00:00:00.000001',
    '294276-12-31 23:59:59.999999',
  ],
  // Two of these differ by a microsecond.
  timestamptz: [
    '4714-11-24 00:00:00.5+00 BC',
    '2026-11-24 23:59:59.999998+00',
    '2026-11-24 23:59:59.999999+00',
    '294276-12-31 23:59:59.999999+00',
    'infinity',
  ],
  mood: ['sad', 'ok', 'very happy'],
  '"Odd Name"': ['b', 'a'],
  citext: ['a', 'B', 'c', ''],
  'time without time zone': ['00:00:00', '23:59:59.999999', '24:00:00'],
  'time with time zone': ['00:00:00+15:59', '12:00:00.5-08'],
  interval: ['-178000000 years', 'P1M', '30 days', '1 mon -1 day 00:00:00.000001', '00:00:00'],
  bytea: ['\\x', '\\x00ff', '\\x5c'],
  'integer[]': ['{}', '{1,NULL}', '{{1},{2}}'],
  'text[]': ['{}', '{"a,b","\\"",NULL}', '{ä}'],
  'character(3)[]': ['{}', '{ab,NULL}', '{ac}'],
  jsonb: ['null', '"a"', '{"a": [1, "b"]}', '0'],
  inet: ['127.0.0.1', '::1/64'],
  int4range: ['empty', '[1,5)', '(,)'],
};

describe('a page', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  beforeAll(async () => {
    database = await createDatabase();
    await withClient(database.url, (client) =>
      client.query(
        `create type mood as enum ('sad', 'ok', 'very happy'); create domain "Odd Name" as text; create extension citext`,
      ),
    );
  });
  afterAll(() => database.drop());

  test.each(Object.keys(VALUES))('by %s reads each cursor that it gives, in both directions', async (type) => {
    type Things = { things: { id: number; store_id: number; value: string } };
    // A session of its own has prepared no statement on the table of another type.
    const db = temporaryHandle(database.url);
    await db.pool.query(
      `drop table if exists things;
      create table things (id bigint primary key, store_id bigint not null, value ${type} not null)`,
    );
    const { compiled, read } = operationsOf(contract, {
      columns: { things: { id: 'bigint', store_id: 'bigint', value: type.replace('(3)', '') } },
    } as Tables<Things>);
    const from = (things: SelectQueryBuilder<Things, 'things', object>) =>
      things.select(['id', 'value as title', 'store_id as storeId', 'id as format']);
    const since = compiled((on, value: Value<{ least: number }>) =>
      from(on.selectFrom('things')).where('id', '>=', value('least')),
    );
    const values = fc.array(fc.constantFrom(...(VALUES[type] ?? [])), { maxLength: 12 });
    const how = fc.record({
      direction: fc.constantFrom('asc' as const, 'desc' as const),
      limit: fc.integer({ min: 1, max: 4 }),
      storeId: fc.constantFrom(undefined, 7),
      least: fc.integer({ min: 1, max: 4 }),
      isCompiled: fc.boolean(),
    });
    type How = typeof how extends fc.Arbitrary<infer Values> ? Values : never;
    const check = async (rows: string[], { direction, limit, storeId, least, isCompiled }: How) => {
      await db.pool.query('truncate things');
      await db.pool.query(
        `insert into things select n, 7 + n % 2, value::${type} from unnest($1::text[]) with ordinality as given (value, n)`,
        [rows],
      );
      const list = handlerOf(
        read('listBooks', { format: true }, (_, db, answers) => {
          const page = answers.page as (query: unknown, options: object) => never;
          const query = isCompiled ? since(db, { least }) : from(db.selectFrom('things')).where('id', '>=', least);
          return page(query, { by: ['value', 'id'], direction, where: { store_id: storeId } });
        }),
        db,
      );
      const collated = type === 'text' || type === 'character varying' ? ' collate "C"' : '';
      const expected = await db.pool.query(
        `select id from things where coalesce(store_id = $1, true) and id >= $2 order by value${collated} ${direction}, id ${direction}`,
        [storeId ?? null, least],
      );
      const ids: number[] = [];
      for (let cursor: string | undefined, turn = 0; turn === 0 || (cursor && turn <= rows.length); turn++) {
        const { body, headers = {} } = await list({ query: { limit, cursor } });
        ids.push(...JSON.parse(body).map(({ id }: { id: number }) => id));
        cursor = /cursor=([\w-]+)>/.exec(headers.Link ?? '')?.[1];
      }
      expect(ids).toEqual(expected.rows.map(({ id }) => id));
    };
    await fc.assert(fc.asyncProperty(values, how, check), { numRuns: 25 });
  });
});

test('what a page cannot do fails with its reason', async () => {
  const db = temporaryHandle(await temporaryDatabase());
  const wrong = (page: object, from = 'books', columns: readonly string[] = BOOK) => {
    const list = read('listBooks', { format: true }, (_, db, answers) =>
      answers.page(db.selectFrom(from as 'books').select(columns as typeof BOOK), page as { by: 'id' }),
    );
    return expect(handlerOf(list, db)({ query: { limit: 3 } })).rejects;
  };
  await wrong({ by: 'name' }).toThrow('The table books has no column name');
  await wrong({ by: ['format', 'id'] }).toThrow('pages cannot be sorted by format, which may be null');
  const decimal = { by: 'id', where: { price: { startsWith: '1' } } };
  await wrong(decimal, 'sales', ['id']).toThrow('`startsWith` needs a text column; price is a numeric');
});

test('concurrent insertions are given the default of an id that is no number', async () => {
  const db = temporaryHandle(await temporaryDatabase());
  await db.pool.query(
    'create table cards (id uuid primary key default gen_random_uuid(), title text, store_id bigint, format text)',
  );
  type Card = { id: Generated<string>; title: string; store_id: number; format: Format | null };
  const columns = { cards: { id: 'uuid', title: 'text', store_id: 'bigint', format: 'text' } };
  const { read, write } = operationsOf(contract, { columns } as Tables<{ cards: Card }>);
  const CARD = ['store_id as id', 'title', 'store_id as storeId', 'format'] as const;
  const createBook = write('createBook', { title: true, storeId: true, format: true }, ({ body }, db, { row }) => {
    const { title, storeId: store_id, format = null } = body;
    return row(db.insertInto('cards').values({ title, store_id, format }).returning(CARD));
  });
  const add = handlerOf(createBook, db);
  const bodies = await Promise.all(['Emma', 'Ubik'].map((title) => add({ body: { title, storeId: 7 } })));
  expect(bodies.map(({ body }) => JSON.parse(body).title)).toEqual(['Emma', 'Ubik']);
  const { rows } = await db.pool.query('select upper(id::text) as id, title from cards order by title');
  expect(rows).toMatchObject([{ title: 'Emma' }, { title: 'Ubik' }]);
  const getBook = read('getBook', ({ path }, db, { row }) =>
    row(db.selectFrom('cards').select(CARD).where('id', '=', `${path.bookId}`)),
  );
  const find = handlerOf(getBook, db);
  for (const { id, title } of rows)
    expect(await find({ path: { bookId: id } })).toMatchObject({ body: expect.stringContaining(title) });
});

test('equal reads of a person who acts for several owners are not shared', async () => {
  const db = temporaryHandle(await temporaryDatabase());
  await db.pool.query(`insert into books (title, store_id) values ('acme', 7), ('else', 7)`);
  const getBook = read('getBook', (_request, db, { row, caller }) =>
    row(db.selectFrom('books').select(BOOK).where('title', '=', `${caller.owner}`)),
  );
  const find = handlerOf(getBook, db);
  const send = async (owner: string) =>
    JSON.parse((await find({}, { url: '/v1/books/1', caller: { id: 'token:ann', owner } })).body).title;
  // The first one only learns the statement.
  await send('acme');
  expect(await Promise.all(['acme', 'else'].map(send))).toEqual(['acme', 'else']);
});
