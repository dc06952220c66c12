import { setTimeout as delay } from 'node:timers/promises';
import { whileLocked } from '@petstore-platform/testkit/postgres';
import { expect, test } from 'vitest';
import { deleteExpiredIdempotencyKeys } from '../../src/housekeeping.ts';
import { type Job, startJobs } from '../../src/jobs.ts';
import { createLog } from '../../src/ops/log.ts';
import { rowsOf, temporaryDatabase } from '../support/database.ts';
import { insertApiKey, temporaryHandle } from '../support/runtime.ts';

test('a job runs on one server at a time, and longer than a statement may take', async () => {
  const url = await temporaryDatabase();
  const events: string[] = [];
  const open = () => temporaryHandle(url, { size: 2, timeLimit: 1_500 });
  const released = Promise.withResolvers<void>();
  const job = (name: string): Job<object> => ({
    every: 10,
    async run() {
      events.push(name);
      await released.promise;
      events.push(`${name} ends`);
    },
  });
  const log = createLog('silent');
  const stopOne = startJobs({ count: job('one') }, { db: open(), context: {}, log });
  await expect.poll(() => events).toEqual(['one']);
  const stopOther = startJobs({ count: job('other') }, { db: open(), context: {}, log });
  // This is longer than a request's transaction may be idle.
  await delay(3_000);
  expect(events).toEqual(['one']);
  const stopped = stopOne();
  released.resolve();
  await stopped;
  await expect.poll(() => events.slice(0, 3)).toEqual(['one', 'one ends', 'other']);
  await stopOther();
});

test('a deletion that takes too long is repeated for fewer rows; a locked table is reported', async () => {
  const databaseUrl = await temporaryDatabase();
  const db = temporaryHandle(databaseUrl, { timeLimit: 300 });
  const { id } = await insertApiKey(db, { name: 'test', plan: 'free' });
  await db.pool.query(`
    insert into idempotency_keys (api_key_id, key, fingerprint, status, answer, created_at)
      select ${id}, n, '', 201, '{}', service_now() - n * interval '24 hours' from generate_series(0, 100) as n;
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
  // The key of today stays.
  expect(await rowsOf(db, 'select key from idempotency_keys')).toEqual([{ key: '0' }]);
});
