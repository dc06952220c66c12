import { describe, expect, test } from 'vitest';
import { ONE, someAddress, temporaryServer } from './support/server.ts';

/** A CORS preflight. */
const preflight = (origin: string, method = 'POST') => ({
  method: 'OPTIONS',
  headers: {
    Origin: origin,
    'Access-Control-Request-Method': method,
    'Access-Control-Request-Headers': 'authorization,content-type',
  },
});

test('app.printPlugins() prints the steps of a request in their order', async () => {
  const { app } = await temporaryServer(ONE);
  const steps = 'arrival path load authentication limits body validation handler response'.split(' ');
  const printed = app.printPlugins().match(/(?<= )\w+(?= -?\d+ ms)/g) ?? [];
  expect(printed.filter((name) => steps.includes(name))).toEqual(steps);
});

describe('CORS_ORIGINS', () => {
  const ours = 'https://app.example';

  test('allow these origins only', async () => {
    const server = await temporaryServer({ config: { CORS_ORIGINS: [ours, 'http://localhost:8080'] } });
    for (const path of ['/v1/books', '/v1/books/1']) {
      const { status, headers } = await server.anonymous(path, preflight(ours));
      expect(status).toBe(204);
      expect(headers.get('Access-Control-Allow-Origin')).toBe(ours);
      expect(headers.get('Access-Control-Allow-Headers')).toMatch(/authorization.*content-type/);
      expect(headers.get('Access-Control-Allow-Methods')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE');
    }
    const strange = await server.anonymous('/v1/books', preflight('https://app.example.evil.example'));
    expect(strange.headers.has('Access-Control-Allow-Origin')).toBe(false);
    // This is no preflight.
    const response = await server.anonymous('/v1/books', { method: 'OPTIONS' });
    expect([response.status, await response.text()]).toEqual([204, '']);
  });

  test('allow no origin by default', async () => {
    const server = await temporaryServer();
    const response = await server.anonymous('/v1/books', preflight(ours));
    expect(response.status).toBe(405);
    expect(response.headers.has('Access-Control-Allow-Origin')).toBe(false);
    // If preflights counted, a foreign page could have the address of its visitor refused.
    const address = { 'X-Forwarded-For': someAddress() };
    const remaining = async () =>
      (await fetch(`${server.origin}/v1/books`, { headers: address })).headers.get('X-RateLimit-Remaining');
    const { headers, method } = preflight(ours);
    expect(await remaining()).toBe('59');
    await fetch(`${server.origin}/v1/books`, { method, headers: { ...headers, ...address } });
    expect(await remaining()).toBe('58');
    expect((await server.request('/v1/books', { headers: { Origin: ours } })).headers.has('Vary')).toBe(false);
  });

  test('vary a response by the origin, also where it varies by something else', async () => {
    const listBooks = async () => ({ status: 200, headers: { Vary: 'Cookie' }, body: [] });
    const server = await temporaryServer({ config: { CORS_ORIGINS: [ours] }, handlers: { listBooks } as never });
    const varied = async (path: string) => (await server.request(path)).headers.get('Vary');
    expect(await varied('/v1/books')).toBe('Cookie, Origin');
    expect(await varied('/openapi.json')).toBe('Origin');
    expect(await varied('/nowhere')).toBe('Origin');
  });
});
