import { connect, createServer } from 'node:net';
import { createClient } from '@petstore/client';
import { startServe } from '@repo/testkit/commands';
import { listen, type Serving } from '@repo/testkit/server';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDatabase } from './support/database.ts';
import { insertApiKey, openDatabase } from './support/runtime.ts';

/** Three server processes on one Postgres, behind a TCP load balancer. */

async function fleet() {
  const DATABASE_URL = await temporaryDatabase();
  const db = openDatabase(DATABASE_URL, { size: 2 });
  onTestFinished(() => db.close());
  const launch = () => startServe({ DATABASE_URL });
  const servers = await Promise.all([launch(), launch(), launch()]);
  const limits = { perMinute: 1_000_000, perDay: 1_000_000 };
  const { key: apiKey } = await insertApiKey(db, { name: 'test', plan: 'enterprise', ...limits });
  // A server that drains closes quiet connections. On a slow machine, a request may be on its way to one (RFC 9112 section 9.5).
  const petstore = createClient({ apiKey, baseUrl: `${await balance(servers)}/v1`, maxRetries: 2 });
  return { servers, launch, petstore };
}

/** A round-robin TCP balancer over a changing list of servers. */
async function balance(servers: Serving[]): Promise<string> {
  let next = 0;
  const balancer = createServer((near) => {
    const far = connect((servers[next++ % servers.length] as Serving).port, '127.0.0.1');
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  });
  onTestFinished(() => void balancer.close());
  return `http://127.0.0.1:${await listen(balancer)}`;
}

test('a rolling replacement of the servers fails no call of the SDK', async () => {
  const { petstore, servers, launch } = await fleet();
  let [stopped, acknowledged] = [false, 0];
  const clients = Array.from({ length: 12 }, async (_, number) => {
    for (; !stopped; acknowledged++) await petstore.createPet({ name: `replaced ${number}`, categoryId: 1 });
  });
  for (let number = 0; number < 3; number++) {
    servers.push(await launch());
    const [old] = servers.splice(0, 1) as [Serving];
    expect((await old.stop()).code).toBe(0);
  }
  stopped = true;
  await Promise.all(clients);
  expect(acknowledged).toBeGreaterThan(100);
});
