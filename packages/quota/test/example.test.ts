import { temporaryDatabase } from '@petstore-platform/testkit/database';
import { temporaryProxy } from '@petstore-platform/testkit/proxy';
import Fastify from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createApp, migrate } from '../example/app.ts';
import { quota } from '../src/index.ts';
import { poolOf } from './support.ts';

test('two servers of the example admit three requests in a minute, and say what remains', async () => {
  const url = await temporaryDatabase();
  const pool = poolOf(url);
  onTestFinished(() => pool.end());
  await migrate(pool);
  const apps = [await createApp(url), await createApp(url)];
  onTestFinished(async () => {
    for (const app of apps) await app.close();
  });
  const get = (user: string) =>
    Promise.all(apps.flatMap((app) => [1, 2, 3].map(() => app.inject({ url: '/', headers: { 'x-user': user } }))));
  // A minute may end meanwhile, but not twice.
  let responses = await get('bo');
  if (responses.filter(({ statusCode }) => statusCode === 200).length > 3) responses = await get('bo');
  const [refused] = responses.filter(({ statusCode }) => statusCode === 429);
  expect(refused?.headers).toMatchObject({
    'x-ratelimit-limit': '3',
    'x-ratelimit-remaining': '0',
    'ratelimit-policy': '"minute";q=3;w=60, "day";q=500;w=86400',
    'retry-after': expect.stringMatching(/^\d+$/),
  });
  expect(refused?.json().message).toMatch(/^The limit of 3 requests per minute is reached; retry in \d+ seconds$/);
  expect((await get('ada')).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 200]);
  const [stranger] = await get('nobody');
  expect([stranger?.statusCode, stranger?.headers['ratelimit-policy']]).toEqual([200, undefined]);
  const letters = await apps[0]?.inject({ method: 'POST', url: '/letters', payload: ['a', 'b', 'c', 'd', 'e', 'f'] });
  expect(letters?.json().filter((outcome: string) => outcome === 'limited').length).toBeGreaterThan(1);
});

test('the example answers while Postgres hangs', async () => {
  const url = await temporaryDatabase();
  const pool = poolOf(url);
  onTestFinished(() => pool.end());
  await migrate(pool);
  const proxy = await temporaryProxy(url);
  const app = await createApp(proxy.url);
  onTestFinished(() => app.close());
  const status = async () => (await app.inject({ url: '/', headers: { 'x-user': 'bo' } })).statusCode;
  expect(await status()).toBe(200);
  proxy.freeze();
  expect(await Promise.all([status(), status()])).toEqual([200, 200]);
});

test('the plugin logs why it counts without Postgres, and when it is back', async () => {
  const pool = poolOf(await temporaryDatabase());
  onTestFinished(() => pool.end());
  const lines: { level: number; msg: string; err?: { message: string } }[] = [];
  const app = Fastify({ logger: { stream: { write: (line: string) => void lines.push(JSON.parse(line)) } } });
  onTestFinished(() => app.close());
  const quotaOf = () => ({ subject: 'all', perMinute: 9, perDay: 9 });
  await app.register(quota, { pool, quotaOf, ban: undefined, now: undefined, onChange: undefined });
  app.get('/', { logLevel: 'warn' }, async () => '');
  await app.inject('/');
  await migrate(pool);
  await vi.waitUntil(async () => (await app.inject('/')) && lines.length > 1, { timeout: 60_000, interval: 200 });
  expect(lines).toMatchObject([
    { level: 50, err: { message: 'relation "rate_limits" does not exist' }, msg: 'counting requests without Postgres' },
    { level: 30, msg: 'counting requests in Postgres again' },
  ]);
});
