import { countWaiting, withClient } from '@petstore-platform/testkit/postgres';
import { expect, test } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { openDatabase } from '../support/runtime.ts';

test('a session that waits for the end of a distribution ends with its connection', async () => {
  const url = await temporaryDatabase();
  await withClient(url, async (client) => {
    await client.query('select pg_advisory_lock(0, 0)');
    const db = openDatabase(url, { timeLimit: 1_500 });
    await expect(db.pool.query('select')).rejects.toMatchObject({ code: expect.stringMatching(/^5/) });
    expect(await countWaiting(client)).toBe(0);
    await client.query('select pg_advisory_unlock(0, 0)');
    await db.pool.query('select');
    await db.close();
  });
});
