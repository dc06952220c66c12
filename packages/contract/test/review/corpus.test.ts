import { beforeAll, describe, expect, test } from 'vitest';
import type { DiffEntry } from '../../src/redocly.ts';
import { compareContracts } from '../../src/review/diff.ts';
import { largestBump } from '../../src/review/finding.ts';
import { CASES, expectedOf, fileOf, redoclyReports } from './corpus.ts';

let reports: Map<string, DiffEntry[]>;

beforeAll(async () => {
  reports = await redoclyReports();
}, 240_000);

const sorted = (changes: readonly object[]) => changes.map((change) => JSON.stringify(change)).sort();

test.each(CASES)('%s', async (name) => {
  const expected = expectedOf(name);
  const entries = reports.get(name) ?? [];
  const changes = await compareContracts(fileOf(name, 'base'), fileOf(name, 'head'), entries);
  const actual = changes.map(({ impact, rule, operations }) => ({ impact, rule, operations }));
  expect(sorted(actual)).toEqual(sorted(expected.changes));
  expect(largestBump(changes.map(({ impact }) => impact))).toBe(expected.requiredBump);
});

test('the corpus is large enough to mean something', () => {
  expect(CASES.length).toBeGreaterThanOrEqual(120);
});

test.each(CASES)('%s: a contract compared with itself has not changed', async (name) => {
  expect(await compareContracts(fileOf(name, 'head'), fileOf(name, 'head'), [])).toEqual([]);
});

// But for a component that was added: who takes it away breaks those who import it.
const REVERSIBLE = CASES.filter(
  (name) =>
    expectedOf(name).requiredBump === 'none' && !name.includes('component-schema') && !name.includes('to-component'),
);

test.each(REVERSIBLE)('%s: nor does the way back change anything', async (name) => {
  expect(await compareContracts(fileOf(name, 'head'), fileOf(name, 'base'), [])).toEqual([]);
});

describe('what Redocly takes for breaking', () => {
  /** Where no client breaks: the values allowed stay the same or change in the safe direction, or nothing was promised. */
  const FALSE_ALARMS = [
    'experimental-operation-parameter-removed',
    'experimental-operation-removed',
    'parameter-style-defaults-written-out',
    'path-level-parameter-moved-to-operation',
    'request-any-of-known-value-or-any-string-removed',
    'request-body-media-type-became-a-range',
    'request-const-became-enum',
    'request-enum-written-as-one-of-consts',
    'request-format-int32-to-int64',
    'request-integer-exclusive-limit-rewritten',
    'request-multiple-of-finer',
    'request-read-only-property-removed',
    'request-type-list-written-as-any-of',
    'request-wrapped-in-one-of',
    'response-all-of-added',
    'response-any-of-became-one-of-its-alternatives',
    'response-any-of-known-value-or-any-string-added',
    'response-enum-written-as-one-of-consts',
    'response-error-status-covered-by-range',
    'response-multiple-of-coarser',
    'response-not-widened',
    'response-type-list-written-as-any-of',
    'rewritten-with-merge-keys',
    'security-moved-from-document-to-operation',
    'security-scheme-renamed',
    'shared-schema-all-of-dissolved',
    'shared-schema-keyword-for-another-type-added',
    'shared-schema-min-length-zero-written-out',
    'shared-schema-nullable-written-another-way',
    'shared-schema-ref-with-description-beside',
    'shared-schema-single-one-of-unwrapped',
  ];

  test('is breaking for us, too, but for its known false alarms', () => {
    const breaking = CASES.filter((name) => reports.get(name)?.some(({ impact }) => impact === 'major'));
    const unlike = breaking.filter((name) => expectedOf(name).requiredBump !== 'major');
    expect(unlike).toEqual(FALSE_ALARMS);
    expect(breaking.length).toBeGreaterThan(100);
  });
});
