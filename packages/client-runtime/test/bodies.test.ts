import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BookstoreError, isBookstoreError, type Middleware } from '@repo/bookstore';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../src/error.ts';
import { clientOf, failureOf, settled } from './helpers.ts';
import { META, newBook, ok } from './responses.ts';

/** Middleware that is absent, that sees the response, or that replaces it. Only a middleware makes it a Response. */
const MIDDLEWARE: Middleware[][] = [
  [],
  [{ onRequest: () => undefined }],
  [{ onResponse: ({ response }) => response.clone() }],
];

test('any status with any body is its JSON array or a BookstoreError, also of fetchClient', async () => {
  const codes = fc.oneof(fc.string(), fc.constantFrom('timeout', 'network_error'));
  const failures = fc.record({ code: codes, message: fc.string() }, { requiredKeys: [] });
  const bodies = fc.oneof(
    fc.string(),
    fc.json(),
    fc.json().map((json) => json.slice(0, -1)),
    fc.oneof(failures, fc.array(fc.jsonValue())).map((body) => JSON.stringify(body)),
  );
  const inputs = fc.record({
    status: fc.oneof(fc.integer({ min: 200, max: 599 }), fc.constantFrom(200, 204, 999)).filter((code) => code !== 205),
    body: bodies,
    hasLength: fc.boolean(),
    middleware: fc.constantFrom(...MIDDLEWARE),
  });
  await fc.assert(
    fc.asyncProperty(inputs, async ({ status, body, hasLength, middleware }) => {
      // With a length, openapi-fetch reads a body in another way.
      const headers = new Headers(hasLength ? { 'Content-Length': `${Buffer.byteLength(body)}` } : {});
      // These are the members that `Fetch` demands.
      const fetch = async () => ({ status, headers, text: async () => body });
      const { api } = clientOf(ok, { middleware, fetch });
      const result: unknown = await api.listBooks().catch((error: unknown) => error);
      const { data, error, response } = await api.fetchClient.GET('/books');
      const isList = status < 300 && status !== 204 && Array.isArray(parseJson(body));
      expect([response.status, result instanceof BookstoreError]).toEqual([status, !isList]);
      if (!isList) {
        for (const each of [result, error] as BookstoreError[]) {
          expect(isBookstoreError(each, 'listBooks')).toBe(true);
          expect(each.code).not.toMatch(/^(timeout|network_error)$/);
          expect(each.message).toMatch(/^listBooks failed: \d{3} /);
          // Of a response that is replaced, openapi-fetch has parsed the body.
          expect(each).toMatchObject({ status, ...(middleware !== MIDDLEWARE[2] && { text: body }) });
        }
        expect(data).toBeUndefined();
      } else {
        expect([result, data, error]).toEqual([JSON.parse(body), result, undefined]);
      }
    }),
    { numRuns: 1000 },
  );
});

type Row = [name: string, response: Response, status: number, message: string];
const hidden = Object.defineProperties(Response.error(), { type: { value: 'opaqueredirect' } });
const unknown = Object.defineProperties(new Response(''), { status: { value: 999 }, ok: { value: false } });
const headers = { Location: 'https://user:secret@login.example/?next=books' };
test.each<Row>([
  ['an empty 500', new Response('', { status: 500, headers: META }), 500, ': empty body (request 6b1c)'],
  ['a 204 instead of a declared body', new Response(null, { status: 204 }), 204, ': empty body'],
  ['a 304', new Response(null, { status: 304 }), 304, ': empty body'],
  ['an unknown status', unknown, 999, ': unexpected status'],
  ['an opaque redirect, as in browsers,', hidden, 0, ': redirect refused'],
  ...[301, 302, 303, 307, 308].map((status): Row => {
    const message = ': redirect to https://login.example/?next=books refused';
    return [`a redirect (${status})`, new Response(null, { status, headers }), status, message];
  }),
])('%s is unexpected, and not requested again', async (_, response, status, message) => {
  const { api, requests } = clientOf(() => response);
  const error = await failureOf(api.createBook(newBook, { maxRetries: status === 500 ? 0 : 2 }));
  expect(error).toMatchObject({ status, code: 'unexpected_response', text: '', attempts: 1 });
  expect(error.message).toMatch(/^createBook failed: (?:\d{3} )?unexpected_response/);
  expect(error.message.endsWith(message)).toBe(true);
  expect(requests).toHaveLength(1);
});

test.each([200, 429, 503])('an endless body (%i) is read up to a limit, and requested once', async (status) => {
  let cancelled = false;
  const body = () =>
    new ReadableStream({
      pull: (stream) => stream.enqueue(new Uint8Array(1_000_000).fill(32)),
      cancel: () => {
        cancelled = true;
      },
    });
  const { api, requests } = clientOf(() => new Response(body(), { status }));
  const error = await failureOf(api.listBooks());
  expect(error).toMatchObject({ status, code: 'unexpected_response', attempts: 1 });
  expect(error.message).toContain('body longer than 10000000 characters');
  expect(error.text).toHaveLength(65_536);
  expect([requests.length, cancelled]).toEqual([1, true]);
});

test.each([
  [Infinity, 0],
  [9, 0],
  [9, 1],
])('an error keeps 64 kB of a body of %f MB in memory, not all of it, with %i middleware', async (megabytes, count) => {
  const middleware = Array(count).fill({ onRequest: () => {} });
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const chunk = new Uint8Array(1_000_000).fill(32);
  const body = () => {
    let sent = 0;
    return new ReadableStream({ pull: (stream) => (sent++ < megabytes ? stream.enqueue(chunk) : stream.close()) });
  };
  const { api } = clientOf(() => new Response(body(), { status: 400 }), { middleware });
  const errors = [await failureOf(api.listBooks())];
  const used = async () => {
    for (let turn = 0; turn < 5; turn++) {
      collect();
      await settled();
    }
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = await used();
  for (let i = 0; i < 5; i++) errors.push(await failureOf(api.listBooks()));
  expect((await used()) - before).toBeLessThan(20_000_000);
  expect(errors.map(({ text }) => text.length)).toEqual(Array(6).fill(65_536));
});
