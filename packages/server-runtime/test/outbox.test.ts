import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defineService, type OutboxOptions, outbox, webhookSecret } from '@petstore-platform/server-runtime';
import { bind, startService, TestClock } from '@petstore-platform/server-runtime/testing';
import { contract } from '@repo/bookstore/generated/contract';
import { migrations } from '@repo/bookstore/migrations';
import { service as bookstore } from '@repo/bookstore/service';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { rowsOf, temporaryDatabase } from './support/database.ts';

const START = Date.UTC(2026, 10, 20, 12);
const DAY = 86_400_000;

interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A receiver of events. @param respond - resolves to the status. Default: 200 */
async function receiver(respond: (request: Received) => number | Promise<number> = () => 200) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const one = { path: `${request.url}`, headers: request.headers as Record<string, string>, body };
    received.push(one);
    const status = await respond(one);
    // Its body is endless, and nobody reads it.
    response.writeHead(status, { Location: 'http://127.0.0.1:1/' }).write('x');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { received, port, url: `http://127.0.0.1:${port}/events` };
}

async function start(options: OutboxOptions = {}) {
  const webhooks = outbox('webhooks', { receivers: 'any', ...options });
  const service = {
    ...defineService({
      name: 'bookstore',
      contract,
      handlers: {} as never,
      migrations: { ...migrations, '009-webhooks': webhooks.migration },
      addressPlan: 'free',
      jobs: { webhooks: webhooks.job },
    }),
    handlers: bookstore.handlers,
  };
  const url = await temporaryDatabase({ migrated: false });
  await bind(service).withDatabase(url, (db) => bind(service).migrateUp(db));
  const clock = new TestClock(START);
  const server = await startService(service, url, { clock });
  onTestFinished(() => server.close());
  const secret = webhookSecret();
  const add = (to: string, given: object = {}) =>
    rowsOf<{ id: string }>(
      server.db,
      `insert into webhooks (url, secret, type, data) select $1, $2, 'book.sold', $3 returning id`,
      [to, secret, JSON.stringify({ bookId: 7, ...given })],
    ).then(([row]) => row?.id as string);
  const rows = () =>
    rowsOf<{ attempts: number; error: string | null; due: boolean; done: boolean; secret: string | null }>(
      server.db,
      `select attempts, error, due_at is not null as due, delivered_at is not null as done, secret from webhooks order by url, created_at`,
    );
  return { ...server, webhooks, clock, secret, add, rows, deliver: () => server.runJob('webhooks') };
}

test('an event is delivered once, signed for its receiver, and deleted after a while', async () => {
  const { add, rows, deliver, secret, clock } = await start();
  const { received, url } = await receiver();
  const id = await add(url, { title: 'Überall' });
  await deliver();
  await deliver();
  const [{ headers, body, path }] = received as [Received];
  expect(received).toHaveLength(1);
  expect(path).toBe('/events');
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': `msg_${id}` });
  expect(Number(headers['webhook-timestamp'])).toBe(START / 1_000);
  const { type, timestamp, data } = JSON.parse(body);
  expect([type, data]).toEqual(['book.sold', { bookId: 7, title: 'Überall' }]);
  expect(new Date(timestamp).toJSON()).toBe(timestamp);
  // The library refuses times that are not now, so it gets one.
  const now = `${Math.floor(Date.now() / 1_000)}`;
  const [, signature = ''] = `${headers['webhook-signature']}`.split(',');
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
  expect(new Webhook(secret).sign(`msg_${id}`, at, body)).toBe(`v1,${signature}`);
  expect(() => new Webhook(webhookSecret()).verify(body, { ...headers, 'webhook-timestamp': now })).toThrow();
  expect(await rows()).toEqual([{ attempts: 1, error: null, due: false, done: true, secret: null }]);
  await clock.pass(8 * DAY);
  await deliver();
  expect(await rows()).toEqual([]);
});

test('several secrets, as while one is replaced, all sign', async () => {
  const { db, add, deliver, secret } = await start();
  const { received, url } = await receiver();
  const id = await add(url);
  const next = webhookSecret();
  await rowsOf(db, 'update webhooks set secret = $1', [`${secret} ${next}`]);
  await deliver();
  const [{ headers, body }] = received as [Received];
  const at = new Date(START);
  const expected = [secret, next].map((each) => new Webhook(each).sign(`msg_${id}`, at, body));
  expect(headers['webhook-signature']?.split(' ')).toEqual(expected);
  for (const bad of ['whsec_short', 'secret', `${secret} `])
    await expect(rowsOf(db, 'update webhooks set secret = $1', [bad])).rejects.toThrow(/check/);
});

test('an event that fails is sent again after growing times, and stays with its error after the last one', async () => {
  const { add, rows, deliver, clock } = await start({ schedule: [10, 100] });
  const { received, url } = await receiver(() => 302);
  await add(url);
  const failed = { error: 'the receiver responds 302', done: false, secret: expect.any(String) };
  for (const [attempts, pause] of [
    [1, 10],
    [2, 100],
  ] as const) {
    await deliver();
    expect(await rows()).toEqual([{ ...failed, attempts, due: true }]);
    await clock.pass((pause - 1) * 1_000);
    await deliver();
    expect(received).toHaveLength(attempts);
    // Up to a tenth later, so that not all are sent again at a time.
    await clock.pass((pause / 10 + 2) * 1_000);
  }
  await deliver();
  expect(await rows()).toEqual([{ ...failed, attempts: 3, due: false }]);
  await clock.pass(30 * DAY);
  await deliver();
  expect(received).toHaveLength(3);
});

test('a receiver that is gone, silent or not there is no failure of the job', async () => {
  const { add, rows, deliver } = await start({ timeout: 3_000 });
  const gone = await receiver(() => 410);
  const silent = await receiver(() => new Promise(() => {}));
  for (const url of [gone.url, silent.url, 'http://127.0.0.1:1/', 'http://a b/']) await add(url);
  await deliver();
  expect((await rows()).map(({ error, due }) => [error, due])).toEqual(
    expect.arrayContaining([
      ['the receiver responds 410', false],
      ['no response within 3000 ms', true],
      [expect.stringMatching(/ECONNREFUSED/), true],
      [expect.stringMatching(/Invalid URL/), true],
    ]),
  );
});

test('a slow receiver does not hold the events of others', async () => {
  const { add, deliver } = await start();
  const released = Promise.withResolvers<number>();
  const slow = await receiver(() => released.promise);
  const quick = await receiver();
  for (let n = 0; n < 20; n++) await add(slow.url);
  for (let n = 0; n < 20; n++) await add(quick.url);
  const delivered = deliver();
  await expect.poll(() => quick.received.length).toBe(20);
  expect(slow.received).toHaveLength(2);
  released.resolve(200);
  await delivered;
  expect(slow.received).toHaveLength(20);
});

test('two servers at a time deliver each event once, and one that ends takes no more', async () => {
  const { add, db, webhooks } = await start();
  const { received, url } = await receiver();
  const urls = Array.from({ length: 10 }, (_, index) => `${url}/${index}`);
  for (let n = 0; n < 60; n++) await add(urls[n % 10] as string);
  const { signal } = new AbortController();
  const run = (of = signal) => webhooks.job.run({ db: db.kysely, signal: of });
  await run(AbortSignal.abort());
  expect(received).toHaveLength(0);
  await Promise.all([run(), run()]);
  expect(received).toHaveLength(60);
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(60);
});

test('an event whose server ended while it was sent is sent again', async () => {
  const { add, db, deliver, clock } = await start();
  const { received, url } = await receiver();
  const id = await add(url);
  await rowsOf(db, `update webhooks set attempts = 1, due_at = service_now() + interval '70 seconds'`);
  await deliver();
  expect(received).toEqual([]);
  await clock.pass(71_000);
  await deliver();
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([`msg_${id}`]);
});

test('a URL that a receiver has chosen leads to nothing inside', async () => {
  const { add, rows, deliver } = await start({ receivers: 'public' });
  const { received, port } = await receiver();
  const inside = ['localhost', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '169.254.169.254', '10.0.0.1'];
  for (const host of [...inside, '[fd00::1]', '[64:ff9b::7f00:1]', '[::127.0.0.1]', '[4000::1]', '0.0.0.0'])
    await add(`https://${host}:${port}/`);
  await add(`http://127.0.0.1:${port}/`);
  await deliver();
  const errors = (await rows()).map(({ error }) => error);
  expect(new Set(errors)).toEqual(new Set(['the address of the receiver is not public', 'the URL is not https']));
  expect(received).toEqual([]);
});
