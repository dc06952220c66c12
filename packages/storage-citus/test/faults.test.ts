import { randomUUID } from 'node:crypto';
import { eventually } from '@petstore-platform/testkit/eventually';
import { withClient } from '@petstore-platform/testkit/postgres';
import { openTcpProxy, type TcpProxy } from '@petstore-platform/testkit/tcp-proxy';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { clusterDatabase, clusterServer, distribute, load } from './support/cluster.ts';

/** A server on a coordinator, whose connections to the workers go through proxies. */
async function linkedServer() {
  const proxies = new Map<number, { proxy: TcpProxy; port: number }>();
  const { url } = await clusterDatabase({
    async route({ host, port }) {
      const proxy = await openTcpProxy(port, host);
      onTestFinished(() => proxy.cut());
      proxies.set(proxy.port, { proxy, port });
      return { host: '127.0.0.1', port: proxy.port };
    },
  });
  const server = await clusterServer({ url, config: { STATEMENT_TIMEOUT: 1 } });
  /** The shard of a table's first block, its worker and the proxy to that. */
  const firstShard = async (table: string) => {
    const [{ shard, at }] = (await server.query(
      `select shard_name as shard, nodeport as at from citus_shards where shardid = get_shard_id_for_distribution_column($1, 0)`,
      [table],
    )) as [{ shard: string; at: number }];
    const { proxy, port } = proxies.get(at) as { proxy: TcpProxy; port: number };
    return { shard, proxy, worker: Object.assign(new URL(url), { port: String(port) }).href };
  };
  return { ...server, firstShard };
}

describe.skipIf(!inject('citusUrl'))('faults', () => {
  test('rows move to another worker while requests go on', async () => {
    const { url, addWorker, rebalance, workers } = await clusterDatabase({ count: -1 });
    const server = await clusterServer({ url });
    const { ids, failures, stop } = load(server);
    await expect.poll(() => ids.length).toBeGreaterThan(3);
    await addWorker();
    // It goes on where it was interrupted by its time limit.
    await eventually('a rebalance is not done', rebalance, 240_000);
    const shards = await server.query(`select count(*)::integer as shards from citus_shards
      where table_name in ('books'::regclass, 'stores'::regclass) and shard_size is not null group by nodeport`);
    expect(shards).toHaveLength(workers.length);
    await stop();
    expect(failures).toEqual([]);
    expect(await server.walk('/books?format=ebook', 7)).toEqual(ids);
  });

  test('rows of an unfinished creation are invisible, and make room for the next', async () => {
    const { call, query, firstShard } = await linkedServer();
    await call('POST', '/books', { title: 'First', storeId: 1 });
    const next = Array.from({ length: 16 }, (_, index) => 2 + index);
    await query(
      `insert into books (id, title, store_id, block) select id, 'Ghost', 1, id >> 16 from unnest($1::bigint[]) as id`,
      [next.slice(0, 4)],
    );
    // A coordinator that failed before its commit has left this transaction on a worker.
    const { shard, worker: there } = await firstShard('books');
    await withClient(there, async (worker) => {
      await worker.query(`begin; insert into ${shard} values (${next[5]}, 'Ghost', 1, null, 0)`);
      await worker.query(`prepare transaction 'citus_0_1_1_1'`);
    });
    const titles = async () => (await call('GET', '/books')).json.map(({ title }: { title: string }) => title);
    expect(await titles()).toEqual(['First']);
    expect((await call('GET', '/books/2')).status).toBe(404);
    for (const id of next) {
      const key = randomUUID();
      await expect
        .poll(async () => (await call('POST', '/books', { title: `${id}`, storeId: 1 }, key)).json.id)
        .toBe(id);
    }
    expect(await titles()).toEqual(['First', ...next.map(String)]);
  });

  test('a change whose worker is lost while it commits is done on all nodes, or on none', async () => {
    const { call, query, walk, url, firstShard } = await linkedServer();
    await call('POST', '/stores', { name: 'Main', city: 'Bern' });
    const move = (city: string) => call('PUT', '/stores/1/name', { name: city }, city);
    const { shard, proxy, worker: there } = await firstShard('stores');
    await withClient(there, async (worker) => {
      await worker.query(`set citus.enable_ddl_propagation = off; set citus.enable_manual_changes_to_shards = on;
        set citus.override_table_visibility = off; set citus.enable_unsafe_triggers = on;
        create function wait() returns trigger language plpgsql as 'begin perform pg_advisory_xact_lock(42); return new; end'`);
      await worker.query(`create constraint trigger wait after update on ${shard} deferrable initially deferred
        for each row execute function wait(); select pg_advisory_lock(42)`);
      const moved = move('Chur');
      const isWaiting = `select from pg_locks where locktype = 'advisory' and not granted`;
      await expect.poll(async () => (await worker.query(isWaiting)).rowCount).toBe(1);
      proxy.freeze();
      await worker.query('select pg_advisory_unlock(42)');
      await expect.poll(async () => (await worker.query(isWaiting)).rowCount).toBe(0);
      proxy.reset();
      await proxy.mend();
      expect((await moved).status).toBe(503);
      await worker.query(`drop trigger wait on ${shard}`);
      const prepared = 'select from pg_prepared_xacts where database = current_database()';
      await expect.poll(async () => (await worker.query(prepared)).rowCount).toBe(0);
    });
    expect((await call('GET', '/stores/1')).json.city).toBe('Bern');
    expect([await walk('/stores?city=Bern'), await walk('/stores?city=Chur')]).toEqual([[1], []]);
    expect(await query('select from idempotency_keys')).toEqual([]);
    expect(await distribute(url, '--check')).toMatchObject({ code: 0, stderr: '' });
    await expect.poll(async () => (await move('Chur')).status).toBe(200);
    expect([await walk('/stores?city=Bern'), await walk('/stores?city=Chur')]).toEqual([[], [1]]);
  });

  test.for(['cut', 'freeze'] as const)(
    '%s of a worker: 503, then service, and nothing acknowledged is lost',
    async (fault) => {
      const { call, walk, bookstore, firstShard } = await linkedServer();
      const { proxy } = await firstShard('books');
      const acknowledged = new Set<string>();
      const moves = new Map<number, string>();
      const statuses = new Set<number>();
      let stopped = false;
      const clients = Array.from({ length: 6 }, async (_, client) => {
        const noted = (response: Awaited<ReturnType<typeof call>>) => {
          statuses.add(response.status);
          return response;
        };
        let store: number | undefined;
        for (let turn = 0; !stopped; turn++) {
          const title = `${client}.${turn}`;
          const { status } = noted(await call('POST', '/books', { title, storeId: 1 }, randomUUID()));
          if (status === 201) acknowledged.add(title);
          noted(await call('GET', '/books'));
          store ??= noted(await call('POST', '/stores', { name: 'x', city: 'Bern' }, randomUUID())).json.id;
          if (!store) continue;
          const moved = noted(await call('PUT', `/stores/${store}/name`, { name: title }, title));
          // After another status, the store may have moved or not.
          if (moved.status === 200) moves.set(store, title);
          else moves.delete(store);
        }
      });
      await expect.poll(() => acknowledged.size).toBeGreaterThan(10);
      await proxy[fault]();
      await expect.poll(() => statuses.has(503)).toBe(true);
      await proxy.mend();
      if (fault === 'freeze') proxy.reset();
      const before = acknowledged.size;
      await expect.poll(() => acknowledged.size).toBeGreaterThan(before + 10);
      stopped = true;
      await Promise.all(clients);
      expect([...statuses].sort()).toEqual([200, 201, 503]);
      const titles: string[] = [];
      for await (const { title } of bookstore.listBooks({ limit: 100 })) titles.push(title);
      expect(titles).toEqual(expect.arrayContaining([...acknowledged]));
      expect(new Set(titles).size).toBe(titles.length);
      expect(moves.size).toBeGreaterThan(0);
      for (const [store, city] of moves) await expect.poll(() => walk(`/stores?city=${city}`)).toEqual([store]);
    },
  );
});
