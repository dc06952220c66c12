import { expect, test } from 'vitest';
import { errorResponse, failureOf, fixtureClientOf, rejectionOf } from './helpers.ts';

const order = { id: 1, bookId: 1 };
const keyOf = (request: Request) => request.headers.get('Idempotency-Key');

test('one key per call, the same for all attempts', async () => {
  const { fixture, requests } = fixtureClientOf((_, attempt) =>
    attempt === 1
      ? Promise.reject(new Error('reset'))
      : attempt === 2
        ? errorResponse(500)
        : Response.json(order, { status: 201 }),
  );
  expect(await fixture.createOrder({ storeId: 'a' }, { bookId: 1 })).toEqual(order);
  await fixture.createOrder({ storeId: 'a' }, { bookId: 1 });

  const [first, second, third, other] = requests.map(keyOf);
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect([second, third]).toEqual([first, first]);
  expect(other).not.toBe(first);
});

test.each(['', 'a b', 'ä', 'a\nb'])('an invalid key is refused: %j', async (idempotencyKey) => {
  const { fixture, requests } = fixtureClientOf(() => Response.json(order));
  const refusal = await rejectionOf(fixture.createOrder({ storeId: 'a' }, { bookId: 1 }, { idempotencyKey }));
  expect(String(refusal)).toMatch(/^TypeError: createOrder: idempotencyKey must be/);
  expect(requests).toEqual([]);
});

test('an attempt is retried while the first one is running', async () => {
  const { fixture } = fixtureClientOf((_, attempt) =>
    attempt === 1 ? errorResponse(409, {}, 'idempotency_key_in_use') : Response.json(order),
  );
  expect(await fixture.createOrder({ storeId: 'a' }, { bookId: 1 })).toEqual(order);
});

test('another body with the same key is not retried', async () => {
  const { fixture, requests } = fixtureClientOf(() => errorResponse(422));
  await failureOf(fixture.createOrder({ storeId: 'a' }, { bookId: 1 }));
  expect(requests).toHaveLength(1);
});
