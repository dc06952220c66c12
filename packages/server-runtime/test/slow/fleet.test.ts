import { DAY, TestClock } from '@petstore-platform/server-runtime/testing';
import { startServe } from '@petstore-platform/testkit/commands';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { insertApiKey, openDatabase } from '../support/runtime.ts';

/** Server processes on one database with a stopped clock, so that no minute ends during a test. */

const NOON = Date.UTC(2026, 0, 1, 12);
const HOUR = 3_600_000;

async function fleet() {
  const url = await temporaryDatabase();
  const db = openDatabase(url);
  onTestFinished(() => db.close());
  await new TestClock(NOON).install(db);
  return {
    start: (more: Record<string, string> = {}) => startServe({ DATABASE_URL: url, ...more }),
    createKey: async (perMinute: number, perDay: number) =>
      (await insertApiKey(db, { name: 'fleet', plan: 'enterprise', perMinute, perDay })).key,
  };
}

const get = (origin: string, key: string) =>
  fetch(`${origin}/v1/books?limit=1`, { headers: { Authorization: `Bearer ${key}` } });

/** The number of admitted requests of `count` concurrent ones, spread over the servers. */
async function admitted(origins: string[], key: string, count: number): Promise<number> {
  const requests = Array.from({ length: count }, async (_, index) => {
    const response = await get(origins[index % origins.length] as string, key);
    await response.arrayBuffer();
    return response.status;
  });
  return (await Promise.all(requests)).filter((status) => status === 200).length;
}

test('two servers admit exactly 10 of 200 concurrent requests, in 20 runs', async () => {
  const { start, createKey } = await fleet();
  const origins = (await Promise.all([start(), start()])).map(({ origin }) => origin);
  for (let run = 0; run < 20; run++) {
    const key = await createKey(10, 1_000);
    expect(await admitted(origins, key, 200)).toBe(10);
  }
});

test('a server with its clock an hour ahead serves like the others, with one warning', async () => {
  const { start, createKey } = await fleet();
  const startAt = (time: number) =>
    start({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`Date.now = () => ${time}`)}` });
  const wrong = await startAt(NOON + HOUR);
  const right = await startAt(NOON);
  const key = await createKey(1_000, 2);
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
