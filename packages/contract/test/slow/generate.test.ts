import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Folder } from '../../../contract-review/test/folder.ts';
import { staleFiles, writeFiles } from '../../src/generate/generate.ts';
import { BOOKSTORE, filesOf } from '../workspace.ts';

const operations = 'packages/client/src/generated/operations.ts';

test('changed, missing and left-over files are reported and repaired', async () => {
  const folder = new Folder();
  const { root } = folder;
  const expected = await filesOf(BOOKSTORE);
  expect(writeFiles(root, expected)).toEqual([...expected.keys()].sort());
  folder.write(operations, 'changed');
  rmSync(join(root, 'packages/client/src/generated/table.ts'));
  folder.write('apps/server/src/generated/old/routes.ts', '');
  const stale = ['apps/server/src/generated/old/routes.ts', operations, 'packages/client/src/generated/table.ts'];

  expect(staleFiles(root, expected)).toEqual(stale);
  expect(writeFiles(root, expected)).toEqual(stale);

  expect(staleFiles(root, expected)).toEqual([]);
  expect(folder.read(operations)).toBe(expected.get(operations));
});

test('a repository of a service has a copy of the platform, and fitting versions', () => {
  const folder = new Folder();
  folder.write('package.json', { name: 'a', contract: { file: 'openapi/a.yaml', server: 'src/generated' } });
  folder.write('openapi/a.yaml', readFileSync(BOOKSTORE, 'utf8'));
  const main = join(import.meta.dirname, '../../src/main.ts');
  const tool = (...args: string[]) =>
    spawnSync(process.execPath, ['--conditions=source', main, ...args], { cwd: folder.root, encoding: 'utf8' });
  expect(tool('generate').stdout).toMatch(/^Wrote:\n {2}openapi\/platform\.yaml\n {2}src\/generated\/contract\.ts\n/);
  expect(folder.read('src/generated/contract.ts')).toContain('by `npm run generate`');
  expect(tool('generate', '--check')).toMatchObject({ status: 0 });

  folder.write('openapi/platform.yaml', 'components: {}\n');
  expect(tool('generate', '--check')).toMatchObject({ status: 1, stderr: expect.stringMatching(/\n {2}\S+\n$/) });

  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  const install = (other: string) =>
    folder.write('client/node_modules/@petstore-platform/testkit/package.json', {
      ...{ name: '@petstore-platform/testkit', version: other },
    });
  install(version.replace(/\d+$/, '99'));
  expect(tool('generate')).toMatchObject({ status: 0 });
  install('99.0.0');
  expect(tool('generate')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(
      /contract is \S+, but @petstore-platform\/testkit 99\.0\.0: install all .* one version\n$/,
    ),
  });
});
