import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { document, reference } from '../../src/generated/document.ts';
import { startServer, type TestServer } from '../support/server.ts';

/**
 * Compiles the samples of the reference page with the SDK, and runs them against a real server: each is a valid request. It may name
 * an animal that does not exist.
 */

const { paths }: { paths: Record<string, object> } = JSON.parse(reference);
const operations: { operationId: string; 'x-codeSamples': { source: string }[] }[] = Object.values(paths).flatMap(
  (item) => Object.values(item),
);
const samples = operations.map(({ operationId: id, 'x-codeSamples': [sdk, curl] }) => ({
  id,
  sdk: sdk?.source ?? '',
  curl: curl?.source ?? '',
}));
const VALID = /^(2\d\d|404)$/;

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
  for (const { id, sdk } of samples) writeFileSync(fileOf(`${id}.ts`), sdk);
  writeFileSync(fileOf('tsconfig.json'), JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'] }));
  // Replaces the production URL and the placeholder key by those of the test, and writes the status of each response.
  const preload = `import { appendFileSync } from 'node:fs';
    const { fetch } = globalThis;
    globalThis.fetch = async (url, init) => {
      if (init.headers.authorization !== 'Bearer YOUR_API_KEY') throw new Error('another key');
      const headers = { ...init.headers, authorization: 'Bearer ${server.apiKey}' };
      const response = await fetch(url.replace('${PRODUCTION}/', '${server.origin}/'), { ...init, headers });
      appendFileSync(process.argv[1] + '.status', response.status + '\\n');
      return response;
    };`;
  writeFileSync(fileOf('preload.mjs'), preload);
});
afterAll(() => server?.close());

test('the SDK samples compile', async () => {
  const tsc = fileURLToPath(new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url));
  const { stdout } = await run(process.execPath, [tsc, '-p', fileOf('.')]).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});

test.each(samples)('$id: the SDK sample is a valid request', async ({ id, sdk }) => {
  expect(sdk, 'in openapi/petstore.yaml, give its required parameters and its body an `example`').not.toBe('');
  const failure = await run(process.execPath, ['--import', fileOf('preload.mjs'), fileOf(`${id}.ts`)]).catch(String);
  const [status = '', ...more] = readFileSync(fileOf(`${id}.ts.status`), 'utf8')
    .trim()
    .split('\n');
  expect([status, more]).toEqual([expect.stringMatching(VALID), []]);
  if (status !== '404') expect(failure).toMatchObject({ stderr: '' });
});

test.skipIf(!hasCurl).each(samples)(
  '$id: the curl sample is a valid request, if curl is installed',
  async ({ curl }) => {
    expect(curl).toContain(`'${PRODUCTION}/v1/`);
    const line = curl.replace(`'${PRODUCTION}/`, `'${server.origin}/`).replace('YOUR_API_KEY', server.apiKey);
    const { stdout } = await run('sh', ['-c', `${line} --silent --output /dev/null --write-out '%{http_code}'`]);
    expect(stdout).toMatch(VALID);
  },
);
