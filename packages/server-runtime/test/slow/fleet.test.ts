import { startServe } from '@petstore-platform/testkit/commands';
import { DAY, TestClock } from '@repo/bookstore/testing';
import { expect, test } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { insertApiKey, temporaryHandle } from '../support/runtime.ts';

const NOON = Date.UTC(2026, 0, 1, 12);
const HOUR = 3_600_000;

const get = (origin: string, key: string) =>
  fetch(`${origin}/v1/books?limit=1`, { headers: { Authorization: `Bearer ${key}` } });

test('a server with its clock an hour ahead serves like the others, with one warning', async () => {
  const url = await temporaryDatabase();
  const db = temporaryHandle(url);
  // The clock of the database stands still, so that no minute ends during the test.
  await new TestClock(NOON).install(db);
  const startAt = (time: number) => {
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(`Date.now = () => ${time}`)}`;
    return startServe({ DATABASE_URL: url, NODE_OPTIONS });
  };
  const wrong = await startAt(NOON + HOUR);
  const right = await startAt(NOON);
  const { key } = await insertApiKey(db, { name: 'fleet', plan: 'enterprise', perMinute: 1_000, perDay: 2 });
  const answers: Response[] = [];
  for (const { origin } of [wrong, right, wrong, right]) answers.push(await get(origin, key));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 429]);
  const end = (Math.floor(NOON / DAY) + 1) * DAY;
  // A server adds its own elapsed time to the database's.
  const isNow = (time: number) => Math.abs(time - NOON) < HOUR / 2;
  for (const { status, headers } of answers) {
    expect(Number(headers.get('X-RateLimit-Reset'))).toBe(end / 1_000);
    expect(Date.parse(headers.get('Date') as string)).toSatisfy(isNow);
    if (status === 429) expect(end - Number(headers.get('Retry-After')) * 1_000).toSatisfy(isNow);
  }
  expect(wrong.output().match(/clock differs from the database's/g)).toHaveLength(1);
  expect(right.output()).not.toContain("clock differs from the database's");
});
