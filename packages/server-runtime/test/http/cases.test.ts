import { allCases } from '@petstore-platform/testkit/http-cases';
import { resets, tryAll } from '@petstore-platform/testkit/raw-cases';
import { expect, test } from 'vitest';
import { contract } from '../support/contract.ts';
import { serverProcess } from '../support/process.ts';
import { countBooks, temporaryServer } from '../support/server.ts';

const books = {
  path: '/v1/books',
  fields: { text: 'title', integer: 'storeId' },
  filter: 'format',
  clientHeader: 'X-Bookstore-Client',
};

test('any bytes get the right responses or a closed connection, and only what was answered 201 is stored', async () => {
  const server = await temporaryServer();
  // slow-clients.test.ts has the cases with waits.
  const cases = allCases(server.apiKey, books).filter(({ answers }) => !answers?.includes(408));
  expect(await tryAll(server.port, cases, contract)).toEqual([]);
  expect(await countBooks(server)).toBe(cases.filter(({ answers }) => answers?.includes(201)).length);
});

test('a reset at any byte of any request does not end the process', async () => {
  const unlimited = { plan: 'enterprise', perMinute: 1_000_000, perDay: 1_000_000 } as const;
  const { port, key, bookstore, stop } = await serverProcess({ TRUST_PROXY: '1' }, unlimited);
  expect(await tryAll(port, resets(allCases(key, books)), contract)).toEqual([]);
  expect(await bookstore.listBooks({ limit: 1 })).toHaveLength(1);
  expect((await stop()).code).toBe(0);
});
