import { countWaiting, withClient } from '@petstore-platform/testkit/postgres';
import { read } from '@repo/bookstore/api';
import { BOOK, books as operations } from '@repo/bookstore/books';
import { stores } from '@repo/bookstore/stores';
import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { handlerOf, temporaryHandle } from '../support/runtime.ts';

/** The requests that share round trips, or a statement, get what each would get alone. */

/** A database with ten books, and a view whose titles differ each time. */
async function library(timeLimit = 5_000, url?: string) {
  const db = temporaryHandle(url ?? (await temporaryDatabase()), { timeLimit });
  await db.pool.query(`
    insert into books (title, store_id, format) select 'Title ' || n, 7, 'ebook' from generate_series(1, 10) as n;
    create view moving as select id, random()::text as title, store_id, format from books`);
  return db;
}

type Database = Awaited<ReturnType<typeof library>>;

/** Sends requests to a read that answers with a row of a query in SQL. @param isShared - whether equal ones share its result */
function reader(db: Database, queryOf: (id: number) => RawBuilder<unknown>, isShared = true) {
  const columns = ['books.id', 'books.title', 'books.store_id as storeId', 'books.format'] as never;
  const getBook = read(
    'getBook',
    ({ path: { bookId } }, on, { row }) => {
      const query = sql`(${queryOf(bookId)})`.as('books') as never;
      return row(on.selectFrom<'books'>(query).select(columns) as never);
    },
    { fresh: !isShared },
  );
  const handler = handlerOf(getBook, db);
  return (bookId: number): Promise<{ status: number; body: string }> => handler({ path: { bookId } });
}

const book = (title: RawBuilder<unknown>, rest: RawBuilder<unknown>) =>
  sql`select id, (${title})::text as title, store_id, format from books ${rest}`;

test('equal requests share a result, unless the read says that each has one of its own', async () => {
  const db = await library();
  for (const isShared of [true, false]) {
    const find = reader(db, (id) => sql`select * from moving where id = 1 and id >= ${id}`, isShared);
    const title = sql<string>`random()::text`.as('title');
    const listBooks = read(
      'listBooks',
      { format: true },
      (_, on, { page }) =>
        page(on.selectFrom('books').select(['id', 'store_id as storeId', 'format', title]), { by: 'id' }),
      { fresh: !isShared },
    );
    const list = handlerOf(listBooks, db);
    for (let time = 0; time < 2; time++) {
      const rows = await Promise.all(Array.from({ length: 10 }, () => find(1)));
      const pages = await Promise.all(Array.from({ length: 10 }, () => list({ query: { limit: 1 } })));
      for (const answers of [rows, pages])
        expect(new Set(answers.map(({ body }) => body)).size).toBe(isShared ? 1 : 10);
    }
  }
});

test('requests share all rows of a query, too', async () => {
  const db = await library();
  const [shared, alone] = [true, false].map((isShared) =>
    handlerOf(
      read(
        'listBooks',
        { format: true },
        ({ query }, on, { rows }) =>
          rows(on.selectFrom('books').select(BOOK).where('id', '<=', query.limit).orderBy('id')),
        { fresh: !isShared },
      ),
      db,
    ),
  );
  const all = (list: typeof shared) => Promise.all([0, 3, 1, 3, 20].map((limit) => list?.({ query: { limit } })));
  await all(shared);
  const acquired = vi.fn();
  db.pool.on('acquire', acquired);
  const answers = await all(shared);
  expect(acquired).toHaveBeenCalledOnce();
  expect(answers).toEqual(await all(alone));
  expect(answers.map(({ body }) => JSON.parse(body).length)).toEqual([0, 3, 1, 3, 10]);
});

test('a shared answer is never older than its request', async () => {
  const db = await library();
  const find = reader(db, (id) => book(sql`title`, sql`where id <= ${id} order by id desc limit 1`));
  const findByKey = handlerOf(operations.getBook, db);
  const [isWrite, isByKey, waits] = [fc.boolean(), fc.boolean(), fc.boolean()];
  const step = fc.record({ isWrite, isByKey, waits, id: fc.constantFrom(1, 2) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), async (steps) => {
      await db.pool.query(`update books set title = '0'`);
      const known = new Map([1, 2].map((id) => [id, 0]));
      const checks: Promise<unknown>[] = [];
      for (const { isWrite, isByKey, id, waits } of steps) {
        const least = known.get(id) as number;
        if (isWrite) {
          await db.pool.query('update books set title = $2 where id = $1', [id, `${least + 1}`]);
          known.set(id, least + 1);
          continue;
        }
        const found = isByKey ? findByKey({ path: { bookId: id } }) : find(id);
        checks.push(found.then(({ body }) => expect(Number(JSON.parse(body).title)).toBeGreaterThanOrEqual(least)));
        if (waits) await new Promise(setImmediate);
      }
      await Promise.all(checks);
    }),
    { numRuns: 20 },
  );
});

test('a slow request does not take the time limit of those that share its statement', async () => {
  const db = await library(1_000);
  await db.pool.query(`create function slow(id bigint) returns text stable language plpgsql as
    'begin if id = 5 then perform pg_sleep(60); end if; return id; end'`);
  const find = reader(db, (id) => book(sql`slow(id)`, sql`where id = ${id}`));
  await find(1);
  const ids = Array.from({ length: 10 }, (_, index) => index + 1);
  const outcomes = ids.map((id) =>
    find(id).then(
      ({ status }) => status,
      ({ code }) => code,
    ),
  );
  expect(await Promise.all(outcomes)).toEqual(ids.map((id) => (id === 5 ? '57014' : 200)));
});

test('a request that equals one behind the slow requests of another caller does not wait for these', async () => {
  const url = await temporaryDatabase();
  const db = await library(60_000, url);
  const getBook = read('getBook', ({ path: { bookId } }, on, { row }) => {
    const isFree = sql<boolean>`(${bookId}::integer < 5 or pg_advisory_xact_lock_shared(7) is not null)`;
    return row(on.selectFrom('books').select(BOOK).where('id', '=', bookId).where(isFree));
  });
  const handler = handlerOf(getBook, db);
  const find = (bookId: number, caller: string): Promise<{ status: number }> =>
    handler({ path: { bookId } }, { url: `/books/${bookId}`, caller: { id: caller } });
  await withClient(url, async (client) => {
    await client.query('select pg_advisory_lock(7)');
    const slow = [5, 6, 7, 8, 9].map((bookId) => find(bookId, 'key:1'));
    await expect.poll(() => countWaiting(client)).toBe(2);
    const last = find(1, 'key:1');
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
    expect(await find(1, 'key:2')).toMatchObject({ status: 200 });
    expect(await last).toMatchObject({ status: 200 });
    await client.query('select pg_advisory_unlock(7)');
    for (const { status } of await Promise.all(slow)) expect(status).toBe(200);
  });
});

test('the transactions of the reads of a caller leave connections to others', async () => {
  const url = await temporaryDatabase();
  const db = await library(60_000, url);
  const getBook = read('getBook', async ({ path: { bookId } }, on, { row }) => {
    const wait = sql`pg_advisory_xact_lock_shared(7)`.as('lock');
    const inner = () => on.transaction().execute((trx) => trx.selectNoFrom(wait).execute());
    // It shares the place of the outer one.
    await on
      .transaction()
      .execute(async (trx) => [await inner(), await trx.selectFrom('books').select('id').execute()]);
    return row(on.selectFrom('books').select(BOOK).where('id', '=', bookId));
  });
  const slow = handlerOf(getBook, db);
  const create = handlerOf(stores.createStore, db);
  await withClient(url, async (client) => {
    await client.query('select pg_advisory_lock(7)');
    const waiting = Array.from({ length: 12 }, () => slow({ path: { bookId: 1 } }, { caller: { id: 'key:1' } }));
    await expect.poll(() => countWaiting(client)).toBeGreaterThan(2);
    expect(await create({ body: { name: 'Orell', city: 'Bern' } }, { caller: { id: 'key:2' } })).toMatchObject({
      status: 201,
    });
    await client.query('select pg_advisory_unlock(7)');
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
  });
});

test('an insertion that waits for a lock does not take the time limit of those that share its statement', async () => {
  const url = await temporaryDatabase();
  const create = handlerOf(stores.createStore, temporaryHandle(url, { timeLimit: 1_000 }));
  const send = (name: string) =>
    create({ body: { name, city: 'Bern' } }).then(
      ({ status }) => status,
      ({ code }) => code,
    );
  await withClient(url, async (client) => {
    await client.query(`begin; insert into stores (name, city) values ('Locked', 'Bern')`);
    expect(await Promise.all(['a', 'b', 'Locked', 'c'].map(send))).toEqual([201, 201, '57014', 201]);
  });
});
