import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './copy.ts';

test('npm run keys names the folder in which it found no running start', () => {
  const data = path.join(ROOT, 'test/no-such-data');
  const env = { PATH: process.env.PATH, PETSTORE_DATA_DIR: data };
  const { status, stderr } = spawnSync(process.execPath, ['scripts/keys.mjs', 'list'], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([1, expect.stringContaining(data)]);
});
