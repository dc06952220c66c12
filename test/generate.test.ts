import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyRepository, SERVICE } from './copy.ts';

const SDK = SERVICE.client.folder;

let copy: ReturnType<typeof copyRepository>;

beforeAll(() => {
  copy = copyRepository();
});

afterAll(() => copy?.remove());

const read = (file: string) => readFileSync(path.join(copy.folder, file), 'utf8');

/** Runs a script of package.json. */
function run(script: string, ...args: string[]) {
  const { packageManager } = JSON.parse(read('package.json'));
  const options = { cwd: copy.folder, encoding: 'utf8', env: { ...process.env, CI: 'true' } } as const;
  const { status, stdout, stderr } = spawnSync('npx', ['--yes', packageManager, 'run', script, ...args], options);
  return { status, output: stdout + stderr };
}

test('an SDK whose runtime was edited by hand is stale', () => {
  const file = path.join(copy.folder, SDK, 'src/retry.ts');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('FIRST_WAIT = 500', 'FIRST_WAIT = 5'));
  const { status, output } = run('contract:generate', '--check');
  expect(output).toContain(`\n  ${SDK}/src/retry.ts\n`);
  expect(status).toBe(1);
  writeFileSync(file, text);
});

test('a new version of an SDK is in its sources', () => {
  const { status, output } = run('version-packages');
  expect(status, output).toBe(0);
  const { version } = JSON.parse(read(`${SDK}/package.json`));
  expect(version).not.toBe('0.0.0');
  expect(read(`${SDK}/src/version.ts`)).toContain(`version = '${version}'`);
  expect(run('contract:generate', '--check')).toMatchObject({ status: 0 });
});
