import { sql } from 'kysely';
import { read, write } from './api.ts';
import type { Buyer } from './generated/operations.ts';

const SALE = [
  'id',
  'sold_at as soldAt',
  'due',
  'price',
  sql<Buyer>`json_strip_nulls(json_build_object('name', buyer_name, 'city', buyer_city))`.as('buyer'),
  'titles',
  'labels',
  'cashier',
  sql<boolean>`price >= 100`.as('isLarge'),
] as const;

const missing = (saleId: number) => ({ missing: `There is no sale ${saleId}` });

const listSales = read('listSales', { buyer: true }, ({ query: { buyer } }, db, { page }) =>
  page(db.selectFrom('sales').select(SALE), {
    by: ['sold_at', 'id'],
    direction: 'desc',
    where: { buyer_name: { startsWith: buyer } },
  }),
);

const createSale = write(
  'createSale',
  { soldAt: true, due: true, price: true, buyer: true, titles: true, labels: true, 'x-cashier': true },
  ({ body: { soldAt: sold_at, buyer, labels = null, ...sale }, headers }, db, { row }) => {
    const of = { buyer_name: buyer.name, buyer_city: buyer.city ?? null };
    const values = { ...sale, ...of, sold_at, labels, cashier: headers['x-cashier'] ?? null };
    return row(db.insertInto('sales').values(values).returning(SALE));
  },
);

const getSale = read('getSale', ({ path: { saleId } }, db, { row }) =>
  row(db.selectFrom('sales').select(SALE).where('id', '=', saleId), missing(saleId)),
);

const labelSale = write('labelSale', { labels: true }, ({ path: { saleId }, body: { labels } }, db, { row }) =>
  row(db.updateTable('sales').set({ labels }).where('id', '=', saleId).returning(SALE), missing(saleId)),
);

export const sales = { listSales, createSale, getSale, labelSale };
