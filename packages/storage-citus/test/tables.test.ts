import { readFile } from 'node:fs/promises';
import { withClient } from '@petstore-platform/testkit/postgres';
import { describe, expect, inject, test } from 'vitest';
import { clusterServer, distribute, insertApiKey } from './support/cluster.ts';

describe.skipIf(!inject('citusUrl'))('two distributed tables, side by side', () => {
  test('rows are created, listed, got, changed and deleted by operations that do not know of it', async () => {
    const { call, query, walk, url } = await clusterServer();
    const paws = { name: "O'Paws", city: 'Bern', capacity: 10 };
    for (let n = 1; n <= 5; n++) await call('POST', '/stores', { name: `Old ${n}`, city: 'Basel' });
    const opened = await call('POST', '/stores', paws, 'once');
    expect(opened).toMatchObject({ status: 201, json: { id: 6, ...paws, state: 'open' } });
    expect(await call('POST', '/stores', paws, 'once')).toEqual(opened);
    expect((await call('GET', '/stores/6')).text).toBe(opened.text);
    expect(await query('select state, opened_at is not null as opened from stores where id = 6')).toEqual([
      { state: 'open', opened: true },
    ]);
    expect((await call('POST', '/stores', { ...paws, capacity: 1000 })).status).toBe(409);
    // Ids pass the bound of a block, and then of several shards.
    for (const last of [65_530, 400_000]) {
      await query('update stores_visible set last = $1', [last]);
      for (let n = 1; n <= 12; n++) await call('POST', '/stores', { name: `S${n}`, city: n % 4 ? 'Bern' : 'Chur' });
    }
    const after = (last: number) => Array.from({ length: 12 }, (_, n) => last + 1 + n);
    const all = [1, 2, 3, 4, 5, 6, ...after(65_530), ...after(400_000)];
    expect(await walk('/stores')).toEqual(all);
    const chur = [65_530, 400_000].flatMap((last) => [last + 4, last + 8, last + 12]);
    expect(await walk('/stores?city=Chur')).toEqual(chur);
    expect(await walk('/stores?city=Basel')).toEqual([1, 2, 3, 4, 5]);
    expect(await walk('/stores?city=Nowhere')).toEqual([]);

    // A change that returns neither the id nor the city.
    const moved = await call('PUT', '/stores/6/name', { name: 'Aarau' }, 'move');
    expect(moved.json).toEqual({ ...opened.json, city: 'Aarau', capacity: 42 });
    expect(await call('PUT', '/stores/6/name', { name: 'Aarau' }, 'move')).toEqual(moved);
    expect(await walk('/stores?city=Aarau')).toEqual([6]);
    expect(await walk('/stores?city=Bern')).not.toContain(6);
    expect((await call('PATCH', '/stores/65531', { state: 'full' })).json).toMatchObject({ id: 65_531, state: 'full' });
    expect((await call('PATCH', '/stores/77', { state: 'full' })).status).toBe(404);
    for (let repetition = 0; repetition < 2; repetition++)
      expect((await call('DELETE', '/stores/1', undefined, 'gone')).status).toBe(204);
    expect((await call('DELETE', '/stores/1')).status).toBe(404);
    expect(await walk('/stores?city=Basel')).toEqual([2, 3, 4, 5]);
    // Each operation finds the block of its row by itself, and so asks one shard.
    const statements = await query(
      `select statement from pg_prepared_statements where statement ~ '(update|delete from) "stores"'`,
    );
    expect(statements.length).toBeGreaterThan(0);
    for (const { statement } of statements) expect(statement).toMatch(/"block" = \$\d::bigint/);

    // This row is of an unfinished creation: no operation sees or changes it, and the next creation replaces it.
    await query(`insert into stores (id, name, city, block) values (400013, 'Ghost', 'Bern', 400013 >> 16)`);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { state: 'full' }],
      ['PUT', '/name', { name: 'Chur' }],
      ['DELETE', '', undefined],
    ] as const)
      expect((await call(method, `/stores/400013${path}`, body)).status).toBe(404);
    expect((await call('POST', '/stores', { name: 'Real', city: 'Chur' })).json).toMatchObject({
      id: 400_013,
      name: 'Real',
    });
    expect(await walk('/stores?city=Chur')).toEqual([...chur, 400_013]);

    // The ids of the other table begin anew.
    const emma = { title: 'Emma', storeId: 6, format: 'ebook' };
    expect((await call('POST', '/books', emma)).json).toEqual({ id: 1, ...emma });
    expect(await walk('/books?format=ebook')).toEqual([1]);
    // This list depends on the path.
    for (const storeId of [7, 6]) await call('POST', '/books', { ...emma, storeId });
    expect(await walk('/stores/6/books', 1)).toEqual([1, 3]);
    expect(await walk('/stores/6/books?format=hardcover')).toEqual([]);
    expect((await call('GET', '/stores/6/stock')).status).toBe(500);
    expect(await distribute(url, '--check')).toMatchObject({ code: 0, stderr: '' });
  });

  test('a list finds a row as soon as its change is acknowledged by another server', async () => {
    const one = await clusterServer();
    const other = await clusterServer({ url: one.url });
    await one.call('POST', '/stores', { name: 'Main', city: 'Bern' });
    for (let n = 0; n < 20; n++) {
      const [from, to] = n % 2 ? [other, one] : [one, other];
      await from.call('PUT', '/stores/1/name', { name: `City ${n}` });
      expect(await to.walk(`/stores?city=City ${n}`)).toEqual([1]);
      if (n > 0) expect(await to.walk(`/stores?city=City ${n - 1}`)).toEqual([]);
    }
  });

  test('rows are inserted by the SQL of the README', async () => {
    const { url, walk } = await clusterServer();
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    const [, script = ''] = /## Insertions by SQL.*?```sql\n(.*?)```/s.exec(readme) ?? [];
    const [beginning = '', before = '', inserting = '', counting = ''] =
      /^(.*?;)\n(.*?) as id \\gset\n-- In another.*?\n-- (.*?)\n(.*)$/s.exec(script)?.slice(1) ?? [];
    for (let id = 1; id <= 2; id++)
      await withClient(url, async (client) => {
        await client.query(beginning);
        expect((await client.query(before)).rows).toEqual([{ last: `${id}` }]);
        const withId = (sql: string) => sql.replaceAll(/\B:id/g, `${id}`);
        await withClient(url, (other) => other.query(withId(inserting)));
        expect(await walk('/books')).toHaveLength(id - 1);
        await client.query(withId(counting));
        expect(await walk('/books?format=ebook')).toHaveLength(id);
      });
    expect((await distribute(url)).stdout).not.toContain('Corrected');
  });

  test('limits hold for all servers', async () => {
    const one = await clusterServer();
    const other = await clusterServer({ url: one.url });
    const { key } = await insertApiKey(one.db, { name: 'Ada', plan: 'enterprise', perMinute: 1_000, perDay: 7 });
    const statuses = [];
    for (let n = 0; n < 10; n++)
      statuses.push((await (n % 2 ? one : other).call('GET', '/books', undefined, undefined, key)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(7);
    expect(statuses.filter((status) => status === 429)).toHaveLength(3);
  });
});
