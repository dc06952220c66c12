import { afterAll, expect, test } from 'vitest';
import { diffContracts, readVersion } from '../../src/review/diff.ts';
import { toJson } from '../../src/review/formats.ts';
import type { Report } from '../../src/review/review.ts';
import { CASES, CorpusFiles } from './corpus.ts';

const corpus = new CorpusFiles();

afterAll(() => corpus.remove());

const compare = async (name: string, from: 'base' | 'head', to: 'base' | 'head') =>
  diffContracts(await readVersion(corpus.fileOf(name, from)), await readVersion(corpus.fileOf(name, to)));

const sorted = (changes: readonly object[]) => changes.map((change) => JSON.stringify(change)).sort();

test.each(CASES)('$topic: $name', async ({ name, expected }) => {
  const changes = await compare(name, 'base', 'head');
  const report = JSON.parse(toJson({ changes, violations: [] } as Partial<Report> as Report));
  const actual = report.changes.map(({ impact, rule, operations }: Record<string, unknown>) => {
    return { impact, rule, operations };
  });
  expect(sorted(actual)).toEqual(sorted(expected));
});

test('no two cases have the same name', () => {
  expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
});

test.each(CASES)('$name: a contract compared with itself has no changes', async ({ name }) => {
  expect(await compare(name, 'head', 'head')).toEqual([]);
});

// Except an added component: removing it breaks its importers.
const REVERSIBLE = CASES.filter(
  ({ name, expected }) => expected.length === 0 && !name.includes('component-schema') && !name.includes('to-component'),
);

test.each(REVERSIBLE)('$name: the reverse has no changes either', async ({ name }) => {
  expect(await compare(name, 'head', 'base')).toEqual([]);
});
