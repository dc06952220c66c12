import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const chromium = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);

test('every response disables MIME sniffing', async () => {
  for (const target of ['/v1/pets', '/v1/pets/%', '/nowhere', '/livez', '/openapi.json', '/docs/openapi.json']) {
    expect((await server.anonymous(target)).headers.get('X-Content-Type-Options')).toBe('nosniff');
  }
  expect((await server.raw('hello\r\n\r\n')).headers.get('X-Content-Type-Options')).toBe('nosniff');
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
  expect(policy.get('connect-src')).toBe("'self' https://api.petstore.example https://api.staging.petstore.example");
  for (const directive of ['base-uri', 'form-action', 'frame-ancestors']) expect(policy.get(directive)).toBe("'none'");
  expect(headers.get('Referrer-Policy')).toBe('no-referrer');
});

test.skipIf(!chromium)('Chromium shows the page under its policy', async () => {
  const profile = await mkdtemp(path.join(tmpdir(), 'petstore-chromium-'));
  onTestFinished(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }));
  const flags = '--headless --no-sandbox --disable-gpu --enable-logging=stderr --virtual-time-budget=10000 --dump-dom';
  const args = [...flags.split(' '), `--user-data-dir=${profile}`, `${server.origin}/docs/`];
  const options = { timeout: 80_000, maxBuffer: 32 * 1024 * 1024 };
  const { stdout, stderr } = await promisify(execFile)(chromium as string, args, options);
  expect(stderr.match(/.*Content Security Policy.*/)?.[0]).toBeUndefined();
  // Rendered by the script from the document.
  expect(stdout.match(/Petstore|List all animals|Add an animal/g)).toEqual(
    expect.arrayContaining(['Petstore', 'List all animals', 'Add an animal']),
  );
});
