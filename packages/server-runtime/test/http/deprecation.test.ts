import { temporaryProxy } from '@petstore-platform/testkit/proxy';
import { operations } from '@repo/bookstore/generated/routes';
import { expect, test } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { type TestServer, temporaryServer } from '../support/server.ts';

const announcement = {
  deprecation: `@${Date.UTC(2026, 10, 20) / 1000}`,
  sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  link: '</v1/books?format=hardcover>; rel="successor-version"',
};

function announced({ headers }: Response) {
  const { deprecation, sunset, link } = Object.fromEntries(headers);
  return { deprecation, sunset, link };
}

const nothing = { deprecation: undefined, sunset: undefined, link: undefined };

/** One response of each status that `getBook` has. */
async function responses(server: TestServer): Promise<Response[]> {
  const { id } = await server.bookstore.createBook({ title: 'Tehanu', storeId: 7 });
  const { key } = await server.createKey({ plan: 'enterprise', perMinute: 1, perDay: 1 });
  const headers = { Authorization: `Bearer ${key}` };
  await server.request('/v1/books', { headers });
  return Promise.all([
    server.request(`/v1/books/${id}`),
    server.request(`/v1/books/${id}`, { method: 'HEAD' }),
    server.request(`/v1/books/${id}?unknown=1`),
    server.anonymous(`/v1/books/${id}`),
    server.request('/v1/books/0'),
    server.request('/v1/books/abc'),
    server.request(`/v1/books/${'1'.repeat(5_000)}`),
    server.request(`/v1/books/${id}`, { headers }),
  ]);
}

test('every response of getBook announces its removal and replacement', async () => {
  const url = await temporaryDatabase();
  const proxy = await temporaryProxy(url);
  const server = await temporaryServer({ databaseUrl: proxy.url });
  const all = await responses(server);
  expect(all.map(({ status }) => status)).toEqual([200, 200, 400, 401, 404, 404, 404, 429]);
  expect(all.map(announced)).toEqual(all.map(() => announcement));

  await proxy.cut();
  const unavailable = await server.request('/v1/books/1');
  expect([unavailable.status, announced(unavailable)]).toEqual([503, announcement]);
});

test('a 500 of getBook announces them, too', async () => {
  const server = await temporaryServer({ handlers: { getBook: () => Promise.reject(new Error('a bug')) } });
  const response = await server.request('/v1/books/1');
  expect([response.status, announced(response)]).toEqual([500, announcement]);
});

test('no other response announces a removal', async () => {
  const server = await temporaryServer();
  const book = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
  const all = await Promise.all([
    server.request('/v1/books'),
    server.request('/v1/books?limit=0'),
    server.anonymous('/v1/books'),
    server.request('/v1/books', { ...book, body: '{"title":"Tehanu","storeId":7}' }),
    server.request('/v1/books', { ...book, body: '{}' }),
    server.request('/v1/books/1', { method: 'PURGE' }),
    server.request('/v1/books/1/nowhere'),
  ]);
  expect(all.map(({ status }) => status)).toEqual([200, 400, 401, 201, 400, 405, 404]);
  expect(all.map(announced)).toEqual(all.map(() => nothing));
});

test('a deprecated list links to its next page, too', async () => {
  const announcement = { ...operations.getBook.announcement, Link: '</v1/books>; rel="successor-version"' };
  const server = await temporaryServer({
    operations: { ...operations, listBooks: { ...operations.listBooks, announcement } },
  });
  await server.bookstore.createBook({ title: 'Tehanu', storeId: 7 });
  await server.bookstore.createBook({ title: 'Lavinia', storeId: 2 });
  // The contract does not announce it.
  const response = await fetch(`${server.origin}/v1/books?limit=1`, {
    headers: { Authorization: `Bearer ${server.apiKey}` },
  });
  expect(response.headers.get('Link')).toMatch(/^<[^>]+>; rel="next", <\/v1\/books>; rel="successor-version"$/);
});
