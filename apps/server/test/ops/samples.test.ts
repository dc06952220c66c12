import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { document, reference } from '../../src/generated/document.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Compiles the samples of the reference page with the SDK, and runs them against a real server. */

interface Sample {
  id: string;
  label: string;
  source: string;
}

const paths: Record<
  string,
  Record<string, { operationId: string; 'x-codeSamples': Omit<Sample, 'id'>[] }>
> = JSON.parse(reference).paths;
const operations = Object.values(paths).flatMap((item) => Object.values(item));
const samples: Sample[] = operations.flatMap(({ operationId: id, 'x-codeSamples': samples }) =>
  samples.map((sample) => ({ id, ...sample })),
);
const sdk = samples.filter(({ label }) => label === '@petstore/client');
const shell = samples.filter(({ label }) => label === 'curl');

const run = promisify(execFile);
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const folder = new URL('../../test-results/samples/', import.meta.url);
const fileOf = (name: string) => fileURLToPath(new URL(name, folder));
const PRODUCTION = new URL(document.servers[0]?.url ?? '').origin;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { id, source } of sdk) writeFileSync(fileOf(`${id}.ts`), source);
  writeFileSync(fileOf('tsconfig.json'), JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'] }));
  // Replaces the production URL and the placeholder key by those of the test.
  const preload = `const { fetch } = globalThis;
    globalThis.fetch = (url, init) => {
      if (init.headers.authorization !== 'Bearer YOUR_API_KEY') throw new Error('another key');
      const headers = { ...init.headers, authorization: 'Bearer ${server.apiKey}' };
      return fetch(url.replace('${PRODUCTION}/', '${server.origin}/'), { ...init, headers });
    };`;
  writeFileSync(fileOf('preload.mjs'), preload);
});
afterAll(() => server?.close());

test('every operation has an SDK sample, then a curl sample', () => {
  expect(operations.length).toBeGreaterThan(0);
  for (const { operationId, 'x-codeSamples': own } of operations) {
    expect([operationId, ...own.map(({ label }) => label)]).toEqual([operationId, '@petstore/client', 'curl']);
  }
});

test('the SDK samples compile', async () => {
  const tsc = fileURLToPath(new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url));
  const { stdout } = await run(process.execPath, [tsc, '-p', fileOf('.')]).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});

test.each(sdk)('$id: the SDK sample runs and prints animals', async ({ id }) => {
  await server.petstore.createPet({ name: 'Biscuit', categoryId: 7, status: 'available' });
  const { stdout, stderr } = await run(process.execPath, ['--import', fileOf('preload.mjs'), fileOf(`${id}.ts`)]);
  expect(stdout).toMatch(/name: 'Biscuit'/);
  expect(stderr).toBe('');
});

test.skipIf(!hasCurl).each(shell)(
  '$id: the curl sample runs and prints animals, if curl is installed',
  { timeout: 60_000 },
  async ({ source }) => {
    await server.petstore.createPet({ name: 'Biscuit', categoryId: 7, status: 'available' });
    expect(source).toContain(`'${PRODUCTION}/v1/`);
    const line = source.replace(`'${PRODUCTION}/`, `'${server.origin}/`).replace('YOUR_API_KEY', server.apiKey);
    const { stdout } = await run('sh', ['-c', line]);
    expect([JSON.parse(stdout)].flat()[0]).toMatchObject({ id: expect.any(Number), name: 'Biscuit', categoryId: 7 });
  },
);
