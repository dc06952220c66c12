import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryServer } from './support.ts';

const failure = (status: number) => expect.objectContaining({ status });
const jam = { sku: 'jam', title: 'Jam', price: '5.00' };
const lines = [
  { sku: 'jam', quantity: 1 },
  { sku: 'tea', quantity: 2 },
];

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** A receiver of events, which verifies their signatures. */
async function receiver(answered = Promise.resolve()) {
  const received: unknown[] = [];
  const server = createServer(async (request, response) => {
    received.push(new Webhook(SECRET).verify(await text(request), request.headers as Record<string, string>));
    await answered;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

test('orders are placed, listed in any order, changed by version, paid once, deleted, summed up and exported', async () => {
  const { desk, db, runJob } = await temporaryServer();
  const idsOf = async (query: Parameters<typeof desk.listOrders>[0]) => {
    const ids: number[] = [];
    for await (const { id } of desk.listOrders({ limit: 2, ...query })) ids.push(id);
    return ids;
  };
  for (const price of ['3.50', '3.60']) {
    const tea = { title: 'Tea', price };
    expect(await desk.putProduct({ sku: 'tea' }, tea)).toEqual({ sku: 'tea', ...tea });
  }
  await desk.putProduct({ sku: 'jam' }, { title: 'Jam', price: '4.00' });
  expect(
    await desk.changePrices([
      { sku: 'jam', price: '5.00' },
      { sku: 'none', price: '1.00' },
    ]),
  ).toEqual([jam]);

  const first = await desk.createOrder({ customer: 'Ada', lines }, { idempotencyKey: 'first' });
  expect(await desk.createOrder({ customer: 'Ada', lines }, { idempotencyKey: 'first' })).toEqual(first);
  const unknown = { customer: 'Bob', lines: [{ sku: 'none', quantity: 1 }] };
  await expect(desk.createOrder(unknown)).rejects.toEqual(failure(409));
  for (const customer of ['Cyd', 'Bob', 'Ada', 'Eve']) await desk.createOrder({ customer, note: customer, lines });
  const ids = await idsOf({});
  expect(ids).toHaveLength(5);
  for (const sort of ['id', 'customer', 'placedAt', 'note'] as const) {
    const ascending = await idsOf({ sort });
    expect(ascending.toSorted((a, b) => a - b)).toEqual(ids);
    expect(await idsOf({ sort: `-${sort}` })).toEqual(ascending.toReversed());
  }

  const orderId = first.id;
  const { data, response } = await desk.getOrder({ orderId }).withResponse();
  expect(data).toEqual(first);
  const seen = { orderId, 'If-Match': response.headers.get('ETag') ?? '' };
  expect(await desk.updateOrder(seen, { note: 'Ring' })).toMatchObject({ note: 'Ring' });
  await expect(desk.updateOrder(seen, { note: 'Knock' })).rejects.toEqual(failure(412));
  const { received, url } = await receiver();
  await db.pool.query('insert into receivers values ($1, $2)', [url, SECRET]);
  for (let n = 0; n < 2; n++) await desk.payOrder({ orderId }, { idempotencyKey: 'pay' });
  await expect(desk.payOrder({ orderId })).rejects.toEqual(failure(409));
  expect(await desk.listEvents()).toEqual([{ id: 1, kind: 'order.paid', orderId }]);
  for (let n = 0; n < 2; n++) await runJob('webhooks');
  expect(received).toMatchObject([{ type: 'order.paid', data: { orderId } }]);
  expect(await idsOf({ states: ['paid'] })).toEqual([orderId]);
  expect(await idsOf({ states: ['open', 'paid'] })).toEqual(ids);
  const [, second = 0, third = 0] = ids;
  const { placedAt } = await desk.getOrder({ orderId: third });
  expect([await idsOf({ from: placedAt }), await idsOf({ before: placedAt })]).toEqual([ids.slice(2), ids.slice(0, 2)]);

  await desk.deleteOrder({ orderId: second });
  await expect(desk.deleteOrder({ orderId: second })).rejects.toEqual(failure(404));
  await expect(desk.getOrder({ orderId: second })).rejects.toEqual(failure(404));
  expect(await idsOf({})).toEqual(ids.filter((id) => id !== second));
  const sales = [
    { sku: 'tea', quantity: 2, total: '7.20' },
    { sku: 'jam', quantity: 1, total: '5.00' },
  ];
  expect(await desk.reportSales()).toEqual(sales);

  const started = await desk.startExport({ customer: 'Ada' }).withResponse();
  expect([started.response.status, started.response.headers.get('Location')]).toEqual([202, '/v1/exports/1']);
  expect(await desk.getExport({ exportId: 1 })).toEqual({ id: 1, state: 'waiting' });
  await runJob('exports');
  expect(await desk.getExport({ exportId: 1 })).toEqual({ id: 1, state: 'done', orders: 2 });
});

test('each receiver gets each event once, and a slow one does not hold those of others', async () => {
  const { desk, db, runJob } = await temporaryServer();
  await desk.putProduct({ sku: 'jam' }, { title: 'Jam', price: '5.00' });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const [quick, slow] = [await receiver(), await receiver(released)];
  for (const { url } of [slow, quick]) await db.pool.query('insert into receivers values ($1, $2)', [url, SECRET]);
  for (let n = 0; n < 15; n++) {
    const { id: orderId } = await desk.createOrder({ customer: 'Ada', lines: lines.slice(0, 1) });
    await desk.payOrder({ orderId });
  }
  const delivered = runJob('webhooks');
  await expect.poll(() => quick.received.length, { timeout: 240_000 }).toBe(15);
  expect(slow.received).toHaveLength(2);
  release();
  await delivered;
  expect([slow.received.length, quick.received.length]).toEqual([15, 15]);
});
