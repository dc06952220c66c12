import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { staleFiles, writeFiles } from '../../src/generate/generate.ts';
import { BOOKSTORE, filesOf } from '../workspace.ts';

const operations = 'packages/client/src/generated/operations.ts';

let expected: Map<string, string>;
let root: string;

beforeAll(async () => {
  expected = await filesOf(BOOKSTORE);
});

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'contract-generate-'));
});

afterEach(() => rmSync(root, { recursive: true }));

test('the first line of every file names its source', () => {
  for (const text of expected.values())
    expect(text).toMatch(/^\/\/ Generated from (openapi\/bookstore\.yaml|packages\/client-runtime) .* Do not edit\.\n/);
});

test('the first run writes every file, the second none', async () => {
  expect(writeFiles(root, expected)).toEqual([...expected.keys()].sort());
  const again = await filesOf(BOOKSTORE);
  expect(writeFiles(root, again)).toEqual([]);
});

test('changed, missing and left-over files are reported and repaired', async () => {
  writeFiles(root, expected);
  writeFileSync(join(root, operations), 'changed');
  rmSync(join(root, 'packages/client/src/generated/table.ts'));
  mkdirSync(join(root, 'apps/server/src/generated/old'));
  writeFileSync(join(root, 'apps/server/src/generated/old/routes.ts'), '');
  const stale = ['apps/server/src/generated/old/routes.ts', operations, 'packages/client/src/generated/table.ts'];

  expect(staleFiles(root, expected)).toEqual(stale);
  expect(writeFiles(root, expected)).toEqual(stale);

  expect(staleFiles(root, expected)).toEqual([]);
  expect(readFileSync(join(root, operations), 'utf8')).toBe(expected.get(operations));
});
