import { books } from '@repo/bookstore/books';
import { stores } from '@repo/bookstore/stores';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { type Caller, handlerOf, insertApiKey, openDatabase } from '../support/runtime.ts';

const { getBook, listBooks, createBook } = books;
const { replaceStoreName, updateStore } = stores;

const KEYED = 'with an Idempotency-Key';

/** The kinds of requests for which the runtime composes a text. */
const REQUESTS = [
  ['getBook: a look-up, which others may share', getBook],
  ['listBooks: a page, which others may share', listBooks],
  ['createBook: an insertion, which others may share', createBook],
  [`createBook ${KEYED}`, createBook],
  ['replaceStoreName: a change of a row', replaceStoreName],
  [`replaceStoreName ${KEYED}`, replaceStoreName],
  ['updateStore: a transaction', updateStore],
  [`updateStore ${KEYED}`, updateStore],
] as const;

test('the statements of a request are those of statements.sql', async () => {
  const db = openDatabase(await temporaryDatabase());
  onTestFinished(() => db.close());
  await db.pool.query(`insert into stores (name, city) values ('Ada', 'Bern')`);
  await db.pool.query(`insert into books (title, store_id) values ('Emma', 1)`);
  const { id } = await insertApiKey(db, { name: 'test', plan: 'free' });
  const caller = { id: `key:${id}` } as Caller;
  const query = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => query.mockRestore());
  let sections = '-- What Postgres gets for requests to the bookstore. Written by statements.test.ts: `vitest -u`.\n\n';
  for (const [title, implementation] of REQUESTS) {
    const handler = handlerOf(implementation, db);
    // The first statement of a kind may be tried in a read-only transaction.
    for (const key of ['first', 'second']) {
      query.mockClear();
      const headers = title.endsWith(KEYED) ? { 'idempotency-key': title + key } : {};
      const body = { title: 'Emma', storeId: 1, name: 'Ada' };
      const request = { path: { bookId: 1, storeId: 1 }, query: { limit: 2 }, headers, body };
      const { status } = await handler(request, { path: '/', caller, fingerprint: '00' });
      expect(status).toBeLessThan(300);
    }
    const texts = (query.mock.calls as unknown[][]).map(([config]) =>
      typeof config === 'string' ? config : (config as pg.QueryConfig).text,
    );
    sections += `-- ${title}\n${texts.map((text) => `${text.trim()};\n`).join('')}\n`;
  }
  await expect(sections).toMatchFileSnapshot('statements.sql');
});
