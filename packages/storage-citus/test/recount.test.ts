import { createRandom } from '@petstore-platform/testkit/random';
import { describe, expect, inject, test } from 'vitest';
import { clusterServer, distribute, type Server } from './support/cluster.ts';

const CITIES = ['Bern', 'Basel', 'Chur', 'Genf', 'Thun'];

/** Creates, moves and deletes stores until `stop`, which returns the city of each. */
function shuffle({ call }: Server, seed: number, ids: number[] = []) {
  const random = createRandom(seed);
  const pick = <Item>(items: Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const cities = new Map<number, string>(ids.map((id) => [id, 'Bern']));
  const failures: string[] = [];
  let stopped = false;
  const done = (async () => {
    while (!stopped) {
      const city = pick(CITIES);
      const what = random();
      const id = pick([...cities.keys()]);
      const [method, path, body] =
        what < 0.3 || id === undefined
          ? ['POST', '/stores', { name: 'x', city }]
          : what < 0.9
            ? ['PUT', `/stores/${id}/name`, { name: city }]
            : (['DELETE', `/stores/${id}`, undefined] as [string, string, undefined]);
      const { status, json, text } = await call(method as string, path as string, body as object | undefined);
      if (status >= 400) failures.push(text);
      else if (method === 'DELETE') cities.delete(id as number);
      else cities.set(json.id, city);
    }
  })();
  const stop = async () => {
    stopped = true;
    await done;
    return { cities, failures };
  };
  return { stop, size: () => cities.size };
}

const total = async ({ query }: Server) =>
  (
    await query(`select coalesce(sum(count) filter (where filter <> ''), 0)::integer as grouped,
    coalesce(sum(count) filter (where filter = ''), 0)::integer as rows from stores_blocks`)
  )[0];

describe.skipIf(!inject('citusUrl'))('a second distribute', () => {
  test('corrects counts while rows are created and changed, and no list misses a row', async () => {
    const server = await clusterServer();
    const other = await clusterServer({ url: server.url });
    // The next ids are close to the bound of a block, which creations soon pass.
    await server.query('update stores_visible set last = 65530');
    const shuffles = [server, other, server, other].map((each, seed) => shuffle(each, seed));
    await expect.poll(() => Math.min(...shuffles.map(({ size }) => size()))).toBeGreaterThan(5);
    for (let run = 0; run < 5; run++) {
      expect(await distribute(server.url)).toMatchObject({ code: 0, stderr: '' });
      expect(await distribute(server.url, '--check')).toMatchObject({ code: 0, stderr: '' });
    }
    const results = await Promise.all(shuffles.map(({ stop }) => stop()));
    expect(results.flatMap(({ failures }) => failures)).toEqual([]);
    const cities = new Map(results.flatMap(({ cities }) => [...cities]));
    const expectAll = async () => {
      for (const city of CITIES)
        for (const each of [server, other]) {
          const ids = [...cities].filter(([, of]) => of === city).map(([id]) => id);
          expect(await each.walk(`/stores?city=${city}`, 7)).toEqual(ids.sort((one, two) => one - two));
        }
    };
    await expectAll();
    // Now that nothing is on its way, counts become exact.
    await distribute(server.url);
    expect(await total(server)).toEqual({ rows: cities.size, grouped: cities.size });
    await expectAll();
    expect((await distribute(server.url)).stdout).not.toContain('Corrected');
  });

  test('lowers counts to none, and servers look into those blocks no more', async () => {
    const server = await clusterServer();
    await server.call('POST', '/stores', { name: 'Main', city: 'Bern' });
    await server.call('PUT', '/stores/1/name', { name: 'Chur' });
    expect(await total(server)).toEqual({ rows: 2, grouped: 2 });
    expect((await distribute(server.url)).stdout).toContain('Corrected 2 counts of stores\n');
    expect(await total(server)).toEqual({ rows: 1, grouped: 1 });
    expect([await server.walk('/stores?city=Bern'), await server.walk('/stores?city=Chur')]).toEqual([[], [1]]);
    await server.call('DELETE', '/stores/1');
    await distribute(server.url);
    expect(await total(server)).toEqual({ rows: 0, grouped: 0 });
    expect(await server.walk('/stores')).toEqual([]);
    await server.call('POST', '/stores', { name: 'Next', city: 'Bern' });
    expect([await server.walk('/stores?city=Bern'), await server.walk('/stores')]).toEqual([[2], [2]]);
  });

  test('counts a filter that lists gained, and raises counts that are too low', async () => {
    const server = await clusterServer();
    await server.call('POST', '/books', { title: 'Emma', storeId: 1, format: 'ebook' });
    // This is the state before the list had this filter. The list goes by the counts of all rows.
    await server.query(`delete from books_blocks where filter <> ''; update books_visible set counted = '{}'`);
    expect(await server.walk('/books?format=ebook')).toEqual([1]);
    expect((await distribute(server.url)).stdout).toContain('Counting books by format, store_id\n');
    expect(await distribute(server.url, '--check')).toMatchObject({ code: 0, stderr: '' });
    expect(await server.walk('/books?format=ebook')).toEqual([1]);
    // Counts lack rows, like after an insertion by SQL.
    await server.query(`delete from books_blocks`);
    expect((await distribute(server.url, '--check')).code).toBe(1);
    // After a restoration, Citus does not know the table yet.
    await server.query('drop table books_commits');
    await server.query('create table books_commits (id integer primary key)');
    expect((await distribute(server.url)).stdout).toContain('Corrected 3 counts of books\n');
    const managed = `select logicalrelid::text as name from pg_dist_partition where partmethod = 'n' order by name`;
    expect(await server.query(managed)).toEqual([{ name: 'books_commits' }, { name: 'stores_commits' }]);
    expect(await server.walk('/books?format=ebook')).toEqual([1]);
  });

  test('a version whose lists do not filter by a column leaves no stale counts of it', async () => {
    const server = await clusterServer();
    const counted = async (table: string) => (await server.query(`select counted from ${table}_visible`))[0].counted;
    // An earlier version, whose lists also filtered by these columns, leaves such rows.
    await server.query(`update stores_visible set counted = '{city,capacity,name}'; update books_visible set counted = '{format,title}';
      insert into stores_blocks (filter, block, count) values ('name=7', 0, 9)`);
    await server.call('POST', '/books', { title: 'Emma', storeId: 1 });
    expect(await counted('books')).toEqual(['format']);
    await server.query(`insert into stores (id, name, city, block) values (1, 'Main', 'Bern', 0);
      insert into stores_blocks (filter, block, count) values ('', 0, 1); update stores_visible set last = 1`);
    await server.call('PATCH', '/stores/1', { name: 'Annex' });
    expect((await counted('stores')).sort()).toEqual(['capacity', 'city']);
    // While servers of that version run, its counts are left alone.
    await distribute(server.url);
    expect(await server.query(`select count::integer from stores_blocks where filter = 'name=7'`)).toEqual([
      { count: 9 },
    ]);
    expect(await server.walk('/stores?city=Bern')).toEqual([1]);
  });
});
