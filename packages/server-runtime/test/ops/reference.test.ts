import { document } from '@repo/bookstore/generated/document';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { errorOf, sharedServer, temporaryServer } from '../support/server.ts';

const server = sharedServer();

/** The contract as a server publishes it. */
const published = { ...document, servers: [{ url: '/v1', description: 'This server' }, ...document.servers] };

test.each<[string, (text: string) => unknown]>([
  ['json', JSON.parse],
  ['yaml', parse],
])('/openapi.%s is the contract, with the server that answers first', async (type, read) => {
  const response = await server.anonymous(`/openapi.${type}`);
  expect(response.headers.get('Content-Type')).toMatch(new RegExp(`^application/${type}`));
  expect(read(await response.text())).toEqual(published);
});

test('with PUBLIC_URL, the first server has a host: that of the contract, if it is one, whatever a client sends as Host', async () => {
  const [production, staging] = document.servers;
  const own = { url: 'http://127.0.0.1:3000/v1', description: 'This server' };
  for (const [url, servers] of [
    ['http://127.0.0.1:3000', [own, production, staging]],
    ['https://api.staging.bookstore.example', [staging, production]],
  ] as const) {
    const { anonymous } = await temporaryServer({ config: { PUBLIC_URL: url } });
    const headers = { 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example' };
    const given = (await (await anonymous('/openapi.json', { headers })).json()) as typeof document;
    expect(given.servers).toEqual(servers);
  }
});

const scriptOf = (page: string) => /<script src="([^"]+)"/.exec(page)?.[1] ?? '';

test('/docs and its scripts come from this server only; / redirects to it', async () => {
  const root = await server.anonymous('/', { redirect: 'manual' });
  expect([root.status, root.headers.get('Location')]).toEqual([302, '/docs']);
  for (const path of ['/docs', '/docs/']) {
    const response = await server.anonymous(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toMatch(/^text\/html/);
    const page = await response.text();
    const start = await (await server.anonymous('/docs/start.js')).text();
    for (const text of [page, start]) expect(text).not.toMatch(/\/\/[\w-]+\.\w/);
    // By default the script loads fonts from its vendor and sends telemetry.
    expect(start).toMatch(/withDefaultFonts: false/);
    expect(start).toMatch(/telemetry: false/);
    for (const script of [scriptOf(page), '/docs/start.js']) {
      const { status, headers } = await server.anonymous(script);
      expect([status, headers.get('Content-Type')]).toEqual([200, expect.stringMatching(/javascript/)]);
    }
  }
});

test('/docs allows its own scripts and the servers of the contract, but no framing', async () => {
  const { headers } = await server.anonymous('/docs/');
  const policy = new Map(
    headers
      .get('Content-Security-Policy')
      ?.split('; ')
      .map((directive) => directive.split(/ (.*)/, 2) as [string, string]),
  );
  expect(policy.get('default-src')).toBe("'none'");
  expect(policy.get('script-src')).toBe("'self'");
  expect(policy.get('connect-src')).toBe("'self' https://api.bookstore.example https://api.staging.bookstore.example");
  for (const directive of ['base-uri', 'form-action', 'frame-ancestors']) expect(policy.get(directive)).toBe("'none'");
  expect(headers.get('Referrer-Policy')).toBe('no-referrer');
});

test('a document is cached', async () => {
  const script = scriptOf(await (await server.anonymous('/docs')).text());
  for (const path of [script, '/docs', '/openapi.json', '/openapi.yaml']) {
    const response = await server.anonymous(path);
    const headers = { 'If-None-Match': response.headers.get('ETag') ?? '' };
    const again = await server.anonymous(path, { headers });
    expect([response.status, again.status, await again.text()]).toEqual([200, 304, '']);
    const immutable = path === script ? 'public, max-age=31536000, immutable' : null;
    expect([response, again].map(({ headers }) => headers.get('Cache-Control'))).toEqual([immutable, immutable]);
  }
});

test('DOCS=off removes the page, not the contract', async () => {
  const script = scriptOf(await (await server.anonymous('/docs')).text());
  const bare = await temporaryServer({ config: { DOCS: 'off' } });
  for (const path of ['/', '/docs', '/docs/', script, '/docs/start.js', '/docs/openapi.json']) {
    expect(await errorOf(await bare.anonymous(path))).toMatchObject({ status: 404, code: 'not_found' });
  }
  for (const path of ['/openapi.json', '/openapi.yaml']) expect((await bare.anonymous(path)).status).toBe(200);
});
