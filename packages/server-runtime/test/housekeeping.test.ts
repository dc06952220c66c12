import { DAY } from '@petstore-platform/server-runtime/internal/database/clock';
import { deleteExpiredIdempotencyKeys } from '@petstore-platform/server-runtime/internal/housekeeping';
import { TestClock } from '@petstore-platform/server-runtime/testing';
import { whileLocked } from '@petstore-platform/testkit/postgres';
import { expect, onTestFinished, test } from 'vitest';
import { insertBooks } from './support/books.ts';
import { rowsOf, temporaryDatabase } from './support/database.ts';
import { insertApiKey, openDatabase } from './support/runtime.ts';

test('only expired rows are deleted', async () => {
  const db = openDatabase(await temporaryDatabase());
  onTestFinished(() => db.close());
  const clock = await new TestClock(Date.UTC(2026, 10, 20, 12)).install(db);
  const { id } = await insertApiKey(db, { name: 'test', plan: 'free' });
  const create = (key: string) => insertBooks(db, [{ title: 'Emma', storeId: 2 }], id, [key]);

  await create('old');
  await clock.pass(DAY);
  await create('today');
  await deleteExpiredIdempotencyKeys(db.kysely);

  expect(await rowsOf(db, 'select key from idempotency_keys')).toEqual([{ key: 'today' }]);
  expect(await rowsOf(db, 'select from books')).toHaveLength(2);
});

test('a statement that takes too long is repeated for fewer rows; a locked table is reported', async () => {
  const databaseUrl = await temporaryDatabase();
  const db = openDatabase(databaseUrl, { timeLimit: 300 });
  onTestFinished(() => db.close());
  const { id } = await insertApiKey(db, { name: 'test', plan: 'free' });
  await db.pool.query(`
    insert into idempotency_keys (api_key_id, key, fingerprint, status, answer, created_at)
      select ${id}, n, '', 201, '{}', service_now() - interval '24 hours' from generate_series(1, 100) as n;
    create function dawdle() returns trigger language plpgsql as 'begin perform pg_sleep(0.01); return old; end';
    create trigger dawdle before delete on idempotency_keys for each row execute function dawdle()`);
  let failed = 0;
  const clean = () => deleteExpiredIdempotencyKeys(db.kysely, () => (failed += 1));
  await whileLocked(databaseUrl, 'idempotency_keys', async () => {
    await clean();
  });
  expect(failed).toBe(1);
  await clean();
  expect(failed).toBe(1);
  expect(await rowsOf(db, 'select key from idempotency_keys')).toEqual([]);
});
