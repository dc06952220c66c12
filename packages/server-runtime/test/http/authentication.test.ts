import { createClient } from '@repo/bookstore';
import { examples } from '@repo/bookstore/generated/examples';
import { TestClock } from '@repo/bookstore/testing';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { checkedFetch } from '../support/contract.ts';
import { createKey, revokeApiKey } from '../support/runtime.ts';
import { countBooks, errorOf, sharedServer, temporaryServer } from '../support/server.ts';

const clock = new TestClock(Date.UTC(2026, 10, 20, 12));
const server = sharedServer(() => ({ clock }));

async function expectUnauthorized(response: Response, code: string): Promise<void> {
  expect(await errorOf(response)).toMatchObject({ status: 401, code });
  const challenge =
    code === 'api_key_missing' ? 'Bearer realm="bookstore"' : 'Bearer realm="bookstore", error="invalid_token"';
  expect(response.headers.get('WWW-Authenticate')).toBe(challenge);
}

const withAuthorization = (value: string) => server.anonymous('/v1/books', { headers: { Authorization: value } });

test.each(Object.entries(examples))(
  '%s without a key, or with one that was never issued, is 401',
  async (_, { method, target, body }) => {
    // Errors of the body are not reported without a key.
    const init = { method, headers: { 'Content-Type': 'text/plain' }, ...(body !== undefined && { body: '{}' }) };
    await expectUnauthorized(await server.anonymous(target, init), 'api_key_missing');
    const headers = { ...init.headers, Authorization: `Bearer ${createKey()}` };
    await expectUnauthorized(await server.anonymous(target, { ...init, headers }), 'api_key_invalid');
  },
);

test('a handler sees the declared headers, and no credential', async () => {
  const seen: unknown[] = [];
  const { request } = await temporaryServer({
    handlers: {
      listBooks: async ({ headers }: { headers?: unknown }) => {
        seen.push(headers);
        return { status: 200, body: [] };
      },
    } as never,
  });
  expect((await request('/v1/books', { headers: { Cookie: 'a=b', 'X-Api-Key': 'c' } })).status).toBe(200);
  expect(seen).toEqual([{}]);
});

test('a key without its scheme, or in the query, is missing; in pieces, or among other characters, it is invalid', async () => {
  const key = server.apiKey;
  for (const value of ['', 'Basic dXNlcjpwYXNz', 'Bearer', 'Bearer ', 'bearer', key, `Basic ${key}`, `Bearer${key}`])
    await expectUnauthorized(await withAuthorization(value), 'api_key_missing');
  await expectUnauthorized(await server.anonymous(`/v1/books?api_key=${key}`), 'api_key_missing');
  const others = [`${key}x`, `${key} x`, `x ${key}`, `${key},`, `"${key}"`, key.slice(0, -1), key.toUpperCase()];
  for (const value of [...others, `${key}, Bearer ${key}`])
    await expectUnauthorized(await withAuthorization(`Bearer ${value}`), 'api_key_invalid');
});

test('any header without a valid key is 401', async () => {
  const visible = fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) });
  const value = fc
    .oneof(
      visible,
      visible.map((text) => `Bearer ${text}`),
    )
    .filter((text) => !text.includes('\x7f'));
  await fc.assert(
    fc.asyncProperty(value, async (text) => {
      expect((await withAuthorization(text)).status).toBe(401);
    }),
  );
});

test('the scheme is case-insensitive', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
    expect((await withAuthorization(`${scheme} ${server.apiKey}`)).status).toBe(200);
});

test('a revoked key is refused within 10 seconds, permanently', async () => {
  const { id, key } = await server.createKey();
  const bookstore = createClient({ apiKey: key, baseUrl: `${server.origin}/v1`, fetch: checkedFetch });
  await bookstore.listBooks();
  await revokeApiKey(server.db, id);
  // A cached key costs no query.
  await bookstore.listBooks();
  for (let seconds = 10; seconds <= 30; seconds += 10) {
    await clock.pass(10_000);
    await expect(bookstore.listBooks()).rejects.toMatchObject({ status: 401, code: 'api_key_invalid' });
  }
});

test('an expired key is refused from its last millisecond on, also while it is cached', async () => {
  const { id, key } = await server.createKey({ expires: new Date(clock.time + 2_000) });
  const list = () => withAuthorization(`Bearer ${key}`);
  expect((await list()).status).toBe(200);
  await clock.pass(1_999);
  expect((await list()).status).toBe(200);
  await clock.pass(1);
  await expectUnauthorized(await list(), 'api_key_expired');
  await server.db.pool.query(`update api_keys set expires_at = 'infinity' where id = $1`, [id]);
  await clock.pass(10_000);
  expect((await list()).status).toBe(200);
});

test('a key of a plan that this version does not know is 503 with one line in the log; others are served', async () => {
  const log = vi.spyOn(server.app.log, 'error');
  const issued = await Promise.all(Array.from({ length: 20 }, () => server.createKey({ plan: 'free' })));
  const [unknown, negative, ...others] = issued as [(typeof issued)[0], (typeof issued)[0], ...typeof issued];
  const change = (values: string, { id }: { id: number }) =>
    server.db.pool.query(`update api_keys set ${values} where id = ${id}`);
  await change(`plan = 'platinum'`, unknown);
  await change(`plan = 'enterprise', per_minute = -2147483648, per_day = 2147483647`, negative);
  const list = ({ key }: { key: string }) => withAuthorization(`Bearer ${key}`);
  for (let repetition = 0; repetition < 3; repetition++) {
    const [refused, limited, ...served] = await Promise.all([unknown, negative, ...others].map(list));
    expect([refused?.status, refused?.headers.get('Retry-After')]).toEqual([503, '1']);
    expect(limited?.status).toBe(429);
    expect(served.map(({ status }) => status)).toEqual(others.map(() => 200));
  }
  expect(log.mock.calls).toEqual([[{ keyId: unknown.id, plan: 'platinum' }, expect.stringMatching(/plan/)]]);
});

describe('authentication comes before the body', () => {
  const book = '{"title":"Tehanu","storeId":7}';
  const post = (...headers: string[]) =>
    ['POST /v1/books HTTP/1.1', 'Host: x', 'Content-Type: application/json', ...headers, '', ''].join('\r\n');
  const length = `Content-Length: ${book.length}`;

  test('a client without a key that announces a body but does not send it gets 401 at once', async () => {
    const connection = await server.connect();
    connection.write(post('Content-Length: 1000000000'));
    expect(await connection.read(/\}$/)).toMatch(/^HTTP\/1.1 401 /);
  });

  test('Expect: 100-continue gets 100 only with a valid key', async () => {
    const before = await countBooks(server);
    const stranger = await server.connect();
    stranger.write(post(length, 'Expect: 100-continue'));
    expect(await stranger.read(/\}$/)).toMatch(/^HTTP\/1.1 401 /);

    const known = await server.connect();
    known.write(post(length, 'Expect: 100-Continue', `Authorization: Bearer ${server.apiKey}`, 'Connection: close'));
    expect(await known.read(/\r\n\r\n$/)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    known.write(book);
    expect(await known.readToEnd()).toMatch(/\r\n\r\nHTTP\/1.1 201 /);
    expect(await countBooks(server)).toBe(before + 1);
  });
});
