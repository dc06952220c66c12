import { expect, test } from 'vitest';
import { Batcher } from '../../src/database/batcher.ts';

test('one run at a time; what arrives meanwhile goes together into the next, in order', async () => {
  const batches: number[][] = [];
  const gates: (() => void)[] = [];
  const batcher = new Batcher(async (items: number[]) => {
    batches.push(items);
    await new Promise<void>((resolve) => gates.push(resolve));
    return items.map((item) => item * 10);
  });
  const first = batcher.submit(1);
  const others = [2, 3, 4].map((item) => batcher.submit(item));
  expect(batches).toEqual([[1]]);
  gates.shift()?.();
  expect(await first).toBe(10);
  await expect.poll(() => batches).toEqual([[1], [2, 3, 4]]);
  gates.shift()?.();
  expect(await Promise.all(others)).toEqual([20, 30, 40]);
});

test('a failed run fails its own items only', async () => {
  let fail = true;
  const batcher = new Batcher(async (items: string[]) => {
    if (fail) throw new Error('away');
    return items;
  });
  await expect(batcher.submit('a')).rejects.toThrow('away');
  fail = false;
  expect(await batcher.submit('b')).toBe('b');
});

test('no run is larger than the limit', async () => {
  const sizes: number[] = [];
  const batcher = new Batcher(async (items: number[]) => {
    sizes.push(items.length);
    return items;
  }, 3);
  await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((item) => batcher.submit(item)));
  expect(sizes).toEqual([1, 3, 3, 1]);
});
