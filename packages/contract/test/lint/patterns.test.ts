import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { slowPattern } from '../../src/lint/patterns.ts';
import { notPortable } from '../../src/lint/portable.ts';
import { PLATFORM } from '../workspace.ts';

test.each<[string, number | undefined, RegExp | undefined]>([
  ['^[a-z]+(-[a-z]+)*$', undefined, undefined],
  ['^([a-zA-Z0-9_\\-\\.]+)@([a-zA-Z0-9_\\-\\.]+)\\.([a-zA-Z]{2,5})$', undefined, undefined],
  ['^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+$', 254, /doubles/],
  ['^(a+)+$', 20, /doubles/],
  ['(.+)\\.(jpg|png|gif)$', undefined, /n\^2 steps: add a maxLength of at most 4472/],
  ['(.+)\\.(jpg|png|gif)$', 255, undefined],
  ['^\\S+@\\S+\\.\\S+$', undefined, /n\^3 steps/],
  ['^\\S+@\\S+\\.\\S+$', 254, undefined],
])('%s with maxLength %s', async (pattern, maxLength, reason) => {
  const found = await slowPattern(pattern, maxLength);
  expect(found).toEqual(reason && { reason: expect.stringMatching(reason), isProven: true });
});

test('the patterns of the platform can be read in other languages', () => {
  const patterns: string[] = [];
  JSON.stringify(parse(readFileSync(PLATFORM, 'utf8'), { merge: true }), (key, value) => {
    if (key === 'pattern') patterns.push(value);
    return value;
  });
  expect(patterns.length).toBeGreaterThan(5);
  expect(patterns.flatMap(notPortable)).toEqual([]);
});
