import { operations } from '@repo/bookstore/generated/routes';
import { describe, expect, test } from 'vitest';
import { temporaryServer } from '../support/server.ts';

describe('the contract changed at run time', () => {
  test('the server does not start with an operation without handler, and names it', async () => {
    const getNothing = { ...operations.listStores, id: 'getNothing', path: '/v1/nowhere' };
    const starting = temporaryServer({ operations: { ...operations, getNothing } });
    await expect(starting.then(() => 'started')).rejects.toThrow(/getNothing/);
  });

  test('an operation missing from the contract is not served', async () => {
    const { getBook: _, deleteBook: _other, ...changed } = operations;
    const server = await temporaryServer({ operations: changed });
    expect(await server.bookstore.listBooks()).toEqual([]);
    expect((await server.request('/v1/books/1')).status).toBe(404);
  });

  test('a method missing from the contract is 405', async () => {
    const { listBooks: _, ...changed } = operations;
    const server = await temporaryServer({ operations: changed });
    // The contract that responses are validated against has the method.
    const response = await fetch(`${server.origin}/v1/books`);
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST']);
  });
});
