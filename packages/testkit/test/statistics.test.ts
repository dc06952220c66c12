import { expect, test } from 'vitest';
import { formatRatio, median } from '../src/statistics.ts';

test('the median is the middle value, or the mean of the middle two, and leaves its input alone', () => {
  const values = [10, 2, 1];
  expect([median(values), median([4, 1, 10, 2]), median([7])]).toEqual([2, 3, 7]);
  expect(values).toEqual([10, 2, 1]);
  expect(median([])).toBeNaN();
  expect(median([1, Number.NaN, 2])).not.toBe(1);
});

test('ratios are formatted as the median and the range', () => {
  expect(formatRatio([0.86, 0.79, 0.84])).toBe('0.84 (0.79–0.86)');
});
