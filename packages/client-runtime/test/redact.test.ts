import { inspect } from 'node:util';
import type { BookstoreError } from '@repo/bookstore';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apiKey, clientOf, failureOf } from './helpers.ts';
import { book, errorResponse, META } from './responses.ts';

/** A token of RFC 6750. */
const keys = fc.string({ unit: fc.constantFrom(...'abcXYZ0189-._~+/='), minLength: 16, maxLength: 60 });

/** Writes a text, each character as it is or with an escape of JSON. */
const escaped = (text: string, stream: Iterator<number>) =>
  text.replace(/./g, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return String([character, `\\u00${code}`, `\\u00${code.toUpperCase()}`][stream.next().value ?? 0]);
  });

/** Stands for the key in the values that fast-check makes. */
const MARK = '\u{e000}';
const marked = fc.tuple(fc.string(), fc.constantFrom('', MARK), fc.string()).map((parts) => parts.join(''));
const json = fc.object({ key: marked, values: [marked, marked.map((text) => JSON.stringify([text])), fc.integer()] });

/** All that an error can show. */
function shown(error: BookstoreError): string {
  const all = { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity };
  return [
    ...[inspect(error, all), inspect(error, { ...all, showHidden: true }), inspect(error.cause, all)],
    ...[JSON.stringify(error), JSON.stringify({ ...error }), `${error}`, error.message, error.stack],
    ...[error.requestId, error.text, inspect(error.response, all), ...(error.response?.headers ?? [])].flat(),
  ].join('\n');
}

/** Reads escapes of JSON and of a URL, also those of escapes. */
function decoded(text: string): string {
  const character = (_: string, code?: string) => (code ? String.fromCharCode(Number.parseInt(code, 16)) : '');
  return text.replace(/\\+(?:u00([2-7][0-9a-f]))?/gi, character).replace(/%([2-7][0-9a-f])/gi, character);
}

function expectNoKey(error: BookstoreError, ...keys: string[]) {
  const text = shown(error);
  for (const each of [text, decoded(text), decoded(decoded(text))])
    for (const key of keys) expect(each.includes(key)).toBe(false);
}

test('a key that the service echoes anywhere in its JSON, escaped in any way, is in no part of the error', async () => {
  const escapes = fc.infiniteStream(fc.nat(2));
  await fc.assert(
    fc.asyncProperty(keys, marked, marked, json, escapes, async (key, code, message, more, stream) => {
      const body = JSON.stringify({ ...more, code, message }).replaceAll(MARK, () => escaped(key, stream));
      const { api } = clientOf(() => new Response(body, { status: 401 }), { apiKey: key });
      const error = await failureOf(api.listBooks());
      expect(error.body).toBeDefined();
      expectNoKey(error, key);
    }),
    { numRuns: 500 },
  );
});

test('a key in any header, in the status text or in a page is in no part of the error', async () => {
  const places = fc.constantFrom('X-Request-Id', 'X-Echo', 'RateLimit', 'Location', 'statusText', 'body', 'name');
  const inputs = fc.record({
    key: keys,
    place: places,
    status: fc.constantFrom(200, 302, 401, 500),
    escapes: fc.infiniteStream(fc.nat(2)),
    percent: fc.nat(2),
    // `message` is cut off after some hundred characters.
    before: fc.nat(400),
  });
  await fc.assert(
    fc.asyncProperty(inputs, async ({ key, place, status, escapes, percent, before }) => {
      const encoded = encodeURIComponent(percent === 2 ? encodeURIComponent(key) : key).replace('0', '%30');
      const echo = percent ? encoded : escaped(key, escapes);
      const headers = new Headers({ ...META, Vary: 'Origin' });
      if (place === 'RateLimit') headers.set('RateLimit', `"${key}";q=1;r=1;t=1`);
      else if (place === 'name') headers.set(`x-${key.replace(/[^\w-]/g, '')}`, '1');
      else if (/^[A-Z]/.test(place)) headers.set(place, `a ${echo} b`);
      const body = place === 'body' ? `<p>${'x'.repeat(before)}${echo}` : '<p>';
      const statusText = place === 'statusText' ? `No ${echo}` : '';
      const respond = () => new Response(body, { status, headers, statusText });
      const { api } = clientOf(respond, { apiKey: key, maxRetries: 0 });
      const error = await failureOf(api.listBooks());
      expectNoKey(error, key);
      expect(error.rateLimit?.limit).toBe(60);
      expect(error.response).toMatchObject({ status, ok: status === 200 });
      expect(error.response?.headers.get('Vary')).toBe('Origin');
    }),
  );
});

test('a body that is cut off in the key shows less than half of it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 8, max: apiKey.length }), async (length) => {
      const text = `[{"echo":"${apiKey.slice(0, length)}`;
      const { api } = clientOf(() => new Response(text));
      expect((await failureOf(api.listBooks())).text).not.toContain(apiKey.slice(0, apiKey.length / 2 + 1));
    }),
  );
});

test('the keys of earlier attempts are redacted, too', async () => {
  let calls = 0;
  const given = ['books_of_attempt_1', 'books_of_attempt_2', 'books_of_attempt_3'];
  const echoes: BookstoreError[] = [];
  const { api } = clientOf(() => errorResponse(500, { 'X-Echo': given.join() }, given.join()), {
    apiKey: () => given[calls++] as string,
    onRetry: ({ error }) => void echoes.push(error),
  });
  const error = await failureOf(api.listBooks().withResponse());
  expectNoKey(error, ...given);
  expect(calls).toBe(3);
  // An earlier attempt could not know the later keys, nor could the service.
  for (const [attempt, each] of echoes.entries()) expectNoKey(each, ...given.slice(0, attempt + 1));
});

const secret = (text: string) => `${text} Bearer ${apiKey}`;
const cyclic = Object.assign(new Error(secret('a')), { self: {} });
cyclic.self = cyclic;
const circle = new Error('a', { cause: new Error(secret('b')) });
(circle.cause as Error).cause = circle;

test.each<[string, unknown]>([
  ['text', secret('offline')],
  ['message', new TypeError(secret('offline'))],
  ['cause of a cause', new TypeError('fetch failed', { cause: new Error('a', { cause: new Error(secret('b')) }) })],
  ['collected errors', new TypeError('fetch failed', { cause: new AggregateError([new Error(secret('b'))]) })],
  ['property', Object.assign(new Error('a'), { config: { headers: { authorization: secret('') } } })],
  ['object', { name: 'Failure', message: secret('offline') }],
  ['cycle', cyclic],
  ['cycle of causes', circle],
  ['DOMException', new DOMException(secret('offline'), 'AbortError')],
])('a key in an exception of fetch is in no part of the error: in its %s', async (_, cause) => {
  const { api } = clientOf(() => Promise.reject(cause), { maxRetries: 0 });
  const error = await failureOf(api.listBooks());
  expectNoKey(error, apiKey);
  expect(error.code).toBe('network_error');
  expect(error.cause).toBeDefined();
});

test('a key in the path of request() is in no part of the error', async () => {
  const { api } = clientOf(() => errorResponse(404));
  expectNoKey(await failureOf(api.request('GET', `/keys/${apiKey}`, { query: { key: apiKey } })), apiKey);
});

test('without a key in them, a body and a cause are left as they are', async () => {
  const cause = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
  const offline = clientOf(() => Promise.reject(cause), { maxRetries: 0 });
  expect((await failureOf(offline.api.listBooks())).cause).toBe(cause);
  const failure = { code: 'a', message: 'keys begin with books_', book, path: 'C:\\books' };
  const error = await failureOf(clientOf(() => Response.json(failure, { status: 404 })).api.listBooks());
  expect(error.body).toEqual(failure);
});
