import { isMultiple, isRounded } from '@petstore-platform/server-runtime/internal/http/numbers';
import { operations } from '@repo/bookstore/generated/routes';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorOf, temporaryServer } from '../support/server.ts';

test('a number that a double does not hold is 400 in a free-form value, with its pointer, and any other one arrives', async () => {
  const free = { ...operations.createBook, body: { required: true, schema: { type: 'object' } } };
  const received: unknown[] = [];
  const createBook = async ({ body }: { body: unknown }) => {
    received.push(body);
    return { status: 201 as const, body: { id: 1, title: 'Tehanu', storeId: 7 } };
  };
  const { request } = await temporaryServer({
    operations: { ...operations, createBook: free },
    handlers: { createBook },
  });
  const post = (body: string, headers: Record<string, string> = {}) =>
    request('/v1/books', { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body });
  const message = 'is a number that is not kept exactly';
  for (const [text, pointer] of [
    ['{"a":9007199254740993}', '/body/a'],
    ['{"a":[{"b/c":-12345678901234567890}]}', '/body/a/0/b~1c'],
    ['{"a":[1,1e400]}', '/body/a/1'],
    ['{"a":1e-400}', '/body/a'],
    ['{"a":9007199254740991.5}', '/body/a'],
  ] as const) {
    const error = await errorOf(await post(text));
    expect(error).toMatchObject({ status: 400, errors: [{ pointer, message }] });
    expect(error.message).toBe(`${pointer.slice(1).replaceAll('/', '.')} ${message}`);
  }
  expect(await errorOf(await post(`{"a":${'['.repeat(300)}${']'.repeat(300)}}`))).toMatchObject({
    status: 400,
    errors: [{ pointer: '/body', message: 'is nested deeper than 100 levels' }],
  });
  expect(received).toEqual([]);
  const kept = { a: [9007199254740991, -1e300, 1e-7, 0.1, 1.5e3], text: '9007199254740993 [[[' };
  expect((await post(JSON.stringify(kept), { 'Content-Encoding': 'Identity' })).status).toBe(201);
  expect(received).toEqual([kept]);
});

test('each integer in digits is kept or noticed', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (integer) => {
      const isSafe = integer >= Number.MIN_SAFE_INTEGER && integer <= Number.MAX_SAFE_INTEGER;
      expect(isRounded(`${integer}`, Number(integer))).toBe(!isSafe);
    }),
  );
});

test('multiples are those of the decimals', () => {
  const digits = fc.integer({ min: -1_000_000, max: 1_000_000 });
  fc.assert(
    fc.property(
      digits,
      fc.integer({ min: 1, max: 5_000 }),
      fc.integer({ min: 0, max: 9 }),
      (number, divisor, places) => {
        expect(isMultiple(Number(`${number}e-${places}`), Number(`${divisor}e-${places}`))).toBe(
          number % divisor === 0,
        );
      },
    ),
  );
  for (const [value, divisor] of [
    [4.35, 0.01],
    [19.99, 0.01],
    [1e22, 1],
    [0, 0.3],
    [12391239123, 1e-8],
  ] as const)
    expect(isMultiple(value, divisor)).toBe(true);
  for (const [value, divisor] of [
    [4.355, 0.01],
    [1e-12, 0.01],
    [1e308, 0.123456789],
    [Number.NaN, 1],
  ] as const)
    expect(isMultiple(value, divisor)).toBe(false);
});
