import { whileLocked } from '@petstore-platform/testkit/postgres';
import type { tables } from '@repo/bookstore/tables';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { missingPgBouncer, temporaryPgBouncer } from '../support/pgbouncer.ts';
import { migrateUp, readerOn, withDatabase } from '../support/runtime.ts';
import { errorOf, ONE, temporaryServer } from '../support/server.ts';

async function ready(origin: string): Promise<unknown[]> {
  const response = await fetch(`${origin}/readyz`);
  return [response.status, await response.json()];
}

describe.each(['session', 'transaction'] as const)('behind PgBouncer with %s pooling', (poolMode) => {
  const missing = missingPgBouncer(poolMode);
  if (missing) console.warn(`Skipped: ${poolMode} pooling: ${missing}`);

  test.skipIf(missing)('a server migrates, serves, and keeps its time limit', async () => {
    const direct = await temporaryDatabase({ migrated: false });
    const databaseUrl = await temporaryPgBouncer(direct, poolMode, 20);
    await withDatabase(databaseUrl, migrateUp);
    const server = await temporaryServer({ databaseUrl, config: { STATEMENT_TIMEOUT: 1.5 } });
    expect(await ready(server.origin)).toEqual([200, { status: 'ok' }]);
    const books = await Promise.all(
      Array.from({ length: 30 }, (_, index) => server.bookstore.createBook({ title: `book ${index}`, storeId: 1 })),
    );
    expect(await server.bookstore.listBooks({ limit: 30 })).toEqual(books.sort((one, other) => one.id - other.id));
    const { id: storeId } = await server.bookstore.createStore({ name: 'Main', city: 'Bern' });
    // A repetition comes first, so that statements are prepared after an error.
    const other = await temporaryServer({ databaseUrl: direct });
    for (const { call } of [other, server, server])
      expect(await call('PATCH', `/stores/${storeId}`, { state: 'open' }, 'k', other.apiKey)).toMatchObject({
        status: 200,
      });
    expect(await server.bookstore.updateStore({ storeId }, { state: 'full' })).toMatchObject({ state: 'full' });
    expect(await server.bookstore.getStock({ storeId })).toEqual({ store: 'Main', books: 30 });
    // Sends more texts than a session keeps, the last ones in a transaction.
    const reader = readerOn<NonNullable<typeof tables.types>>(server.db);
    const select = (on: Pick<typeof reader, 'selectFrom'>, n: number) =>
      on.selectFrom('books').select('id').where('id', 'in', Array(n).fill(0)).execute();
    const walk = async () => {
      for (let n = 1; n <= 500; n++) expect(await select(reader, n)).toEqual([]);
    };
    await Promise.all([walk(), walk(), walk()]);
    await reader.transaction().execute(async (trx) => {
      for (let n = 501; n <= 510; n++) expect(await select(trx, n)).toEqual([]);
      const names = trx.selectFrom(sql`pg_prepared_statements`.as('each')).where(sql<boolean>`each.name like 'q\\_%'`);
      expect((await names.select(sql`1`.as('x')).execute()).length).toBeLessThanOrEqual(501);
    });
    await whileLocked(direct, 'books', async (client) => {
      expect(await errorOf(await server.request('/v1/books'))).toMatchObject({ code: 'service_unavailable' });
      await client.query('commit');
    });
    expect(await server.bookstore.listBooks({ limit: 1 })).toEqual(books.slice(0, 1));
  });
});

describe('a pooler that loses prepared statements', () => {
  const missing = missingPgBouncer();
  test.skipIf(missing)('a server with transaction pooling, which loses prepared statements, is not ready', async () => {
    const direct = await temporaryDatabase();
    const server = await temporaryServer({ databaseUrl: await temporaryPgBouncer(direct, 'transaction') });
    const reason = 'the connection pooler does not support prepared statements';
    for (let time = 0; time < 3; time++)
      expect(await ready(server.origin)).toEqual([503, { status: 'unavailable', cause: 'pooler', reason }]);
  });

  test('a server that has just lost a prepared statement is not ready', async () => {
    const server = await temporaryServer(ONE);
    await server.bookstore.createStore({ name: 'Main', city: 'Bern' });
    expect((await server.request('/v1/stores/1/stock')).status).toBe(200);
    await server.db.pool.query('deallocate all');
    expect((await server.request('/v1/stores/1/stock')).status).toBe(503);
    expect(await ready(server.origin)).toMatchObject([503, { cause: 'pooler' }]);
  });
});
