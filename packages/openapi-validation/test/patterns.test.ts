import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linearMatcher } from '../src/patterns.ts';

/** Characters that classes, dots, ends of lines and halves of characters tell apart. */
const CHARACTERS = [...'abZ09_- \n\r\v\t\0\x01\b\u2028\ufeff\xa0'];
const TEXT = fc.array(fc.constantFrom(...CHARACTERS, '🐈', 'é', 'ß', '\u212a', 'б', '[', ']', '^', '/', '.', '0'), {
  maxLength: 12,
});

const ESCAPES = [
  '\\d',
  '\\D',
  '\\w',
  '\\W',
  '\\s',
  '\\S',
  '\\t',
  '\\v',
  '\\0',
  '\\cA',
  '\\x61',
  '\\u0061',
  '\\u{1f408}',
  '\\ud83d\\udc08',
];
const ESCAPE = fc.constantFrom(...ESCAPES, '\\/', '\\.', '\\[', '\\^', '\\p{L}', '\\P{Lu}', '\\p{Script=Cyrillic}');
const MEMBER = fc.oneof(
  ESCAPE,
  fc.constantFrom('a', 'b', '0-9', 'a-z', 'Z', '_', '\\-', '[', '^', '(', '|', '.', '$', '\\b', '🐈', ' -Z'),
);
const CLASS = fc
  .tuple(fc.constantFrom('[', '[^'), fc.array(MEMBER, { maxLength: 3 }))
  .map(([open, members]) => `${open}${members.join('')}]`);
const ATOM = fc.oneof(ESCAPE, CLASS, fc.constantFrom('a', 'b', '0', '-', '.', '🐈', ' ', '/'));
const QUANTIFIER = fc.constantFrom('', '', '', '*', '+', '?', '*?', '{2}', '{1,3}', '{0,}', '{0,2147483648}', '{2,}?');

const { pattern: PATTERN } = fc.letrec<{ pattern: string; term: string; group: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'small' },
    fc.array(tie('term'), { maxLength: 5 }).map((terms) => terms.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map((both) => both.join('|')),
  ),
  term: fc.oneof(
    { depthSize: 'small' },
    fc.tuple(ATOM, QUANTIFIER).map((both) => both.join('')),
    fc.constantFrom('^', '$', '\\b', '\\B'),
    fc.tuple(tie('group'), QUANTIFIER).map((both) => both.join('')),
    fc.tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), tie('pattern')).map(([open, inner]) => `${open}${inner})`),
  ),
  group: fc.tuple(fc.constantFrom('(', '(?:'), tie('pattern')).map(([open, inner]) => `${open}${inner})`),
}));

const ANCHORED = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom('(?=', '(?!'), PATTERN), { maxLength: 2 }),
    PATTERN,
    fc.option(fc.tuple(fc.constantFrom('(?<=', '(?<!'), PATTERN)),
  )
  .map(
    ([ahead, body, behind]) =>
      `^${ahead.map((one) => `${one.join('')})`).join('')}${body}${behind ? `${behind.join('')})` : ''}$`,
  );

function meansTheSame(pattern: string, parts: string[]): void {
  let expected: RegExp;
  try {
    expected = new RegExp(pattern, 'u');
  } catch {
    // The normalization refuses it.
    return;
  }
  const text = parts.join('');
  const matcher = linearMatcher(pattern);
  if (matcher) expect([pattern, text, matcher.test(text)]).toEqual([pattern, text, expected.test(text)]);
}

describe('a pattern', () => {
  test('has the meaning of ECMAScript, whatever matches it', () => {
    fc.assert(fc.property(fc.oneof(PATTERN, ANCHORED), TEXT, meansTheSame), {
      numRuns: Number(process.env.RUNS ?? 3_000),
    });
  });

  test.each([
    '^(a+)+$',
    '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+$',
    '(.+)\\.(jpg|png|gif)$',
    '^\\S+@\\S+\\.\\S+$',
    '^(?!.*--)(?=.*[0-9])(.+)+(?<!-)$',
    '(?<!b)(a+)+$',
    '^0x[a-f0-9]{0,2147483648}$',
    '^([b|c])(,\\1)*',
  ])('%s is matched in linear time', (pattern) => {
    const matcher = linearMatcher(pattern);
    // V8 itself would not end.
    expect([matcher?.test(`${'a'.repeat(100_000)}!`), matcher?.test(`${'.'.repeat(100_000)}!`)]).toEqual([
      false,
      false,
    ]);
  });

  test.each(['^(a)\\1$', '^((?!a).)*b$', '^(?i:a|b)+$'])('%s has no linear matcher', (pattern) => {
    expect(linearMatcher(pattern)).toBeUndefined();
  });
});
