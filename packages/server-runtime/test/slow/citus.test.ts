import { createCitusDatabase, isCitus } from '@petstore-platform/testkit/citus';
import { until } from '@petstore-platform/testkit/eventually';
import { withClient } from '@petstore-platform/testkit/postgres';
import { temporaryProxy } from '@petstore-platform/testkit/proxy';
import { openTcpProxy, type TcpProxy } from '@petstore-platform/testkit/tcp-proxy';
import { service } from '@repo/bookstore/tenanted';
import { bind, startService } from '@repo/bookstore/testing';
import { expect, onTestFinished, test } from 'vitest';

const OWNERS = 12;
const { migrateUp, withDatabase, openDatabase } = bind(service);

/** Faults of the network, until they are mended. */
const NETWORK: Record<string, (proxy: TcpProxy) => unknown> = {
  'connections reset': (proxy) => proxy.reset(),
  'no connection': (proxy) => proxy.cut(),
  'a partition': (proxy) => proxy.freeze(),
  'half of each connection closed': (proxy) => proxy.halfClose(),
  'a slow network': (proxy) => proxy.slow(50),
};
const sessions = (backend: string) =>
  `from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() and datname = current_database() ${backend}`;

/** Faults of a node, which is local. One killed backend restarts all of its Postgres. */
const NODE: Record<string, (url: string) => Promise<unknown>> = {
  'sessions ended': (url) =>
    withClient(url, (client) => client.query(`select pg_terminate_backend(pid) ${sessions('')}`)),
  'a crash': (url) =>
    withClient(url, async (client) => {
      client.on('error', () => {});
      const { rows } = await client.query<{ pid: number }>(`select pid ${sessions('limit 1')}`);
      for (const { pid } of rows) process.kill(pid, 'SIGKILL');
    }),
};

test.runIf(isCitus)(
  'with TEST_POSTGRES=citus, faults of nodes and of their network lose nothing acknowledged, and no key of a row',
  async () => {
    const workers: TcpProxy[] = [];
    const through = async (port: number) => {
      const proxy = await openTcpProxy(port);
      workers.push(proxy);
      return proxy.port;
    };
    const database = await createCitusDatabase('bookstore', (url) => withDatabase(url, migrateUp), through);
    const coordinator = await temporaryProxy(database.url);
    const server = await startService(service, coordinator.url, { config: { LOG_LEVEL: 'silent' } });
    const acknowledged = new Map<string, number>();
    const twice: string[] = [];
    let [responses, isOver] = [0, false];

    async function client(owner: string): Promise<void> {
      const { key } = await server.createKey({ owner, plan: 'enterprise', perMinute: 1_000_000, perDay: 1_000_000 });
      for (let n = 0; !isOver; n++) {
        const title = `${owner} ${n}`;
        const headers = {
          Authorization: `Bearer ${key}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': `key-${n}`,
        };
        const body = JSON.stringify({ title, storeId: 1 });
        const created = async () => {
          const response = await fetch(`${server.origin}/v1/books`, { method: 'POST', headers, body });
          responses++;
          const { id } = (await response.json()) as { id: number };
          if (response.status !== 201) return undefined;
          if ((acknowledged.get(title) ?? id) !== id) twice.push(title);
          acknowledged.set(title, id);
          return true;
        };
        await until(created, () => `${title} is not created`);
        // Each fifth is repeated.
        if (n % 5 === 0) await until(created, () => `${title} is not repeated`);
      }
    }
    const clients = Promise.all(Array.from({ length: OWNERS }, (_, n) => client(`o${n}`)));
    const more = (count: () => number, what: string) => {
      const from = count();
      return until(
        () => count() > from + OWNERS,
        () => `no more ${what}`,
      );
    };
    await more(() => acknowledged.size, 'creations');
    for (const [name, inject] of Object.entries(NETWORK))
      for (const proxy of [coordinator, ...workers]) {
        await inject(proxy);
        await more(() => responses, `responses during ${name}`);
        await proxy.mend();
        // Connections that lost data stay dead.
        proxy.reset();
        await more(() => acknowledged.size, `creations after ${name}`);
      }
    for (const [name, inject] of Object.entries(NODE))
      for (const url of [database.url, ...database.workers]) {
        await inject(url);
        await more(() => acknowledged.size, `creations after ${name}`);
      }
    isOver = true;
    await clients;

    const db = openDatabase(database.url);
    onTestFinished(async () => {
      await server.close();
      await db.close();
      await database.drop();
      for (const proxy of workers) await proxy.cut();
    });
    const { rows: books } = await db.pool.query('select id, tenant, title from books');
    const { rows: keys } = await db.pool.query(`select owner, answer->>'title' as title from idempotency_keys`);
    const sorted = (texts: Iterable<string>) => [...texts].sort();
    expect(sorted(books.map(({ title }) => title))).toEqual(sorted(acknowledged.keys()));
    expect(sorted(keys.map(({ title }) => title))).toEqual(sorted(acknowledged.keys()));
    for (const { id, tenant, title } of books)
      expect([title, id]).toEqual([expect.stringMatching(`^${tenant} `), acknowledged.get(title)]);
    expect(twice).toEqual([]);
    console.log(
      `${acknowledged.size} creations with keys of ${OWNERS} owners were acknowledged, among ${responses} responses.`,
    );
  },
  600_000,
);
