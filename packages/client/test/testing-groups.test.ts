import { expect, test, vi } from 'vitest';
import { createTestClient, type TestHandlers } from '../src/testing.ts';
import type { Operations } from './fixture/generated/operations.ts';

// Of the contract's operations none is in a group; of the fixture's, some are.
vi.mock('../src/generated/table.ts', () => import('./fixture/generated/table.ts'));

test('an operation that may change has its handler in the group of the client', async () => {
  const handlers: TestHandlers<Operations> = {
    beta: { getOrder: ({ orderId }) => ({ id: orderId }) },
    deleteOrder: () => undefined,
  };
  const fixture = createTestClient(handlers as TestHandlers) as unknown as Operations;
  expect(await fixture.beta.getOrder({ storeId: 'a', orderId: 2 })).toEqual({ id: 2 });
  expect(await fixture.deleteOrder({ storeId: 'a', orderId: 2 })).toBeUndefined();
  await expect(fixture.experimental.searchOrders()).rejects.toThrow('createTestClient has no handler for searchOrders');
});
