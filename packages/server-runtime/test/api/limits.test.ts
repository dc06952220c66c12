import { countWaiting, whileLocked } from '@petstore-platform/testkit/postgres';
import { TestClock } from '@repo/bookstore/testing';
import { expect, test } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { countBooks, errorOf, listServer, temporaryServer } from '../support/server.ts';

test('a read runs beside the statement that counts it; its response and a change wait for that', async () => {
  const { promise: isRead, resolve } = Promise.withResolvers<void>();
  const server = await listServer(async () => {
    resolve();
    return [];
  });
  await whileLocked(server.databaseUrl, 'rate_limits', async (client) => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
    const change = server.request('/v1/books', { ...init, body: JSON.stringify({ title: 'Ubik', storeId: 7 }) });
    await expect.poll(() => countWaiting(client)).toBe(1);
    const read = server.request('/v1/books');
    await isRead;
    expect(await countBooks(server)).toBe(0);
    expect(await Promise.race([read, change, Promise.resolve('waits')])).toBe('waits');
    await client.query('commit');
    // The oracle of `request` requires the headers of the limits.
    expect([(await read).status, (await change).status]).toEqual([200, 201]);
  });
});

test('a refusal by the count replaces what the read has found, and goes before a 400', async () => {
  const databaseUrl = await temporaryDatabase();
  // The minute must not end during the test.
  const clock = new TestClock(Date.UTC(2026, 10, 20, 12, 0, 20));
  const one = await temporaryServer({ databaseUrl, clock });
  const { key } = await one.createKey({ plan: 'enterprise', perMinute: 1, perDay: 100 });
  const ofKey = { headers: { Authorization: `Bearer ${key}` } };
  expect((await one.request('/v1/books', ofKey)).status).toBe(200);
  for (const path of ['/v1/books', '/v1/books?limit=x', '/v1/books/0']) {
    // A new server does not know the counts yet.
    const other = await temporaryServer({ databaseUrl, clock });
    const refused = await errorOf(await other.request(path, ofKey));
    expect([path, refused]).toEqual([path, expect.objectContaining({ status: 429, code: 'rate_limit_exceeded' })]);
  }
});
