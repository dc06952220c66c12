import { expect, test } from 'vitest';
import { judge } from '../src/faults/transactions.ts';

const DONE = '200 {}';

/** The answers, and how often each was changed, by the names of changes. */
test.each<[string, Record<string, string>, Record<string, number>, string[]]>([
  ['every change once', { a: DONE, b: '404 {}' }, { a: 1 }, []],
  ['a lost change', { a: DONE, b: DONE }, { a: 1 }, ['b was acknowledged, but not changed']],
  ['a doubled change', { a: DONE }, { a: 2 }, ['a was changed 2 times']],
  ['a change after a refusal', { a: DONE, b: '404 {}' }, { a: 1, b: 1 }, ['b was changed, but answered with 404 {}']],
  ['a change of nobody', { a: DONE }, { a: 1, c: 1 }, ['c was changed without a request']],
  ['another answer', { a: DONE, b: '500 {}' }, { a: 1 }, ['b: 500 {}']],
  ['nothing at all', {}, {}, ['no transaction was acknowledged']],
])('%s', (_name, answers, edits, problems) => {
  const { losses = [], failures } = judge(new Map(Object.entries(answers)), new Map(Object.entries(edits)));
  expect([...losses, ...failures]).toEqual(problems);
});
