import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { startRegistry } from '@petstore-platform/testkit/registry';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT, temporaryFolder } from '../copy.ts';

test('the first version is published by hand as CONTRIBUTING.md says, and installs', async () => {
  const folder = temporaryFolder();
  const { url: registry, close } = await startRegistry(mkdtempSync(path.join(folder, 'registry-')));
  onTestFinished(close);
  const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
  const { packageManager } = JSON.parse(read('package.json'));
  const client = path.join(ROOT, 'packages/client');
  const [, file = ''] = /pack --out "\$PWD\/release\/([^"]+)"/.exec(read('.github/workflows/release-sdk.yml')) ?? [];
  const pack = (place: string, name: string) =>
    execFileSync('npx', ['--yes', packageManager, 'pack', '--out', path.join(folder, name)], { cwd: place });
  pack(client, file);
  // The runtime of the SDK is published before, with the platform.
  pack(path.join(ROOT, 'packages/client-runtime'), 'client-runtime.tgz');
  const { name, version } = JSON.parse(read('packages/client/package.json'));

  const [, command = ''] = /`(npm publish [^`]+)`/.exec(read('CONTRIBUTING.md')) ?? [];
  const registries = ['@petstore', '@petstore-platform'].map((scope) => `${scope}:registry=${registry}\n`).join('');
  const npmrc = `${registries}${registry.replace('http:', '')}:_authToken=any\n`;
  writeFileSync(path.join(folder, '.npmrc'), npmrc);
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
  // npm makes no provenance on a maintainer's machine.
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const variable of ['CI', 'GITHUB_ACTIONS']) delete env[variable];
  const npm = async (text: string) => (await promisify(execFile)('sh', ['-c', text], { cwd: folder, env })).stdout;
  await npm('npm publish ./client-runtime.tgz --access public');
  await npm(command);
  await npm(`npm install --no-audit --no-fund ${name}@${version}`);
  const script = `import('${name}').then(({ createClient }) => console.log(typeof createClient))`;
  expect(await npm(`node --eval "${script}"`)).toBe('function\n');
  // The condition of release-sdk.yml, which does not publish a version again.
  expect(await npm(`npm view ${name}@${version} version`)).toBe(`${version}\n`);
});
