import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Series, trendOf } from '../src/soak.ts';

const series = (values: number[]): Series => ({
  values,
  share: 0.1,
  absolute: 0,
});

/** Values around 100, within the tolerance. */
const noise = fc.array(fc.double({ min: 97, max: 103, noNaN: true }), { minLength: 60, maxLength: 60 });

describe('a series', () => {
  test('is flat despite noise, warm-up and a few outliers', () => {
    fc.assert(
      fc.property(noise, fc.uniqueArray(fc.nat(59), { maxLength: 5 }), (values, outliers) => {
        const measured = values.map((value, index) =>
          index < 12 ? index * 8 : outliers.includes(index) ? 10_000 : value,
        );
        expect(trendOf(series(measured)).flat).toBe(true);
      }),
    );
  });

  test('grows despite noise', () => {
    fc.assert(
      fc.property(noise, fc.double({ min: 1, max: 50, noNaN: true }), (values, step) => {
        const { flat, growth } = trendOf(series(values.map((value, index) => value + index * step)));
        expect(flat).toBe(false);
        // 12 of the 60 points are warm-up, so it is 32 steps from the middle of the first third to that of the last.
        expect(Math.abs(growth - step * 32)).toBeLessThan(12);
      }),
    );
  });

  test('may fall', () => {
    expect(trendOf(series(Array.from({ length: 60 }, (_, index) => 1_000 - index))).flat).toBe(true);
  });
});
