import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../../..');

test('the parts that evidence.yml measures exist', () => {
  const [, parts = ''] =
    /run: pnpm bench ([a-z ]+) \|/.exec(readFileSync(path.join(ROOT, '.github/workflows/evidence.yml'), 'utf8')) ?? [];
  const args = ['src/main.ts', ...parts.split(' '), '--help'];
  expect(execFileSync(process.execPath, args, { encoding: 'utf8', cwd: path.join(ROOT, 'apps/bench') })).toMatch(
    /^Usage/,
  );
});
