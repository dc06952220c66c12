import { operations } from '@repo/bookstore/generated/routes';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorOf, sharedServer, temporaryServer } from '../support/server.ts';

// cases.test.ts has the invalid bodies.

const server = sharedServer();

const tehanu = '{"title":"Tehanu","storeId":7}';
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
  const send = (body: string, headers: Record<string, string> = {}) =>
    request('/v1/books', { method: 'POST', headers: { ...json, ...headers }, body });
  const message = 'is a number that is not kept exactly';
  for (const [text, pointer] of [
    ['{"a":9007199254740993}', '/body/a'],
    ['{"a":[{"b/c":-12345678901234567890}]}', '/body/a/0/b~1c'],
    ['{"a":[1,1e400]}', '/body/a/1'],
    ['{"a":1e-400}', '/body/a'],
    ['{"a":9007199254740991.5}', '/body/a'],
  ] as const) {
    const error = await errorOf(await send(text));
    expect(error).toMatchObject({ status: 400, errors: [{ pointer, message }] });
    expect(error.message).toBe(`${pointer.slice(1).replaceAll('/', '.')} ${message}`);
  }
  expect(await errorOf(await send(`{"a":${'['.repeat(300)}${']'.repeat(300)}}`))).toMatchObject({
    status: 400,
    errors: [{ pointer: '/body', message: 'is nested deeper than 100 levels' }],
  });
  expect(received).toEqual([]);
  const kept = { a: [9007199254740991, -1e300, 1e-7, 0.1, 1.5e3], text: '9007199254740993 [[[' };
  expect((await send(JSON.stringify(kept), { 'Content-Encoding': 'Identity' })).status).toBe(201);
  expect(received).toEqual([kept]);
});
