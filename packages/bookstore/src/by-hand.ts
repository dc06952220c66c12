/** The bookstore, whose `getStock` is written with pg by hand, for the bench. */
import { ApiError, defineService, type Implementation } from '@petstore-platform/server-runtime';
import { runCommandLine } from '@petstore-platform/service/commands';
import pg from 'pg';
import { books } from './books.ts';
import { contract } from './generated/contract.ts';
import { migrations } from './migrations.ts';
import { stores } from './stores.ts';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });

const select = {
  name: 'stock',
  text: `select stores.name as store, count(books.id)::float8 as books from stores left join books on store_id = stores.id
    where stores.id = $1 group by stores.name`,
};

async function getStock({ path }: { path: { storeId: number } }) {
  const { rows } = await pool.query({ ...select, values: [path.storeId] });
  if (!rows[0]) throw new ApiError(404, 'There is no such store');
  return { status: 200, body: rows[0] };
}

const handlers = { ...books, ...stores, getStock: (() => () => getStock) as unknown as Implementation<'getStock'> };
await runCommandLine(defineService({ name: 'bookstore', contract, handlers, migrations, addressPlan: 'free' }));
