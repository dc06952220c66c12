import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PetstoreError } from '../src/index.ts';
import { clientOf, clientOfServer, failureOf } from './helpers.ts';

test('any status with any body resolves to its JSON object or array, or rejects with a PetstoreError', async () => {
  const statuses = fc.integer({ min: 200, max: 599 }).filter((status) => ![204, 205, 304].includes(status));
  const bodies = fc.oneof(
    fc.string(),
    fc.json(),
    fc.json().map((json) => json.slice(0, -1)),
    fc.record({ code: fc.string(), message: fc.string() }, { requiredKeys: [] }).map((body) => JSON.stringify(body)),
  );
  await fc.assert(
    fc.asyncProperty(statuses, bodies, async (status, body) => {
      const { petstore } = clientOf(() => new Response(body, { status }));
      const result: unknown = await petstore.listPets().catch((error: unknown) => error);
      if (result instanceof PetstoreError) {
        // The Fetch standard takes a byte order mark away.
        expect(result).toMatchObject({ status, text: body.replace(/^\uFEFF/, '') });
        expect(result.message).toMatch(/^listPets failed: \d{3} /);
      } else {
        expect(status).toBeLessThan(300);
        expect(result).toBeTypeOf('object');
        expect(result).toEqual(JSON.parse(body));
      }
    }),
    { numRuns: 1000 },
  );
});

test('an empty 500', async () => {
  const petstore = await clientOfServer((_, reply) => reply.writeHead(500, { 'X-Request-Id': '6b1c' }).end());
  const error = await failureOf(petstore.listPets());
  expect(error).toMatchObject({ status: 500, code: 'unexpected_response', text: '', requestId: '6b1c' });
  expect(error.message).toBe('listPets failed: 500 unexpected_response: empty body (request 6b1c)');
});

test('a 204 where a body is promised', async () => {
  const petstore = await clientOfServer((_, reply) => reply.writeHead(204).end());
  expect(await failureOf(petstore.listPets())).toMatchObject({ status: 204, code: 'unexpected_response' });
});

test('an HTML 200, as of a captive portal', async () => {
  const page = '<!doctype html>\n<title>Sign in</title>';
  const petstore = await clientOfServer((_, reply) => reply.writeHead(200, { 'Content-Type': 'text/html' }).end(page));
  const error = await failureOf(petstore.getPet({ petId: 1 }));
  expect(error).toMatchObject({ status: 200, code: 'unexpected_response', text: page });
  expect(error.message).toContain('<title>Sign in</title>');
});

test('a body cut short without notice', async () => {
  const petstore = await clientOfServer((_, reply) => reply.end('[{"id":1,"na'));
  expect(await failureOf(petstore.listPets())).toMatchObject({ status: 200, text: '[{"id":1,"na' });
});

test('a connection reset in the middle of the body keeps what arrived', async () => {
  const petstore = await clientOfServer((_, reply) => {
    reply.writeHead(200, { 'Content-Length': 1000 }).write('[{"id":1,"name":"Bärli"');
    setTimeout(() => reply.destroy(), 50);
  });
  const error = await failureOf(petstore.listPets());
  expect(error).toMatchObject({ status: 200, code: 'network_error', text: '[{"id":1,"name":"Bärli"' });
  expect(error.cause).toBeInstanceOf(Error);
});

test('a connection reset before the response', async () => {
  const petstore = await clientOfServer((request) => request.socket.destroy());
  expect(await failureOf(petstore.listPets())).toMatchObject({ status: 0, code: 'network_error', response: undefined });
});

test('a redirect is not followed', async () => {
  const petstore = await clientOfServer((request, reply) => reply.writeHead(302, { Location: request.url }).end());
  expect(await failureOf(petstore.listPets())).toMatchObject({ status: 302, code: 'unexpected_response' });
});

test('the signal aborts while the body arrives', async () => {
  const controller = new AbortController();
  const reason = new Error('too slow');
  const petstore = await clientOfServer((_, reply) => {
    reply.writeHead(200).write('[');
    setTimeout(() => controller.abort(reason), 50);
  });
  await expect(petstore.listPets({}, { signal: controller.signal })).rejects.toBe(reason);
});

test('a response without streams is read as text', async () => {
  const { petstore } = clientOf(() => Object.defineProperty(Response.json([]), 'body', { value: undefined }));
  expect(await petstore.listPets()).toEqual([]);
});
