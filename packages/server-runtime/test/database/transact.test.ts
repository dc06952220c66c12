import { RequestDb } from '@petstore-platform/server-runtime/testing';
import { expect, test } from 'vitest';
import { rowsOf, temporaryDatabase } from '../support/database.ts';
import { temporaryHandle } from '../support/runtime.ts';

test('a session comes back without a transaction, however the work on it has ended', async () => {
  const db = temporaryHandle(await temporaryDatabase(), { size: 1 });
  const requests = new RequestDb(db);
  const begin = (after: () => unknown) =>
    requests.transact('ann', async (client, sent) => {
      await client.query(`begin; insert into stores (name, city) values ('lost', 'Bern')`);
      sent.mayCommit = true;
      return after();
    });
  await begin(() => 'forgotten');
  await expect(begin(() => Promise.reject(new Error('thrown')))).rejects.toThrow('thrown');
  for (const thrown of [null, undefined, 'text', { cause: null }])
    await expect(begin(() => Promise.reject(thrown))).rejects.toBe(thrown);
  await requests.transact('ann', (client) => client.query(`insert into stores (name, city) values ('kept', 'Bern')`));
  expect(await rowsOf(db, `select name from stores`)).toEqual([{ name: 'kept' }]);
});
