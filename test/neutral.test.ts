import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { ROOT } from './copy.ts';

/** Words of the petstore; `petstore-platform` is the scope of the packages. */
const WORDS = String.raw`\b(pets?|animals?)\b|petstore($|[^-]|-[^p])`;

/** The packages that serve any service. */
const NEUTRAL = [
  'server-runtime',
  'openapi-validation',
  'quota',
  'client-runtime',
  'testkit',
  'contract',
  'contract-review',
];

const grep = (...files: string[]) => {
  const args = ['grep', '--untracked', '--ignore-case', '--line-number', '--extended-regexp', WORDS, '--', ...files];
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  expect(status, stderr).toBeLessThan(2);
  return stdout.split('\n').filter(Boolean);
};

test('no word of the petstore is in the sources of what serves any service', () => {
  expect(grep('test/neutral.test.ts').length).toBeGreaterThan(0);
  expect(grep(...NEUTRAL.map((name) => `packages/${name}/src`))).toEqual([]);
});
