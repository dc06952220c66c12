// This file calls the fixture's operations. It is compiled, but never run.
import type { ListItem, TestHandlers } from '@repo/bookstore/client/generated/testing';
import type { Operations, Order } from '../fixture/generated/operations.ts';

declare const fixture: Operations;

export const order: Promise<Order> = fixture.createOrder({ storeId: 'a' }, { bookId: 1 }, { idempotencyKey: 'a' });
export const id: Promise<{ id: number }> = fixture.beta.getOrder({ storeId: 'a', orderId: 1 });
export const nothing: Promise<undefined> = fixture.deleteOrder({ storeId: 'a', orderId: 1 });
export const orders: AsyncIterable<Order> = fixture.experimental.searchOrders({ cursor: undefined });
export const changed: Promise<Order> = fixture.updateOrder({ storeId: 'a', orderId: 1, notify: true });
export const handlers: TestHandlers<Operations> = { beta: { getOrder: ({ orderId }) => ({ id: orderId }) } };
export const item: ListItem<Pick<Operations, 'experimental'>> = { id: 1, bookId: 1 };

// @ts-expect-error only in the group
handlers.getOrder;
// @ts-expect-error only in the group
fixture.searchOrders();
// @ts-expect-error one of two path parameters is missing
fixture.deleteOrder({ storeId: 'a' });
// @ts-expect-error a query parameter that is required
fixture.updateOrder({ storeId: 'a', orderId: 1 });
// @ts-expect-error the header is an option, no parameter
fixture.createOrder({ storeId: 'a', 'Idempotency-Key': 'a' }, { bookId: 1 });
// @ts-expect-error the body is missing
fixture.createOrder({ storeId: 'a' });
