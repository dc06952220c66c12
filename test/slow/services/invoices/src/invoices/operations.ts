import { ApiError, etag, requireMatch } from '@petstore-platform/server-runtime';
import { sql } from 'kysely';
import { read, write } from '../api.ts';
import type { Invoice, Line, NewInvoice } from '../generated/operations.ts';

const INVOICE = [
  'id',
  'number',
  'customer_id as customerId',
  'issued_on as issuedOn',
  'notes',
  'lines',
  'state',
  'total',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;
const TAGGED = [...INVOICE, sql<string>`format('"%s"', version)`.as('etag')] as const;
const headers = { ETag: 'etag' } as const;
const USES = { number: true, customerId: true, issuedOn: true, notes: true, lines: true } as const;
const missing = (invoiceId: string) => ({ missing: `There is no invoice ${invoiceId}` });

/** Two constraints may refuse an invoice. */
const conflict = (_: unknown, constraint?: string) =>
  constraint?.includes('number')
    ? new ApiError(409, 'The number is taken', { code: 'number_taken' })
    : 'There is no such customer';

const valuesOf = ({ number, customerId: customer_id, issuedOn: issued_on, notes = null, lines: all }: NewInvoice) => {
  // The driver would send a list as an array of Postgres.
  const lines = sql<Line[]>`${JSON.stringify(all)}::jsonb`;
  const total = sql<string>`(select sum(round((line ->> 'quantity')::numeric * (line ->> 'unitPrice')::numeric, 2))
    from jsonb_array_elements(${lines}) as line)`;
  return { number, customer_id, issued_on, notes, lines, total };
};

const COLUMNS = { issuedOn: 'issued_on', total: 'total' } as const;
const listInvoices = read(
  'listInvoices',
  { customerId: true, state: true, from: true, to: true, sort: true, accept: true },
  async ({ query: { customerId, state, from, to, sort, limit }, headers: { accept } }, db, { page }) => {
    let query = db.selectFrom('invoices').select(INVOICE);
    if (customerId) query = query.where('customer_id', '=', customerId);
    if (state) query = query.where('state', 'in', state);
    if (from) query = query.where('issued_on', '>=', from);
    if (to) query = query.where('issued_on', '<', to);
    const column = COLUMNS[sort.replace('-', '') as keyof typeof COLUMNS];
    const direction = sort.startsWith('-') ? 'desc' : 'asc';
    if (accept === 'application/json') return page(query, { by: [column, 'id'], direction });
    const all = await query.orderBy(column, direction).orderBy('id', direction).limit(limit).execute();
    const body = [
      'number,issuedOn,total',
      ...all.map(({ number, issuedOn, total }) => `"${number.replaceAll('"', '""')}",${issuedOn},${total}`),
    ];
    return { status: 200, type: 'text/csv', body: `${body.join('\r\n')}\r\n` };
  },
);

const createInvoice = write(
  'createInvoice',
  USES,
  ({ body }, db, { row }) => row(db.insertInto('invoices').values(valuesOf(body)).returning(TAGGED), { headers }),
  { conflict },
);

const createInvoices = write(
  'createInvoices',
  USES,
  ({ body }, db, { rows }) => rows(db.insertInto('invoices').values(body.map(valuesOf)).returning(INVOICE)),
  { conflict },
);

const getInvoice = read('getInvoice', ({ path: { invoiceId } }, db, { row }) =>
  row(db.selectFrom('invoices').select(TAGGED).where('id', '=', invoiceId), { headers, ...missing(invoiceId) }),
);

const replaceInvoice = write(
  'replaceInvoice',
  { ...USES, 'if-match': true },
  async ({ path: { invoiceId }, headers: { 'if-match': match }, body }, db, { row }) => {
    const draft = db.selectFrom('invoices').select('version').where('id', '=', invoiceId).where('state', '=', 'draft');
    const invoice = await draft.forUpdate().executeTakeFirst();
    if (!invoice) throw new ApiError(404, missing(invoiceId).missing);
    requireMatch(match, etag(invoice.version));
    const values = { ...valuesOf(body), version: invoice.version + 1, updated_at: sql<Date>`clock_timestamp()` };
    return row(db.updateTable('invoices').set(values).where('id', '=', invoiceId).returning(TAGGED), { headers });
  },
  { conflict },
);

const deleteInvoice = write('deleteInvoice', ({ path: { invoiceId } }, db, { row }) =>
  row(db.deleteFrom('invoices').where('id', '=', invoiceId).where('state', '=', 'draft'), missing(invoiceId)),
);

const addAttachment = write(
  'addAttachment',
  { file: true },
  async ({ path: { invoiceId }, body: { file } }, db, { row }) => {
    const invoice = await db
      .selectFrom('invoices')
      .select('id')
      .where('id', '=', invoiceId)
      .forUpdate()
      .executeTakeFirst();
    if (!invoice) throw new ApiError(404, missing(invoiceId).missing);
    const bytes = Buffer.from(await file.arrayBuffer());
    const values = { invoice_id: invoiceId, name: file.name, type: file.type, bytes };
    return row(db.insertInto('attachments').values(values).returning('id'));
  },
);

const getInvoicePdf = read('getInvoicePdf', async ({ path: { invoiceId } }, db) => {
  const invoice = await db
    .selectFrom('invoices')
    .select(['number', 'total'])
    .where('id', '=', invoiceId)
    .executeTakeFirst();
  if (!invoice) throw new ApiError(404, missing(invoiceId).missing);
  return { status: 200, body: pdfOf(invoice) };
});

/** A library would draw it. */
const pdfOf = ({ number, total }: Pick<Invoice, 'number' | 'total'>) =>
  Buffer.from(`%PDF-1.7\n% Invoice ${number}: ${total}\n%%EOF\n`);

export const invoices = {
  listInvoices,
  createInvoice,
  createInvoices,
  getInvoice,
  replaceInvoice,
  deleteInvoice,
  addAttachment,
  getInvoicePdf,
};
