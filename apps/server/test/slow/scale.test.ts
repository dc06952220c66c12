import { connect, createServer } from 'node:net';
import { createClient } from '@petstore/client';
import { startServe } from '@petstore-platform/testkit/commands';
import { listen, type Serving } from '@petstore-platform/testkit/server';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDatabase } from '../support/database.ts';
import { insertApiKey, openDatabase } from '../support/runtime.ts';

/** Two server processes on one Postgres, behind a TCP load balancer. */

async function fleet() {
  const DATABASE_URL = await temporaryDatabase();
  const db = openDatabase(DATABASE_URL, { size: 2 });
  onTestFinished(() => db.close());
  const launch = () => startServe({ DATABASE_URL });
  const all = await Promise.all([launch(), launch(), launch(), launch()]);
  const [servers, replacements] = [all.slice(0, 2), all.slice(2)];
  const limits = { perMinute: 1_000_000, perDay: 1_000_000 };
  const { key: apiKey } = await insertApiKey(db, { name: 'test', plan: 'enterprise', ...limits });
  // A server that drains closes quiet connections. On a slow machine, a request may be on its way to one (RFC 9112 section 9.5).
  const petstore = createClient({ apiKey, baseUrl: `${await balance(servers)}/v1`, maxRetries: 2 });
  return { servers, replacements, petstore };
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
  const { petstore, servers, replacements } = await fleet();
  let [stopped, acknowledged] = [false, 0];
  const clients = Array.from({ length: 3 }, async (_, number) => {
    for (; !stopped; acknowledged++) await petstore.createPet({ name: `replaced ${number}`, categoryId: 1 });
  });
  const more = (count = acknowledged) => expect.poll(() => acknowledged).toBeGreaterThan(count + 50);
  for (const replacement of replacements) {
    await more();
    servers.push(replacement);
    const [old] = servers.splice(0, 1) as [Serving];
    expect((await old.stop()).code).toBe(0);
  }
  await more();
  stopped = true;
  await Promise.all(clients);
});
