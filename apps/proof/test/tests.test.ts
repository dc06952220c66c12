import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ENVIRONMENT, INPUT } from '../src/tests.ts';

test('the tests that show a promise exist', () => {
  const root = path.join(import.meta.dirname, '../../..');
  const files = [...Object.values(ENVIRONMENT), ...Object.values(INPUT)].flatMap(([folder, ...names]) =>
    names.map((name) => path.join(folder, folder === 'test' ? '' : 'test', `${name}.test.ts`)),
  );
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});
