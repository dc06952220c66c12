import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { folder, root, run, tarballs } from './tarball.ts';

test('the tarball has the published files and no tests', async () => {
  const { stdout } = await run(folder, 'tar', ['-tzf', tarballs[0]]);
  const files = String(stdout).match(/(?<=^package\/).+/gm) ?? [];
  const published = ['LICENSE', 'README.md', 'CHANGELOG.md', 'dist/index.js', 'dist/index.js.map', 'dist/index.d.ts'];
  expect(files).toEqual(expect.arrayContaining(published));
  expect(files.filter((file) => !/^(dist|src)\/|^[A-Z_]+(\.md)?$|^package\.json$/.test(file))).toEqual([]);
  const { stdout: manifest } = await run(folder, 'tar', ['-xzOf', tarballs[0], 'package/package.json']);
  const { version } = JSON.parse(await readFile(path.join(root, '../client-runtime/package.json'), 'utf8'));
  expect(JSON.parse(String(manifest)).dependencies).toEqual({ '@petstore-platform/client-runtime': `^${version}` });
});

test.each(['client', 'client-runtime'])('source maps of %s refer to packed sources', async (name) => {
  const dist = path.join(root, '..', name, 'dist');
  const maps = (await readdir(dist, { recursive: true })).filter((file) => file.endsWith('.map'));
  expect(maps.length).toBeGreaterThan(10);
  for (const file of maps) {
    const { sources, sourcesContent } = JSON.parse(await readFile(path.join(dist, file), 'utf8'));
    for (const [index, source] of sources.entries())
      expect(sourcesContent?.[index] ?? existsSync(path.resolve(dist, path.dirname(file), source)), file).toBeTruthy();
  }
});
