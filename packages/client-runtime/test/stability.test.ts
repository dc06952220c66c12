import { expect, test } from 'vitest';
import { fixtureClientOf } from './helpers.ts';

test('unstable operations are only in a group of their own', async () => {
  const { fixture, requests } = fixtureClientOf((request) => Response.json(request.url.endsWith('2') ? { id: 2 } : []));
  expect(await fixture.experimental.searchOrders({ tag: ['a & b', 'c'] })).toEqual([]);
  expect(new URL(requests[0]?.url ?? '').search).toBe('?tag=a%20%26%20b&tag=c');
  expect(await fixture.beta.getOrder({ storeId: 'a/b', orderId: 2 })).toEqual({ id: 2 });
  expect(requests[1]?.url).toBe('https://api.bookstore.example/v1/stores/a%2Fb/orders/2');
  expect(Object.keys(fixture)).toEqual(expect.arrayContaining(['beta', 'experimental', 'createOrder']));
  expect(Object.keys(fixture)).not.toEqual(expect.arrayContaining(['getOrder']));
});

test('an operation without a result resolves to undefined for any body', async () => {
  for (const response of [new Response(null, { status: 204 }), new Response('removed', { status: 200 })]) {
    const { fixture } = fixtureClientOf(() => response);
    expect(await fixture.deleteOrder({ storeId: 'a', orderId: 1 })).toBeUndefined();
  }
});

test('an optional body can be omitted', async () => {
  const { fixture, requests } = fixtureClientOf(() => Response.json({ id: 1, bookId: 1 }));
  await fixture.updateOrder({ storeId: 'a', orderId: 1, notify: true });
  await fixture.updateOrder({ storeId: 'a', orderId: 1, notify: false }, { bookId: 2, note: undefined });
  const [without, with_] = requests;
  expect(without?.url).toMatch(/\?notify=true$/);
  expect([await without?.text(), without?.headers.has('Content-Type')]).toEqual(['', false]);
  expect(await with_?.json()).toEqual({ bookId: 2 });
});
