import { createClient } from '@petstore/client';
import { startServe } from '@petstore-platform/testkit/commands';
import type { Serving } from '@petstore-platform/testkit/server';
import { openTcpProxy } from '@petstore-platform/testkit/tcp-proxy';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { insertApiKey, withDatabase } from '../support/runtime.ts';

test('a rolling replacement of the servers fails no call of the SDK', async () => {
  const DATABASE_URL = await temporaryDatabase();
  const limits = { perMinute: 1_000_000, perDay: 1_000_000 };
  const { key: apiKey } = await withDatabase(DATABASE_URL, (db) =>
    insertApiKey(db, { name: 'test', plan: 'enterprise', ...limits }),
  );
  const all = await Promise.all([1, 2, 3].map(() => startServe({ DATABASE_URL })));
  let [server, ...replacements] = all as [Serving, ...Serving[]];
  const balancer = await openTcpProxy(server.port);
  onTestFinished(() => balancer.cut());
  // A server that drains closes quiet connections. On a slow machine, a request may be on its way to one (RFC 9112 section 9.5).
  const petstore = createClient({ apiKey, baseUrl: `http://127.0.0.1:${balancer.port}/v1`, maxRetries: 2 });
  let [stopped, acknowledged] = [false, 0];
  const clients = Array.from({ length: 3 }, async (_, number) => {
    for (; !stopped; acknowledged++) await petstore.createPet({ name: `replaced ${number}`, categoryId: 1 });
  });
  const more = (count = acknowledged) => expect.poll(() => acknowledged).toBeGreaterThan(count + 50);
  for (const replacement of replacements) {
    await more();
    // New connections are those of the replacement.
    balancer.turn(replacement.port);
    expect((await server.stop()).code).toBe(0);
    server = replacement;
  }
  await more();
  stopped = true;
  await Promise.all(clients);
});
