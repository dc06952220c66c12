import { readFileSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import {
  binaries,
  bundleSuite,
  chromium,
  installRuntimes,
  NO_CHROMIUM,
  pageOrigin,
  runtimes,
} from '../conformance/runtimes.ts';
import { startService } from '../conformance/service.ts';
import { folder, root, run, tarballs } from '../tarball.ts';

let service: Awaited<ReturnType<typeof startService>>;

beforeAll(async () => {
  installRuntimes();
  await bundleSuite();
  service = await startService(pageOrigin);
  return service.stop;
}, 300_000);

test.for(Object.entries(runtimes))('the SDK against the real service on %s', async ([name, run], { skip }) => {
  skip(name === 'Chromium' && !chromium, NO_CHROMIUM);
  const results = await run({ baseUrl: service.baseUrl, apiKey: service.apiKey });
  expect(results.filter(({ error }) => error)).toEqual([]);
  expect(results.length).toBeGreaterThan(10);
});

test('JSR accepts the package, without slow types or undocumented exports', async () => {
  const [sdk, runtime] = tarballs;
  const cwd = path.join(folder, 'jsr');
  await mkdir(cwd);
  await run(cwd, 'tar', ['-xzf', sdk, '--strip-components=1']);
  await cp(path.join(root, 'jsr.json'), path.join(cwd, 'jsr.json'));
  await writeFile(path.join(cwd, 'package.json'), '{ "type": "module" }');
  await run(cwd, 'npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', runtime]);
  const deno = (...args: string[]) => run(cwd, path.join(binaries, 'deno/deno'), args);
  const { stderr } = await deno('publish', '--dry-run', '--allow-dirty', '--set-version', '1.2.3');
  expect(stderr).toContain('Checking for slow types in the public API...');
  expect(stderr).toContain('Success');
  const lint = await deno('doc', '--lint', 'src/generated/index.ts', 'src/generated/testing.ts').catch(
    (error: { stderr: string }) => error,
  );
  const errors = stripVTControlCharacters(`${lint.stderr}`).matchAll(/^error\[(.*)\]: (.*)\n +--> (.*)/gm);
  const names = ['index', 'testing', 'client-options', 'fetch-types'];
  const entries = names.map((name) => path.join(root, `../client-runtime/src/${name}.ts`));
  const exported = entries.map((file) => readFileSync(file, 'utf8')).join('\n');
  // Types of the runtime are private to Deno, and those in these files are written by openapi-typescript and for openapi-fetch.
  const ours = [...errors].filter(([, kind, message = '', place = '']) => {
    const [, name = ''] = /private type '(\w+)'$/.exec(message) ?? [];
    const isTheirs = /\/(node_modules\/|generated\/(schema|deprecated))/.test(place) || name === 'Deprecated';
    return !isTheirs && !(kind === 'private-type-ref' && exported.match(/\w+/g)?.includes(name));
  });
  expect(ours).toEqual([]);
  const { imports } = JSON.parse(readFileSync(path.join(root, 'jsr.json'), 'utf8'));
  const { name, version } = JSON.parse(readFileSync(path.join(root, '../client-runtime/package.json'), 'utf8'));
  expect(imports).toEqual({ [name]: `npm:${name}@^${version}` });
});
