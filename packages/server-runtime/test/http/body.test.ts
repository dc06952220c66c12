import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorOf, sharedServer } from '../support/server.ts';

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
  expect((await post(tehanu, { ...json, 'Content-Encoding': 'Identity' })).status).toBe(201);
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

test('any bytes are 400', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 40 }), async (bytes) => {
      const { status, message } = await errorOf(await post(Buffer.from(bytes)));
      expect([status, message]).toEqual([400, expect.stringContaining('body')]);
    }),
  );
});
