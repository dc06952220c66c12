import { expect, test } from 'vitest';
import { CASES, CorpusFiles } from '../corpus.ts';
import { casesThatBreak } from './second-opinion.ts';

const corpus = new CorpusFiles();

/** Compatible cases: the allowed values are equal or change in the safe direction, or the operation is experimental. */
const FALSE_ALARMS = [
  'beta-operation-removed-as-announced',
  'callback-of-experimental-operation-removed',
  'charset-of-text-named',
  'charset-written-out',
  'defaults-of-a-parameter-written-out',
  'experimental-operation-parameter-removed',
  'experimental-operation-removed',
  'media-type-parameters-in-another-notation',
  'parameter-of-a-path-moved-into-its-operation',
  'request-additional-properties-closed-as-unevaluated',
  'request-additional-properties-closed-as-unevaluated-ones-of-a-composition',
  'request-alternative-added-that-requires-a-property-of-its-own',
  'request-any-of-known-value-or-any-string-removed',
  'request-booleans-as-a-list',
  'request-const-became-enum',
  'request-dependent-names-written-as-schemas',
  'request-enum-written-as-one-of-consts',
  'request-format-int32-to-int64',
  'request-format-wider',
  'request-idle-keywords-written-out',
  'request-implied-limits-written-out',
  'request-integer-exclusive-limit-rewritten',
  'request-integer-written-as-multiple-of-one',
  'request-multiple-of-finer',
  'request-nested-one-of-flattened',
  'request-null-written-as-const',
  'request-numbers-that-are-integers',
  'request-one-of-became-a-longer-type-list',
  'request-one-of-of-disjoint-types-became-any-of',
  'request-property-names-written-out',
  'request-read-only-property-removed',
  'request-type-list-written-as-any-of',
  'request-type-written-beside-alternatives-that-have-it',
  'request-wrapped-in-one-of',
  'request-wrapped-in-one-of-and-widened',
  'request-wrapped-in-one-of-with-keywords-beside',
  'response-additional-properties-closed-as-unevaluated',
  'response-additional-properties-closed-as-unevaluated-ones-of-a-composition',
  'response-all-of-added',
  'response-any-of-known-value-or-any-string-added',
  'response-booleans-as-a-list',
  'response-dependent-names-written-as-schemas',
  'response-enum-written-as-one-of-consts',
  'response-integer-written-as-multiple-of-one',
  'response-multiple-of-coarser',
  'response-names-refused-in-another-notation',
  'response-nested-one-of-flattened',
  'response-null-written-as-const',
  'response-one-of-of-disjoint-types-became-any-of',
  'response-one-of-of-formats-added',
  'response-one-of-with-keywords-beside-unwrapped',
  'response-property-names-written-out',
  'response-type-list-written-as-any-of',
];

/** No other tool knows the extensions of the platform. */
const OURS = CASES.filter(
  ({ topic, expected }) => topic !== 'extensions' && expected.some(({ impact }) => impact === 'major'),
).map(({ name }) => name);

test('breaking changes by Redocly are breaking for us, except its false positives', async () => {
  const breaking = await casesThatBreak(corpus);
  expect(breaking.filter((name) => !OURS.includes(name))).toEqual(FALSE_ALARMS);
});
