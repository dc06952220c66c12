import { TestClock } from '@repo/bookstore/testing';
import { expect, test } from 'vitest';
import { temporaryServer } from '../support/server.ts';

const json = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
const origin = 'https://app.example';
const ids = ['1', 'Root=1-67891233-abcdef012345678912345678', 'a'.repeat(128)];

test('every response has the limits, the time of the database, its request id, and headers for browsers', async () => {
  const clock = new TestClock(Date.UTC(2026, 10, 20, 12, 0, 20));
  const server = await temporaryServer({ clock, config: { CORS_ORIGINS: [origin] } });
  const requests: [status: number, path: string, init?: RequestInit][] = [
    [200, '/v1/books'],
    [200, '/v1/books', { method: 'HEAD' }],
    [201, '/v1/books', { ...json, body: '{"title":"Lavinia","storeId":2}' }],
    [400, '/v1/books', { ...json, body: '{' }],
    [400, '/v1/books', { ...json, body: '[]' }],
    [413, '/v1/books', { ...json, body: `"${'x'.repeat(70_000)}"` }],
    [415, '/v1/books', { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'x' }],
    [404, '/v1/books/0'],
    [400, '/v1/books/%zz'],
    [401, '/v1/books', { headers: { Authorization: '' } }],
    [401, '/v1/books', { method: 'HEAD', headers: { Authorization: '' } }],
    [404, '/v1/'],
    // The same path in another spelling (RFC 3986 section 6.2.2.2).
    [404, '/%76%31/nowhere'],
    [405, '/%761/books', { method: 'PURGE' }],
    [200, '/livez'],
    [200, '/docs'],
    [404, '/nowhere'],
  ];
  for (const [index, [expected, path, init]] of requests.entries()) {
    const id = ids[index % ids.length] as string;
    const headers = { Origin: origin, 'X-Request-Id': id, ...(init?.headers as object) };
    const response = await server.request(path, { ...init, headers });
    const get = (name: string) => response.headers.get(name);
    expect([path, response.status]).toEqual([path, expected]);
    expect([get('X-Request-Id'), get('X-Content-Type-Options')]).toEqual([id, 'nosniff']);
    expect(get('Access-Control-Allow-Origin')).toBe(origin);
    const exposed = get('Access-Control-Expose-Headers')?.split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining(['X-RateLimit-Limit', 'X-RateLimit-Reset', 'RateLimit', 'Retry-After']),
    );
    if (!/^\/(v|%76)/.test(path)) continue;
    for (const name of ['Limit', 'Remaining', 'Reset']) expect(get(`X-RateLimit-${name}`), path).toMatch(/^\d+$/);
    expect(Date.parse(get('Date') ?? ''), path).toBe(clock.time);
    expect(get('RateLimit-Policy')).toMatch(/^"minute";q=\d+;w=60(, "day";q=\d+;w=86400)?$/);
    expect(get('RateLimit')).toMatch(/^"minute";r=\d+;t=\d+(, "day";r=\d+;t=\d+)?$/);
  }
});
