import { describe, expect, test } from 'vitest';
import { document } from '../bookstore/generated/document.ts';
import { temporaryServer } from '../support/server.ts';

/** A copy of the contract to change. */
const copy = () => structuredClone<object>(document) as { paths: Record<string, Record<string, unknown>> };

describe('the contract changed at run time', () => {
  test('the server does not start with an operation without handler, and names it', async () => {
    const changed = copy();
    changed.paths['/nowhere'] = { get: { operationId: 'getNothing', responses: { '204': { description: 'Gone.' } } } };
    const starting = temporaryServer({ document: changed as typeof document });
    await expect(starting.then(() => 'started')).rejects.toThrow(/getNothing/);
  });

  test('an operation missing from the contract is not served', async () => {
    const changed = copy();
    for (const path of Object.keys(changed.paths)) if (path.startsWith('/books/{bookId}')) delete changed.paths[path];
    const server = await temporaryServer({ document: changed as typeof document });
    expect(await server.bookstore.listBooks()).toEqual([]);
    expect((await server.request('/v1/books/1')).status).toBe(404);
  });

  test('a method missing from the contract is 405', async () => {
    const changed = copy();
    const { post } = document.paths['/books'];
    changed.paths['/books'] = { post };
    const server = await temporaryServer({ document: changed as typeof document });
    // The contract that responses are validated against has the method.
    const response = await fetch(`${server.origin}/v1/books`);
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST']);
  });
});
