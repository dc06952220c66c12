import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { document } from '../../src/generated/document.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const contract = new URL('../../../../openapi/petstore.yaml', import.meta.url);

test('/openapi.json is the contract', async () => {
  const response = await server.anonymous('/openapi.json');
  expect(response.headers.get('Content-Type')).toMatch(/^application\/json/);
  expect(await response.json()).toEqual(document);
  expect(document).toEqual(parse(await readFile(contract, 'utf8')));
});

test('/openapi.yaml is the same', async () => {
  const response = await server.anonymous('/openapi.yaml');
  expect(response.headers.get('Content-Type')).toMatch(/^application\/yaml/);
  expect(parse(await response.text())).toEqual(document);
});

test('/docs is a page that is served from here and nowhere else, scripts included', async () => {
  const response = await server.anonymous('/docs');
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toMatch(/^text\/html/);
  const page = await response.text();
  expect(page).toContain('/openapi.json');
  expect(page).not.toMatch(/\/\/[\w-]+\.\w/);
  // The script would load its fonts from its maker and report to it.
  expect(page).toMatch(/"withDefaultFonts": false/);
  expect(page).toMatch(/"telemetry": false/);

  const scripts = [...page.matchAll(/<script[^>]* src="([^"]+)"/g)].map(
    ([, source]) => new URL(source ?? '', response.url),
  );
  expect(scripts).not.toEqual([]);
  for (const script of scripts) {
    expect(script.origin).toBe(server.origin);
    const { status, headers } = await server.anonymous(script.pathname);
    expect([status, headers.get('Content-Type')]).toEqual([200, expect.stringMatching(/javascript/)]);
  }
});
