import { parseJson as parse } from '@petstore-platform/server-runtime/internal/http/body';
import { operations } from '@repo/bookstore/generated/routes';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorOf, sharedServer, temporaryServer } from '../support/server.ts';

// cases.test.ts has the invalid bodies.

const server = sharedServer();

const tehanu = '{"title":"Tehanu","storeId":7}';
const parseJson = (body: Buffer) => parse(body).value;
const json = { 'Content-Type': 'application/json' };

function post(body: NonNullable<RequestInit['body']> | null, headers: Record<string, string> = json) {
  return server.request('/v1/books', { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
}

test('a body of another type, or compressed, is 415, and the message says what is read', async () => {
  const typed = await errorOf(await post(Buffer.from(tehanu), {}));
  expect(typed).toMatchObject({ code: 'unsupported_media_type', message: expect.stringContaining('application/json') });
  const coded = await errorOf(await post(tehanu, { ...json, 'Content-Encoding': 'gzip' }));
  expect(coded).toMatchObject({ status: 415, message: expect.stringContaining('Content-Encoding') });
});

test('no body, in chunks, too, is 400: it is required', async () => {
  const empty = new ReadableStream({ start: (controller) => controller.close() });
  for (const response of [await post(null, {}), await post(null), await post(''), await post(empty)])
    expect(await errorOf(response)).toMatchObject({
      status: 400,
      code: 'invalid_request',
      message: 'body is required',
    });
});

test('no body is no failure where none is declared, whatever Content-Type a client sends with all requests', async () => {
  const { body: _, ...bodiless } = operations.createBook;
  const createBook = async () => ({ status: 201 as const, body: { id: 1, title: 'Tehanu', storeId: 7 } });
  const { request } = await temporaryServer({
    operations: { ...operations, createBook: bodiless },
    handlers: { createBook },
  });
  expect((await request('/v1/books', { method: 'POST', headers: json })).status).toBe(201);
});

test('any bytes are 400', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 40 }), async (bytes) => {
      const { status, message } = await errorOf(await post(Buffer.from(bytes)));
      expect([status, message]).toEqual([400, expect.stringContaining('body')]);
    }),
  );
});

test('parseJson equals JSON.parse, except for numbers that it would round', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
    }),
  );
  const mantissa = fc.maxSafeInteger().filter((integer) => integer !== 0);
  const decimal = fc.tuple(mantissa, fc.integer({ min: 1, max: 400 }), fc.integer({ min: -30, max: 30 }));
  fc.assert(
    fc.property(decimal, ([digits, fraction, shift]) => {
      // The number stays the same when the decimal point moves far to the right or left.
      expect(parseJson(Buffer.from(`${digits}.${'0'.repeat(fraction)}`))).toBe(digits);
      expect(parseJson(Buffer.from(`${digits}${'0'.repeat(fraction)}e-${fraction}`))).toBe(digits);
      // Any fraction makes it a non-integer.
      expect(Number.isInteger(parseJson(Buffer.from(`${digits}.${'0'.repeat(fraction)}1`)))).toBe(false);
      const scaled = Number(`${digits}e${shift}`);
      if (!Number.isInteger(scaled)) expect(parseJson(Buffer.from(`${digits}e${shift}`))).toBe(scaled);
    }),
  );
});
