import type { AddressInfo } from 'node:net';
import { openService } from '@repo/server-runtime/internal/app';
import { loadConfig } from '@repo/server-runtime/internal/config';
import { migrateUp, withDatabase } from '@repo/server-runtime/internal/database/migrate';
import { insertApiKey } from '@repo/server-runtime/internal/keys/keys';
import { temporaryDatabase } from '@repo/testkit/database';
import { expect, onTestFinished, test } from 'vitest';
import { service } from './bookstore/service.ts';

/** Sends a request with a key. */
const sender = (origin: string, key: string) => (method: string, path: string, body?: unknown, once?: string) =>
  fetch(origin + path, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(once && { 'Idempotency-Key': once }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

async function openBookstore() {
  const url = await temporaryDatabase();
  await withDatabase(service, url, (db) => migrateUp(service, db));
  const running = await openService(service, loadConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent', METRICS_PORT: '0' }));
  onTestFinished(async () => {
    await running.app.close();
    await running.close();
  });
  await running.app.listen({ host: '127.0.0.1', port: 0 });
  const origin = `http://127.0.0.1:${(running.app.server.address() as AddressInfo).port}`;
  const { key } = await insertApiKey(service, running.db, {
    name: 'Ada',
    plan: 'enterprise',
    perMinute: 1_000,
    perDay: 1_000,
  });
  return { ...running, url, origin, key, send: sender(origin, key) };
}

const dispossessed = { title: 'The Dispossessed', storeId: 7, format: 'hardcover' as const };

test('a second contract is served by the same runtime: keys, idempotency, pages, validation, limits, health, metrics', async () => {
  const { origin, key, send, metrics, db } = await openBookstore();
  expect(key).toMatch(/^bookstore_[\w-]{48}$/);

  // A change happens once for each key.
  const first = await send('POST', '/v1/books', dispossessed, 'one');
  expect([first.status, await first.json()]).toEqual([201, { id: 1, ...dispossessed }]);
  const again = await send('POST', '/v1/books', dispossessed, 'one');
  expect([again.status, await again.json()]).toEqual([201, { id: 1, ...dispossessed }]);
  const reused = await send('POST', '/v1/books', { ...dispossessed, storeId: 8 }, 'one');
  expect([reused.status, await reused.json()]).toMatchObject([422, { code: 'idempotency_key_reused' }]);

  // A page leads to the next.
  for (const title of ['Tehanu', 'Lavinia']) await send('POST', '/v1/books', { ...dispossessed, title });
  await send('POST', '/v1/books', { title: 'Ubik', storeId: 7 });
  const page = await send('GET', '/v1/books?format=hardcover&limit=2');
  expect(await page.json()).toEqual([
    { id: 1, ...dispossessed },
    { id: 2, ...dispossessed, title: 'Tehanu' },
  ]);
  const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('Link') ?? '') ?? [];
  const last = await send('GET', next);
  expect([await last.json(), last.headers.get('Link')]).toEqual([[{ id: 3, ...dispossessed, title: 'Lavinia' }], null]);

  // One resource; its deletion, and the repetition of that.
  const got = await send('GET', '/v1/books/4');
  expect(await got.json()).toEqual({ id: 4, title: 'Ubik', storeId: 7 });
  for (let run = 0; run < 2; run++) expect((await send('DELETE', '/v1/books/4', undefined, 'gone')).status).toBe(204);
  const gone = await send('GET', '/v1/books/4');
  expect([gone.status, await gone.json()]).toMatchObject([404, { code: 'not_found', message: 'There is no book 4' }]);

  // The rules of this contract, its plans and its names.
  const invalid = await send('POST', '/v1/books', { title: '' });
  expect([invalid.status, await invalid.json()]).toMatchObject([400, { message: 'body.storeId is required' }]);
  const anonymous = await fetch(`${origin}/v1/books`);
  expect([
    anonymous.status,
    anonymous.headers.get('WWW-Authenticate'),
    anonymous.headers.get('X-RateLimit-Limit'),
  ]).toEqual([401, 'Bearer realm="bookstore"', '60']);
  expect(await (await fetch(`${origin}/readyz`)).json()).toEqual({ status: 'ok' });
  expect(await (await fetch(`${origin}/openapi.json`)).json()).toMatchObject({ info: { title: 'Bookstore' } });
  expect(await (await fetch(`${origin}/docs`)).text()).toContain('<title>Bookstore API</title>');
  const text = await metrics?.registry.metrics();
  expect(text).toMatch(
    /http_server_request_duration_seconds_count\{operation="createBook",http_route="\/v1\/books",http_request_method="POST",http_response_status_code="201",client="none",plan="enterprise"\} \d/,
  );
  expect(text).toContain('service_requests_shed_total 0');
  const { rows } = await db.pool.query('select name from kysely_migration order by name');
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(service.migrations));
});
