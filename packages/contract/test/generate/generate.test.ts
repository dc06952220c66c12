import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { Folder } from '../../../contract-review/test/folder.ts';
import { staleFiles, writeFiles } from '../../src/generate/generate.ts';
import { BOOKSTORE, filesOf } from '../workspace.ts';

const operations = 'packages/client/src/generated/operations.ts';

let expected: Map<string, string>;
let folder: Folder;
let root: string;

beforeAll(async () => {
  expected = await filesOf(BOOKSTORE);
});

beforeEach(() => {
  folder = new Folder();
  root = folder.root;
});

test('the first line of every file names its source', () => {
  for (const text of expected.values())
    expect(text).toMatch(/^\/\/ Generated from openapi\/bookstore\.yaml .* Do not edit\.\n/);
});

test('the first run writes every file, the second none', async () => {
  expect(writeFiles(root, expected)).toEqual([...expected.keys()].sort());
  const again = await filesOf(BOOKSTORE);
  expect(writeFiles(root, again)).toEqual([]);
});

test('changed, missing and left-over files are reported and repaired', async () => {
  writeFiles(root, expected);
  folder.write(operations, 'changed');
  rmSync(join(root, 'packages/client/src/generated/table.ts'));
  folder.write('apps/server/src/generated/old/routes.ts', '');
  const stale = ['apps/server/src/generated/old/routes.ts', operations, 'packages/client/src/generated/table.ts'];

  expect(staleFiles(root, expected)).toEqual(stale);
  expect(writeFiles(root, expected)).toEqual(stale);

  expect(staleFiles(root, expected)).toEqual([]);
  expect(folder.read(operations)).toBe(expected.get(operations));
});
