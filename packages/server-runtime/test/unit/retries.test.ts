import pg from 'pg';
import { expect, test } from 'vitest';
import { retriesOf } from '../../src/api/retries.ts';

const failure = (code: string, routine?: string) =>
  Object.assign(new pg.DatabaseError('', 0, 'error'), { code, routine });

/** The pauses until a change is given up. A try takes a millisecond. */
async function pausesAfter(error: unknown, isSnapshot: boolean, random = 1) {
  let time = 0;
  const pauses: number[] = [];
  const pause = async (milliseconds = 0) => {
    time += milliseconds;
    pauses.push(milliseconds);
  };
  const isTriedAgain = retriesOf(1_000, { now: () => time, random: () => random, pause: pause as never });
  for (time += 1; await isTriedAgain(error, isSnapshot); time += 1);
  return pauses;
}

test('a change runs again after pauses that double: three times, with a snapshot as long as others precede it', async () => {
  const stale = failure('0A000', 'RevalidateCachedQuery');
  for (const error of [failure('40001'), failure('40P01'), stale])
    expect(await pausesAfter(error, false)).toEqual([5, 10, 20]);
  // A feature that Postgres lacks is a bug.
  expect(await pausesAfter(failure('0A000', 'transformInsertStmt'), true)).toEqual([]);
  expect(await pausesAfter(failure('40P01'), true)).toEqual([5, 10, 20]);
  expect(await pausesAfter(failure('40001'), true)).toEqual([5, 10, 20, 40, 80, ...Array(9).fill(100)]);
  expect(await pausesAfter(failure('40P01'), false, 0.5)).toEqual([2.5, 5, 10]);
  for (const error of [failure('23505'), failure('57014'), new Error('a bug')])
    expect(await pausesAfter(error, true)).toEqual([]);
});
