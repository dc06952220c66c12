import { randomUUID } from 'node:crypto';
import { migration } from '@petstore-platform/server-runtime';
import { run, start } from '@petstore-platform/testkit/commands';
import { countWaiting, withClient } from '@petstore-platform/testkit/postgres';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { clusterDatabase, clusterServer, distribute, load } from './support/cluster.ts';

describe.skipIf(!inject('citusUrl'))('distribute', () => {
  const coordinator = inject('citusUrl') as string;

  test('moves the rows of a running server, which goes on', async () => {
    const { url } = await clusterDatabase({ distributed: false });
    const server = await clusterServer({ url });
    const other = await clusterServer({ url });
    const idle = await clusterServer({ url });
    const { json: store } = await server.call('POST', '/stores', { name: '0', city: 'Bern' });
    const { json: quiet } = await idle.call('POST', '/stores', { name: 'Quiet', city: 'Chur' });
    const { ids, failures, stop } = load(server);
    await expect.poll(() => ids.length).toBeGreaterThan(3);
    let [name, stopped] = ['0', false];
    const changes = (async () => {
      for (let count = 1; !stopped; count++) {
        const { status, text } = await other.call('PATCH', `/stores/${store.id}`, { name: `${count}` });
        if (status === 200) name = `${count}`;
        else if (status !== 503) failures.push(text);
      }
    })();
    const { code, stdout, stderr } = await distribute(url, '--shards', '4');
    expect([code, stderr]).toEqual([0, '']);
    // Its sessions have ended: each of these finds the distribution when it connects.
    const found = await Promise.all([
      idle.call('GET', '/stores?city=Chur'),
      idle.call('GET', `/stores/${quiet.id}`),
      idle.call('POST', '/stores', { name: 'Further', city: 'Thun' }),
      idle.call('PATCH', `/stores/${quiet.id}`, { state: 'full' }),
    ]);
    expect(found.map(({ status }) => status)).toEqual([200, 200, 201, 200]);
    expect(stdout).toMatch(/^Copied \d+ books\nServers wait.*\nCopied \d+ books\nCopied 2 stores\nServers wait.*\n/);
    expect(stdout).toMatch(/\ntable +node +shards +blocks +rows +bytes\n((books|stores) +\S+ +\d +\d+ +\d+ +\d+\n)+$/);
    const before = ids.length;
    await expect.poll(() => ids.length).toBeGreaterThan(before + 3);
    stopped = true;
    await Promise.all([changes, stop()]);
    expect(failures).toEqual([]);
    expect(await server.walk('/books?format=ebook', 7)).toEqual(ids);
    expect((await server.call('GET', `/stores/${store.id}`)).json).toEqual({ ...store, name });
    // A later migration changes the table.
    const change = migration('alter table books add note text;\ncreate index books_note on books (note)', '');
    await server.db.kysely.transaction().execute((transaction) => change.up(transaction));
    // A distribution that was killed after the new table was in its place leaves this table.
    await server.query('create table books_before ()');
    for (const args of [[], ['--check']])
      expect(await distribute(url, ...args)).toMatchObject({ stderr: '', stdout: expect.stringMatching(/^table/m) });
    expect(await server.query(`select to_regclass('books_before') as before`)).toEqual([{ before: null }]);
    // The check compares each value: a surplus of one does not hide a lack of another.
    await server.query(`delete from books_blocks where filter like 'format=%'`);
    expect((await distribute(url, '--check')).stderr).toMatch(
      /books_blocks counts 0 rows of 'format=\d+' in block 0, there /,
    );
  });

  test('that was killed has changed nothing, and goes on', async () => {
    const { url } = await clusterDatabase({ distributed: false });
    await withClient(url, async (client) => {
      await client.query(`insert into books (title, store_id, format)
        select n, n, (array['ebook', 'paperback'])[1 + n % 3] from generate_series(1, 1000) as n`);
      await client.query('begin; lock table books in row share mode');
      const distribution = start(['distribute'], { DATABASE_URL: url });
      await expect.poll(() => countWaiting(client)).toBe(1);
      await distribution.kill();
      await client.query('commit');
      await client.query(`insert into books (id, title, store_id) overriding system value values (985000, 'Late', 1);
        update books set format = 'hardcover' where id = 7; delete from books where id = 8`);
    });
    expect(await distribute(url)).toMatchObject({ code: 0, stderr: '' });
    const { walk, bookstore } = await clusterServer({ url });
    const ids = Array.from({ length: 1_000 }, (_, index) => 1 + index).filter((id) => id !== 8);
    expect(await walk('/books', 100)).toEqual([...ids, 985_000]);
    expect(await walk('/books?format=hardcover')).toEqual([7]);
    expect((await bookstore.createBook({ title: 'Next', storeId: 1 })).id).toBe(985_001);
  });

  test('is done by a superuser, servers have the role that owns the tables; migrations can be reverted', async () => {
    const role = `role_${randomUUID().replaceAll('-', '')}`;
    onTestFinished(() => withClient(coordinator, async (client) => void (await client.query(`drop role ${role}`))));
    const { url } = await clusterDatabase({ distributed: false });
    await withClient(url, async (client) => {
      await client.query(`create role ${role} login`);
      const owned = `select tablename as name from pg_tables where schemaname = 'public'`;
      for (const { name } of (await client.query(owned)).rows)
        await client.query(`alter table ${name} owner to ${role}`);
      // pg_dump holds such a transaction. If the distribution waited for its end, servers would wait for the distribution.
      await client.query('begin; select from books');
      expect((await distribute(url)).stderr).toContain('due to lock timeout');
      await client.query(`insert into books (title, store_id) values ('Deleted', 1); delete from books; commit`);
    });
    expect(await distribute(url)).toMatchObject({ code: 0, stderr: '' });
    const { call, walk } = await clusterServer({ url: Object.assign(new URL(url), { username: role }).href });
    // An id is not given again.
    expect((await call('POST', '/books', { title: 'Emma', storeId: 1 })).json.id).toBe(2);
    expect(await walk('/books')).toEqual([2]);
    await call('POST', '/stores', { name: 'Main', city: 'Bern' });
    expect((await call('PUT', '/stores/1/name', { name: 'Chur' })).status).toBe(200);
    expect((await call('DELETE', '/books/2')).status).toBe(204);
    for (let migrations = 4; migrations > 0; migrations--)
      expect(await run(['migrate', 'down', '--steps', '1', '--force'], { DATABASE_URL: url })).toMatchObject({
        code: 0,
        stderr: '',
      });
  });

  test('needs a worker, and runs once at a time', async () => {
    const { url } = await clusterDatabase({ distributed: false, count: 0 });
    expect((await distribute(url)).stderr).toBe(
      'bookstore-server: The coordinator knows no worker: see docs/scale.md\n',
    );
    await withClient(coordinator, async (known) => {
      const { rows } = await known.query(
        'select nodename as host, nodeport as port from pg_dist_node where groupid > 0',
      );
      await withClient(url, async (client) => {
        await client.query('select citus_add_node($1, $2)', [rows[0].host, rows[0].port]);
        await client.query(`select pg_advisory_lock('books'::regclass::oid::integer, 1)`);
        expect((await distribute(url)).stderr).toBe('bookstore-server: Another distribution is running\n');
      });
    });
    expect((await distribute(url, '--check')).stderr).toMatch(
      'books is not distributed: run bookstore-server distribute',
    );
    expect(await distribute(url)).toMatchObject({ code: 0, stderr: '' });
  });

  test('refuses what Citus cannot check: unique columns and foreign keys', async () => {
    const { url } = await clusterDatabase({ distributed: false });
    await withClient(url, async (client) => {
      await client.query('alter table stores add unique (name)');
      expect(await distribute(url)).toMatchObject({
        code: 1,
        stderr: 'bookstore-server: stores has a unique index, which Citus cannot check over several nodes\n',
      });
      await client.query(
        'alter table stores drop constraint stores_name_key; create table shelves (store bigint references stores)',
      );
      expect((await distribute(url)).stderr).toBe('bookstore-server: A foreign key references stores\n');
      await client.query('drop table shelves');
    });
    // The other table was distributed meanwhile, and served.
    const { call } = await clusterServer({ url });
    expect((await call('POST', '/books', { title: 'Emma', storeId: 1 })).status).toBe(201);
    expect((await call('POST', '/stores', { name: 'Main', city: 'Bern' })).status).toBe(201);
    expect(await distribute(url)).toMatchObject({ code: 0, stderr: '' });
    // Its sessions were ended.
    await expect.poll(async () => (await call('GET', '/stores')).json).toMatchObject([{ id: 1, city: 'Bern' }]);
  });
});
