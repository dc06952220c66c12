import { FairSemaphore } from '@petstore-platform/kysely-pipeline';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Batcher } from '../../src/batcher.ts';
import { onTiming } from '../../src/database/statement.ts';
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

test('a caller has all slots for changes but one, and half of them while there are others', async () => {
  const slots = new FairSemaphore(5, 5_000);
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
