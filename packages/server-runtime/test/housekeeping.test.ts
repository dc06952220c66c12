import { DAY, TestClock } from '@repo/bookstore/testing';
import { expect, test } from 'vitest';
import { rowsOf } from './support/database.ts';
import { temporaryServer } from './support/server.ts';

test('only expired rows are deleted', async () => {
  const clock = new TestClock(Date.UTC(2026, 10, 20, 12));
  const server = await temporaryServer({ clock });
  const create = (idempotencyKey: string) =>
    server.bookstore.createBook({ title: 'Emma', storeId: 2 }, { idempotencyKey });
  await create('old');
  await clock.pass(DAY);
  await create('today');
  await server.runJob('housekeeping');
  expect(await rowsOf(server.db, 'select key from idempotency_keys')).toEqual([{ key: 'today' }]);
  expect(await server.bookstore.listBooks()).toHaveLength(2);
});
