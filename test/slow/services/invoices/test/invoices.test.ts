import { expect, test } from 'vitest';
import { createClient } from '../client/src/generated/index.ts';
import { contract, temporaryServer } from './support.ts';

const failure = (status: number, code?: string) => expect.objectContaining({ status, ...(code && { code }) });
const lines = [
  { text: 'Hours', quantity: '2.5', unitPrice: '100.00' },
  { text: 'Stamps', quantity: '3', unitPrice: '0.85' },
];

test('each tenant has customers, invoices with versions, files and exports of its own', async () => {
  const { origin, createKey, db } = await temporaryServer();
  const clientOf = async (owner: string) => {
    const { key: apiKey } = await createKey({ owner });
    return createClient({ apiKey, baseUrl: `${origin}/v1`, fetch: contract.checkedFetch, maxRetries: 0 });
  };
  const [acme, other] = [await clientOf('acme'), await clientOf('other')];
  const customer = await acme.createCustomer({ name: 'Ada', email: 'ada@x.example', metadata: { crm: '42' } });
  expect(customer).toMatchObject({ tags: [], metadata: { crm: '42' } });
  const again = { name: 'Eve', email: 'ada@x.example' };
  await expect(acme.createCustomer(again)).rejects.toEqual(failure(409, 'email_taken'));
  await other.createCustomer(again);
  expect(await acme.listCustomers()).toEqual([customer]);

  const draft = { number: '1', customerId: customer.id, issuedOn: '2026-11-20', lines };
  const { data: invoice, response } = await acme.createInvoice(draft).withResponse();
  expect(invoice).toMatchObject({ ...draft, state: 'draft', total: '252.55' });
  await expect(acme.createInvoice(draft)).rejects.toEqual(failure(409, 'number_taken'));
  await expect(other.createInvoice(draft)).rejects.toEqual(failure(409, 'conflict'));
  const invoiceId = invoice.id;
  await expect(other.getInvoice({ invoiceId })).rejects.toEqual(failure(404));
  const bulk = [2, 3].map((n) => ({ ...draft, number: `${n}`, issuedOn: `2026-11-2${n}`, notes: null }));
  expect((await acme.createInvoices(bulk)).map(({ number }) => number)).toEqual(['2', '3']);
  await expect(acme.createInvoices([{ ...draft, number: '4' }, draft])).rejects.toEqual(failure(409, 'number_taken'));

  const numbers = async (query: Parameters<typeof acme.listInvoices>[0]) => {
    const found: string[] = [];
    for await (const { number } of acme.listInvoices({ limit: 2, ...query })) found.push(number);
    return found.join();
  };
  expect([await numbers({}), await numbers({ sort: 'issuedOn', from: '2026-11-21', to: '2026-11-23' })]).toEqual([
    '3,2,1',
    '2',
  ]);
  await db.pool.query(
    "begin; set local role invoices_unscoped; update invoices set state = 'paid' where number = '3'; commit",
  );
  expect(await numbers({ state: ['paid'] })).toBe('3');
  expect(await numbers({ customerId: customer.id, sort: 'total' })).toHaveLength(5);
  const [paid] = await acme.listInvoices({ state: ['paid'] });
  const replaced = acme.replaceInvoice({ invoiceId: `${paid?.id}`, 'If-Match': '"1"' }, { ...draft, number: '3' });
  await expect(replaced).rejects.toEqual(failure(404));
  await expect(acme.deleteInvoice({ invoiceId: `${paid?.id}` })).rejects.toEqual(failure(404));
  const { key } = await createKey({ owner: 'acme' });
  const csv = await fetch(`${origin}/v1/invoices?sort=issuedOn&limit=1`, {
    headers: { Authorization: `Bearer ${key}`, Accept: 'text/csv' },
  });
  expect(await csv.text()).toBe('number,issuedOn,total\r\n"1",2026-11-20,252.55\r\n');

  const seen = { invoiceId, 'If-Match': response.headers.get('ETag') ?? '' };
  expect(await acme.replaceInvoice(seen, { ...draft, notes: 'Thanks' })).toMatchObject({ notes: 'Thanks' });
  await expect(acme.replaceInvoice(seen, draft)).rejects.toEqual(failure(412));
  const pdf = await acme.getInvoicePdf({ invoiceId });
  expect([pdf.type, await pdf.text()]).toEqual(['application/pdf', expect.stringContaining('252.55')]);
  const file = new File(['%PDF'], 'contract.pdf', { type: 'application/pdf' });
  expect(await acme.addAttachment({ invoiceId }, { file })).toEqual({ id: expect.any(String) });
  await expect(other.addAttachment({ invoiceId }, { file })).rejects.toEqual(failure(404));
  await acme.deleteInvoice({ invoiceId });
  await expect(acme.getInvoice({ invoiceId })).rejects.toEqual(failure(404));
  const started = await acme.startExport().withResponse();
  expect(started.response.headers.get('Location')).toBe(`/v1/exports/${started.data.id}`);
});
