import { afterAll, expect, test } from 'vitest';
import { CASES, CorpusFiles } from '../corpus.ts';
import { casesThatBreak } from './second-opinion.ts';

const corpus = new CorpusFiles();

afterAll(() => corpus.remove());

/** Compatible cases: the allowed values are equal or change in the safe direction, or the operation is experimental. */
const FALSE_ALARMS = [
  'beta-operation-removed-as-announced',
  'callback-of-experimental-operation-removed',
  'cycle-through-an-alternative-that-another-one-covers',
  'experimental-operation-parameter-removed',
  'experimental-operation-removed',
  'path-level-parameter-moved-to-operation',
  'request-any-of-known-value-or-any-string-removed',
  'request-const-became-enum',
  'request-enum-written-as-one-of-consts',
  'request-format-int32-to-int64',
  'request-integer-exclusive-limit-rewritten',
  'request-multiple-of-finer',
  'request-one-of-became-a-longer-type-list',
  'request-one-of-became-any-of',
  'request-property-names-written-out',
  'request-read-only-property-removed',
  'request-type-list-written-as-any-of',
  'request-wrapped-in-one-of',
  'request-wrapped-in-one-of-and-widened',
  'request-wrapped-in-one-of-with-keywords-beside',
  'response-all-of-added',
  'response-any-of-became-one-of-its-alternatives',
  'response-any-of-known-value-or-any-string-added',
  'response-enum-written-as-one-of-consts',
  'response-multiple-of-coarser',
  'response-one-of-of-formats-added',
  'response-one-of-with-keywords-beside-unwrapped',
  'response-property-names-written-out',
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

test('every breaking change by Redocly is breaking for us, except its known false positives', async () => {
  const breaking = await casesThatBreak(corpus);
  const ours = CASES.filter(({ expected }) => expected.some(({ impact }) => impact === 'major'));
  const unlike = breaking.filter((name) => !ours.some((one) => one.name === name));
  expect(unlike).toEqual(FALSE_ALARMS);
  expect(breaking.length).toBeGreaterThan(100);
}, 240_000);
