import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { notPortable } from '../../src/lint/portable.ts';
import { PLATFORM } from '../workspace.ts';

test('the patterns of the platform can be read in other languages', () => {
  const patterns: string[] = [];
  JSON.stringify(parse(readFileSync(PLATFORM, 'utf8'), { merge: true }), (key, value) => {
    if (key === 'pattern') patterns.push(value);
    return value;
  });
  expect(patterns.length).toBeGreaterThan(5);
  expect(patterns.flatMap(notPortable)).toEqual([]);
});
