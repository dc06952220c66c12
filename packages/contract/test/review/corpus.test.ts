import { afterAll, describe, expect, test } from 'vitest';
import { diffContracts, readVersion } from '../../src/review/diff.ts';
import { CASES, CorpusFiles } from './corpus.ts';
import { casesThatBreak } from './second-opinion.ts';

const corpus = new CorpusFiles();

afterAll(() => corpus.remove());

const compare = async (name: string, from: 'base' | 'head', to: 'base' | 'head') =>
  diffContracts(await readVersion(corpus.fileOf(name, from)), await readVersion(corpus.fileOf(name, to)));

const sorted = (changes: readonly object[]) => changes.map((change) => JSON.stringify(change)).sort();

test.each(CASES)('$topic: $name', async ({ name, expected }) => {
  const changes = await compare(name, 'base', 'head');
  const actual = changes.map(({ impact, rule, operations }) => ({ impact, rule, operations }));
  expect(sorted(actual)).toEqual(sorted(expected));
});

test('no two cases have the same name', () => {
  expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
});

test.each(CASES)('$name: a contract compared with itself has not changed', async ({ name }) => {
  expect(await compare(name, 'head', 'head')).toEqual([]);
});

// But for a component that was added: who takes it away breaks those who import it.
const REVERSIBLE = CASES.filter(
  ({ name, expected }) => expected.length === 0 && !name.includes('component-schema') && !name.includes('to-component'),
);

test.each(REVERSIBLE)('$name: nor does the way back change anything', async ({ name }) => {
  expect(await compare(name, 'head', 'base')).toEqual([]);
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
    'request-wrapped-in-one-of-with-keywords-beside',
    'response-all-of-added',
    'response-any-of-became-one-of-its-alternatives',
    'response-any-of-known-value-or-any-string-added',
    'response-enum-written-as-one-of-consts',
    'response-error-status-covered-by-range',
    'response-multiple-of-coarser',
    'response-not-widened',
    'response-one-of-with-keywords-beside-unwrapped',
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

  test('is breaking for us, too, but for its known false alarms', async () => {
    const breaking = await casesThatBreak(corpus);
    const ours = CASES.filter(({ expected }) => expected.some(({ impact }) => impact === 'major'));
    const unlike = breaking.filter((name) => !ours.some((one) => one.name === name));
    expect(unlike).toEqual(FALSE_ALARMS);
    expect(breaking.length).toBeGreaterThan(100);
  }, 240_000);
});
