import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { createClient, PetstoreError } from '@petstore/client';
import { startServe } from '@petstore/testkit/commands';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../src/database/open.ts';
import { insertApiKey } from '../src/keys/keys.ts';
import { TestClock } from './support/clock.ts';
import { temporaryDatabase } from './support/database.ts';

/** Three server processes on one Postgres, behind a TCP load balancer. */

type Server = Awaited<ReturnType<typeof startServe>>;

async function fleet() {
  const DATABASE_URL = await temporaryDatabase();
  const db = openDatabase(DATABASE_URL, { size: 2 });
  onTestFinished(() => db.close());
  const launch = () => startServe({ DATABASE_URL });
  const servers = await Promise.all([launch(), launch(), launch()]);
  const origin = await balance(servers);
  return {
    db,
    servers,
    launch,
    origin,
    async client({ perMinute = 1_000_000, perDay = 1_000_000, maxRetries = 0 } = {}) {
      const { key } = await insertApiKey(db, { name: 'test', plan: 'enterprise', perMinute, perDay });
      return { key, petstore: createClient({ apiKey: key, baseUrl: `${origin}/v1`, maxRetries }) };
    },
  };
}

/** A round-robin TCP balancer over a changing list of servers. */
async function balance(servers: Server[]): Promise<string> {
  let next = 0;
  const balancer = createServer((near) => {
    const far = connect(Number(new URL((servers[next++ % servers.length] as Server).origin).port), '127.0.0.1');
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  });
  balancer.listen(0, '127.0.0.1');
  await once(balancer, 'listening');
  onTestFinished(() => void balancer.close());
  return `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`;
}

/** Adds animals in sequence until stopped. */
function load(petstore: ReturnType<typeof createClient>, name: string) {
  const acknowledged: number[] = [];
  const failures: unknown[] = [];
  let stopped = false;
  const done = (async () => {
    for (let number = 0; !stopped; number++) {
      try {
        acknowledged.push((await petstore.createPet({ name: `${name}.${number}`, categoryId: 1 })).id);
      } catch (error) {
        failures.push(error);
      }
    }
  })();
  return {
    acknowledged,
    async stop() {
      stopped = true;
      await done;
      return { acknowledged, failures };
    },
  };
}

test('limits, pages and idempotency keys span all servers', async () => {
  const { client, db, origin, servers } = await fleet();
  const { petstore } = await client();
  const created = [];
  for (let number = 0; number < 12; number++) {
    created.push(await petstore.createPet({ name: `${number}`, categoryId: 1, status: 'pending' }));
  }
  // Each page comes from the next server.
  const pages = [];
  for await (const page of petstore.listPets({ status: 'pending', limit: 5 }).pages()) pages.push(page.length);
  expect(pages).toEqual([5, 5, 2]);

  const { key } = await client();
  const repeated = await Promise.all(
    Array.from({ length: 30 }, async () => {
      const response = await fetch(`${origin}/v1/pets`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${key}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': 'once',
          Connection: 'close',
        },
        body: JSON.stringify({ name: 'Once', categoryId: 2 }),
      });
      return { status: response.status, ...((await response.json()) as { id?: number }) };
    }),
  );
  expect(repeated.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
  expect(new Set(repeated.flatMap(({ id }) => id ?? [])).size).toBe(1);

  const limited = await client({ perMinute: 20, perDay: 1_000 });
  // Within one minute.
  await new TestClock(Date.UTC(2026, 0, 1, 12)).install(db);
  const answers = await Promise.allSettled(
    Array.from({ length: 150 }, (_, index) => {
      const { origin } = servers[index % 3] as Server;
      const petstore = createClient({ apiKey: limited.key, baseUrl: `${origin}/v1`, maxRetries: 0 });
      return petstore.listPets();
    }),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
});

test('a server killed under load loses no acknowledged creation', async () => {
  const { client, db, servers, launch } = await fleet();
  const { petstore } = await client({ maxRetries: 5 });
  const loads = Array.from({ length: 12 }, (_, number) => load(petstore, `killed ${number}`));
  const count = () => loads.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  await expect.poll(count).toBeGreaterThan(100);
  const [victim] = servers.splice(0, 1) as [Server];
  await victim.kill();
  servers.push(await launch());
  const after = count();
  await expect.poll(count).toBeGreaterThan(after + 100);

  const results = await Promise.all(loads.map(({ stop }) => stop()));
  for (const { failures } of results) {
    for (const failure of failures) expect(failure).toBeInstanceOf(PetstoreError);
  }
  const stored = await db.kysely.selectFrom('pets').select(['id', 'name']).execute();
  const ids = new Set(stored.map(({ id }) => id));
  expect(results.flatMap(({ acknowledged }) => acknowledged).filter((id) => !ids.has(id))).toEqual([]);
  // Retried by the SDK, processed once.
  expect(new Set(stored.map(({ name }) => name)).size).toBe(stored.length);
});

test('a rolling replacement of the servers fails no call of the SDK', async () => {
  const { client, servers, launch } = await fleet();
  // A server that drains closes quiet connections. On a slow machine, a request may be on its way to one (RFC 9112 section 9.5).
  const { petstore } = await client({ maxRetries: 2 });
  const loads = Array.from({ length: 12 }, (_, number) => load(petstore, `replaced ${number}`));
  for (let number = 0; number < 3; number++) {
    servers.push(await launch());
    const [old] = servers.splice(0, 1) as [Server];
    expect((await old.stop()).code).toBe(0);
  }
  const results = await Promise.all(loads.map(({ stop }) => stop()));
  expect(results.flatMap(({ failures }) => failures)).toEqual([]);
  expect(results.flatMap(({ acknowledged }) => acknowledged).length).toBeGreaterThan(100);
});
