import { temporaryProxy } from '@petstore-platform/testkit/proxy';
import { operations } from '@repo/bookstore/generated/routes';
import { expect, test } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { temporaryServer } from '../support/server.ts';

const announcement = {
  deprecation: `@${Date.UTC(2026, 10, 20) / 1000}`,
  sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  link: '</v1/books?format=hardcover>; rel="successor-version"',
};

test('every response of getBook announces its removal and replacement', async () => {
  const proxy = await temporaryProxy(await temporaryDatabase());
  const server = await temporaryServer({ databaseUrl: proxy.url });
  const { id } = await server.bookstore.createBook({ title: 'Tehanu', storeId: 7 });
  const { key } = await server.createKey({ plan: 'enterprise', perMinute: 1, perDay: 1 });
  const limited = { headers: { Authorization: `Bearer ${key}` } };
  await server.request('/v1/books', limited);
  const all = await Promise.all([
    server.request(`/v1/books/${id}`),
    server.request(`/v1/books/${id}`, { method: 'HEAD' }),
    server.request(`/v1/books/${id}?unknown=1`),
    server.anonymous(`/v1/books/${id}`),
    server.request('/v1/books/0'),
    server.request('/v1/books/abc'),
    server.request(`/v1/books/${'1'.repeat(5_000)}`),
    server.request(`/v1/books/${id}`, limited),
  ]);
  await proxy.cut();
  const failing = await temporaryServer({ handlers: { getBook: () => Promise.reject(new Error('a bug')) } });
  for (const { request } of [server, failing]) all.push(await request('/v1/books/1'));
  expect(all.map(({ status }) => status)).toEqual([200, 200, 400, 401, 404, 404, 404, 429, 503, 500]);
  // The contract admits these headers nowhere else.
  for (const { headers } of all) expect(Object.fromEntries(headers)).toMatchObject(announcement);
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
