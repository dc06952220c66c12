import { sql } from 'kysely';
import { change, create, get, list, rowJson } from './api.ts';

export const saleJson = rowJson('Sale', {
  id: 'id',
  soldAt: 'sold_at',
  due: 'due',
  price: 'price',
  buyer: { name: 'buyer_name', city: 'buyer_city' },
  titles: 'titles',
  labels: 'labels',
  cashier: 'cashier',
  isLarge: (column) => sql<boolean>`${column('price')} >= 100`,
});

const missing = ({ path }: { path: { saleId: number } }) => `There is no sale ${path.saleId}`;

const listSales = list('listSales', {
  from: 'sales',
  order: ['sold_at', 'id'],
  direction: 'desc',
  filters: { buyer: { column: 'buyer_name', match: 'prefix' } },
  item: saleJson,
});

const createSale = create('createSale', {
  into: 'sales',
  values: {
    soldAt: 'sold_at',
    due: 'due',
    price: 'price',
    buyer: false,
    titles: 'titles',
    labels: 'labels',
    'x-cashier': 'cashier',
  },
  also: { buyer_name: ({ body }) => body.buyer.name, buyer_city: ({ body }) => body.buyer.city ?? null },
  item: saleJson,
});

const getSale = get('getSale', { from: 'sales', by: 'id', key: ({ path }) => path.saleId, item: saleJson, missing });

const labelSale = change('labelSale', {
  uses: { labels: true },
  new: { id_of_sale: 'sales.id', new_labels: 'sales.labels' },
  row: ({ path, body }) => ({ id_of_sale: path.saleId, new_labels: body.labels }),
  change: (db) =>
    db
      .updateTable('sales')
      .from('new')
      .set((eb) => ({ labels: eb.ref('new.new_labels') }))
      .whereRef('sales.id', '=', 'new.id_of_sale')
      .returning('new.position')
      .returningAll('sales'),
  status: 200,
  body: saleJson,
  failures: { 404: missing },
});

export const sales = { listSales, createSale, getSale, labelSale };
