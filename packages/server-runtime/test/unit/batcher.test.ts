import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Batcher } from '../../src/batcher.ts';
import { FairSemaphore } from '../../src/database/fair-semaphore.ts';
import { onTiming } from '../../src/database/timing.ts';
import { OutcomeUnknown } from '../../src/errors.ts';

test('one run at a time; items submitted meanwhile form the next run, in order', async () => {
  const batches: number[][] = [];
  const gates: (() => void)[] = [];
  const batcher = new Batcher(async (items: number[]) => {
    batches.push(items);
    await new Promise<void>((resolve) => gates.push(resolve));
    return items.map((item) => item * 10);
  });
  const first = batcher.submit(1);
  await expect.poll(() => batches).toEqual([[1]]);
  const others = [2, 3, 4].map((item) => batcher.submit(item));
  gates.shift()?.();
  expect(await first).toBe(10);
  await expect.poll(() => batches).toEqual([[1], [2, 3, 4]]);
  gates.shift()?.();
  expect(await Promise.all(others)).toEqual([20, 30, 40]);
});

test('a result is there before the end of its run; only items without one fail with it, or run again', async () => {
  const batches: number[][] = [];
  let error: Error = new OutcomeUnknown('lost');
  const batcher = new Batcher<number, number>(async (items, settle) => {
    batches.push(items);
    if (items.length === 1) return items;
    settle(1, 20);
    // The result has arrived although the run goes on.
    expect(await second).toBe(20);
    throw error;
  });
  const submit = () => [1, 2, 3].map((item) => batcher.submit(item));
  let [first, second, third] = submit();
  await expect(first).rejects.toThrow('lost');
  await expect(third).rejects.toThrow('lost');
  error = new Error('one item');
  [first, second, third] = submit();
  expect(await Promise.all([first, second, third])).toEqual([1, 20, 3]);
  expect(batches).toEqual([[1, 2, 3], [1, 2, 3], [1], [3]]);
});

test('items of one turn of the event loop form a run, equal ones are merged', async () => {
  const batches: string[][] = [];
  const batcher = new Batcher(async (items: string[]) => {
    batches.push(items);
    return items.map((item) => ({ item }));
  });
  const [one, same, other] = await Promise.all(['a', 'A', 'b'].map((item) => batcher.submit(item, item.toLowerCase())));
  expect(batches).toEqual([['a', 'b']]);
  expect(same).toBe(one);
  expect(other).toEqual({ item: 'b' });
});

test('a run that fails after a long time also fails its queue', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const batches: number[][] = [];
  const batcher = new Batcher(async (items: number[]) => {
    batches.push(items);
    await new Promise(setImmediate);
    vi.advanceTimersByTime(1_000);
    throw new Error('time-out');
  });
  const first = batcher.submit(1);
  await new Promise(setImmediate);
  const second = batcher.submit(2);
  await expect(first).rejects.toThrow('time-out');
  await expect(second).rejects.toThrow('too long');
  expect(batches).toEqual([[1]]);
});

test('an item that has waited for five seconds behind slow runs fails', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const run = async (items: number[]) => {
    await new Promise(setImmediate);
    vi.advanceTimersByTime(3_000);
    return items;
  };
  const waits: unknown[] = [];
  onTiming(({ kind, waited = 0 }) => kind === 'key' && waits.push(Math.round(waited / 1_000)));
  const batcher = new Batcher(run, { max: 1, kind: 'key' });
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map((item) => batcher.submit(item)));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
  // The waits of those that fail are observed, too.
  expect(waits).toEqual([0, 3, 6, 6]);
  expect(await batcher.submit(5)).toBe(5);
});

test('a run weighs at most its maximum, unless a single item weighs more', async () => {
  const batches: number[][] = [];
  const run = async (items: number[]) => {
    batches.push(items);
    return items;
  };
  const batcher = new Batcher(run, { max: 10, weigh: (weight) => weight });
  await Promise.all([5, 6, 3, 1, 20, 2].map((weight) => batcher.submit(weight)));
  expect(batches).toEqual([[5], [6, 3, 1], [20], [2]]);
});

test('an item that the database refuses fails alone; when it is away, all fail at once', async () => {
  const runs: number[] = [];
  let reason = (item: number) => new Error(`bad: ${item}`);
  const batcher = new Batcher(async (items: number[]) => {
    runs.push(items.length);
    const bad = items.find((item) => item < 0);
    if (bad !== undefined) throw reason(bad);
    return items;
  });
  const outcomes = () => Promise.allSettled([1, -2, 3].map((item) => batcher.submit(item)));
  expect(await outcomes()).toMatchObject([{ value: 1 }, { reason: { message: 'bad: -2' } }, { value: 3 }]);
  expect(runs.splice(0)).toEqual([3, 1, 1, 1]);
  for (const error of [new Error('Connection terminated unexpectedly'), new OutcomeUnknown('lost')]) {
    reason = () => error;
    expect(await outcomes()).toEqual(Array(3).fill({ status: 'rejected', reason: error }));
    expect(runs.splice(0)).toEqual([3]);
  }
});

test('a slow item does not take the time limit of others: each is tried alone, three at a time, as long as one may wait', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const overTime = Object.assign(new pg.DatabaseError('canceling statement', 0, 'error'), { code: '57014' });
  let [running, most] = [0, 0];
  const batcher = new Batcher(async (items: number[]) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    if (!items.some((item) => item < 0)) return items;
    vi.advanceTimersByTime(2_000);
    throw overTime;
  });
  const outcomes = (items: number[]) => Promise.allSettled(items.map((item) => batcher.submit(item)));
  const one = outcomes([1, -2, 3, 4, 5, 6, 7, 8]);
  await new Promise(setImmediate);
  const late = batcher.submit(9);
  const [first, slow, ...others] = (await one) as [PromiseSettledResult<number>, ...PromiseSettledResult<number>[]];
  expect(slow).toMatchObject({ reason: overTime });
  expect([first, ...others].map(({ status }) => status)).toEqual(Array(7).fill('fulfilled'));
  // Those that wait behind them are not failed, either, as some were answered.
  expect(await late).toBe(9);
  expect(most).toBe(3);
  const all = await outcomes([-1, -2, -3, -4, -5, -6, -7, -8]);
  expect(all.map((each) => each.status === 'rejected' && each.reason.message)).toEqual([
    ...Array(5).fill('canceling statement'),
    ...Array(3).fill('The database takes too long'),
  ]);
});

test('items beside one that takes a second are tried alone, and the next run does not wait for it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const batches: number[][] = [];
  const slow = Promise.withResolvers<void>();
  const batcher = new Batcher<number, number>(
    async (items) => {
      batches.push(items);
      if (items.includes(0)) await slow.promise;
      return items;
    },
    { stalledAfter: 1_000 },
  );
  const [first, second] = [0, 1].map((item) => batcher.submit(item));
  await expect.poll(() => batches).toEqual([[0, 1]]);
  vi.advanceTimersByTime(1_000);
  expect(await second).toBe(1);
  expect(await batcher.submit(2)).toBe(2);
  expect(batches).toEqual([[0, 1], [0], [1], [2]]);
  slow.resolve();
  expect(await first).toBe(0);
});

test('a caller has all slots for changes but one, and half of them while there are others', async () => {
  const slots = new FairSemaphore(10, 5_000);
  const [first, second, ...held] = await Promise.all([1, 2, 3, 4].map(() => slots.take('one')));
  held.push(await slots.take('other'));
  const started: string[] = [];
  const take = async (caller: string) => {
    const release = await slots.take(caller);
    started.push(caller);
    return release;
  };
  const waiting = ['one', 'one', 'other'].map(take);
  first?.();
  await new Promise(setImmediate);
  expect(started).toEqual(['other']);
  second?.();
  await new Promise(setImmediate);
  expect(started).toEqual(['other', 'one']);
  for (const release of held) release();
  await Promise.all(waiting);
});
