import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawPng, plot } from '../src/soak/plot.ts';
import { type Series, trendOf } from '../src/soak/trend.ts';

const series = (values: number[]): Series => ({
  name: 'Memory',
  unit: 'MB',
  points: values.map((value, index) => [index * 10, value]),
  tolerance: { share: 0.1, absolute: 0 },
});

/** Around 100, by less than the tolerance. */
const noise = fc.array(fc.double({ min: 97, max: 103, noNaN: true }), { minLength: 60, maxLength: 60 });

describe('a series', () => {
  test('is flat whatever its noise, its warm-up and a few outliers are', () => {
    fc.assert(
      fc.property(noise, fc.uniqueArray(fc.nat(59), { maxLength: 5 }), (values, outliers) => {
        const measured = values.map((value, index) =>
          index < 12 ? index * 8 : outliers.includes(index) ? 10_000 : value,
        );
        expect(trendOf(series(measured)).flat).toBe(true);
      }),
    );
  });

  test('grows when it does, whatever its noise is', () => {
    fc.assert(
      fc.property(noise, fc.double({ min: 1, max: 50, noNaN: true }), (values, step) => {
        const { flat, growth } = trendOf(series(values.map((value, index) => value + index * step)));
        expect(flat).toBe(false);
        // 60 points, of which the first 12 are the warm-up.
        expect(Math.abs(growth - step * 47)).toBeLessThan(12);
      }),
    );
  });

  test('may fall', () => {
    expect(trendOf(series(Array.from({ length: 60 }, (_, index) => 1_000 - index))).flat).toBe(true);
  });
});

test('the plot says what it shows', async () => {
  const svg = plot([series(Array(60).fill(100)), series(Array.from({ length: 60 }, (_, index) => index))], 'A title');
  expect(svg).toContain('A title');
  expect(svg.match(/(flat|grows)(?=<\/text>)/g)).toEqual(['flat', 'grows']);
  const scratch = await mkdtemp(path.join(tmpdir(), 'petstore-plot-'));
  const file = path.join(scratch, 'plot.png');
  const drawn = await drawPng(svg, file);
  if (drawn) expect((await readFile(file)).subarray(1, 4).toString()).toBe('PNG');
  else console.warn('Not drawn: there is no Chromium.');
  await rm(scratch, { recursive: true });
});
