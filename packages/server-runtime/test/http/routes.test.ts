import { operations } from '@repo/bookstore/generated/routes';
import { expect, test } from 'vitest';
import { temporaryServer } from '../support/server.ts';

test('the server does not start with an operation without handler, and names it', async () => {
  const getNothing = { ...operations.listStores, id: 'getNothing', path: '/v1/nowhere' };
  const starting = temporaryServer({ operations: { ...operations, getNothing } });
  await expect(starting.then(() => 'started')).rejects.toThrow(/getNothing/);
});
