import type { Book, Format } from '@repo/bookstore/generated/operations';
import { describe, expect, inject, test } from 'vitest';
import { clusterServer, distribute, insertBooks } from './support/cluster.ts';

describe.skipIf(!inject('citusUrl'))('blocks', () => {
  test('pages, gets and creations go over the bounds of blocks, and pass blocks without rows', async () => {
    const { db, query, walk, bookstore, call } = await clusterServer();
    const formats = ['ebook', 'paperback', undefined] as const;
    const books: Book[] = [];
    for (const last of [65_500, 131_060, 9_000_000_000]) {
      await query('update books_visible set last = $1', [last]);
      const added = Array.from({ length: 60 }, (_, n) => {
        const format: Format | undefined = n === 7 ? 'hardcover' : formats[n % 3];
        return { title: `${n}`, storeId: n, ...(format && { format }) };
      });
      const ids = await insertBooks(db, added);
      expect(ids).toEqual(added.map((_, index) => last + 1 + index));
      books.push(...added.map((book, index) => ({ id: ids[index] as number, ...book })));
    }
    for (const surplus of [0, 1, 50]) {
      await query('update books_blocks set count = count + $1, changed = default', [surplus]);
      for (const format of ['ebook', 'paperback', 'hardcover', undefined] as const)
        for (const limit of [1, 2, 19, 100]) {
          const expected = books.filter((book) => !format || book.format === format).map(({ id }) => id);
          expect(await walk(`/books${format ? `?format=${format}` : ''}`, limit)).toEqual(expected);
        }
    }
    expect(await Promise.all(books.map(({ id }) => bookstore.getBook({ bookId: id })))).toEqual(books);
    for (const id of [65_500, 70_000_000, 9_000_000_061, Number.MAX_SAFE_INTEGER, -1])
      expect((await call('GET', `/books/${id}`)).status).toBe(404);
  });

  test('a column with thousands of values is counted in few groups, in Postgres and in servers', async () => {
    const { query, walk, url } = await clusterServer();
    const cities = Array.from({ length: 5_000 }, (_, n) => `City ${n} é👩‍🚀`);
    await query(
      `insert into stores (id, name, city, block)
        select n, n, ($1::text[])[n], n >> 16 from generate_series(1, 5000) as n`,
      [cities],
    );
    await query('update stores_visible set last = 5000');
    expect((await distribute(url)).stdout).toContain('Corrected 33 counts of stores');
    const [counts] = await query(`select count(*)::integer as filters, sum(count)::integer as rows from stores_blocks`);
    // There is one count of all rows, and one for each of the 32 groups.
    expect(counts).toEqual({ filters: 33, rows: 10_000 });
    for (const n of [0, 17, 4_999])
      expect(await walk(`/stores?city=${encodeURIComponent(cities[n] as string)}`)).toEqual([n + 1]);
    expect(await walk('/stores?city=City')).toEqual([]);
  });

  test('a rare value among frequent ones of its group is found in few rounds', async () => {
    const { db, query, walk } = await clusterServer();
    // Each of 600 blocks has the frequent value, and the last one also the rare value. Both are in one group.
    await query(`insert into stores (id, name, city, block)
      select block * 65536 + n, n, 'Bern', block from generate_series(0, 599) as block, generate_series(1, 30) as n`);
    const [{ city }] = (await query(`select 'Rare ' || n as city from generate_series(1, 1000) as n
      where get_byte(sha256(convert_to('Rare ' || n, 'UTF8')), 0) % 32 = get_byte(sha256(convert_to('Bern', 'UTF8')), 0) % 32
      limit 1`)) as [{ city: string }];
    for (const block of [0, 300, 599])
      await query(`insert into stores (id, name, city, block) values ($1, 'x', $2, $3)`, [
        block * 65_536 + 31,
        city,
        block,
      ]);
    await query('update stores_visible set last = 600 * 65536');
    await query(`insert into stores_blocks (filter, block, count)
      select filter, block, 31 from generate_series(0, 599) as block,
        unnest(array['', 'city=' || get_byte(sha256('Bern'), 0) % 32]) as filter`);
    let statements = 0;
    for (const { host } of await query(`select distinct nodename || ':' || nodeport as host from citus_shards`))
      db.further(host).pool.on('acquire', () => {
        statements += 1;
      });
    expect(await walk(`/stores?city=${city}`)).toEqual([0, 300, 599].map((block) => block * 65_536 + 31));
    // One by one, there would be 600 statements, one for each block. A round asks up to eight shards.
    expect(statements).toBeGreaterThan(2);
    expect(statements).toBeLessThan(200);
  });
});
