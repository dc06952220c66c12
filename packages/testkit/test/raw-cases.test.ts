import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exchange } from '../src/raw.ts';
import { type Case, resets, tryAll } from '../src/raw-cases.ts';
import { listen } from '../src/server.ts';
import { library } from './library.ts';

const ID = '123e4567-e89b-42d3-a456-426614174000';

/** A response as bytes. */
function bytes(status: number, body: unknown, { id = ID, length = 0, more = '' } = {}): string {
  const text = JSON.stringify(body);
  const headers = ['Library-Card: card-1', 'Content-Type: application/json', ...(id && [`X-Request-Id: ${id}`])];
  const lines = [`HTTP/1.1 ${status} Any`, ...headers, `Content-Length: ${text.length + length}`];
  return `${lines.flat().join('\r\n')}\r\n${more}\r\n${text}`;
}

const failure = (status: number, code = 'lost') => ({ code, status });
const page = bytes(200, []);

/** The server's answers, by the target of the request. */
const answers: Record<string, string> = {
  '/v2/books': page,
  '/v2/books?twice': page + page,
  '/v2/books?nothing': '',
  '/v2/books?garbage': 'garbage\r\n\r\n',
  '/v2/books?cut': bytes(200, [], { length: 1 }),
  '/v2/books?more': bytes(200, [{ title: 'Emma', key_hash: '1' }]),
  '/v2/books?header': bytes(200, [], { more: 'X-Powered-By: Fastify\r\n' }),
  '/v2/books?bad': bytes(400, failure(400, 'invalid_request')),
  '/v2/books?code': bytes(400, failure(400)),
  '/v2/books?anonymous': bytes(400, failure(400, 'invalid_request'), { id: '' }),
  '/v2/books?broken': bytes(500, failure(500)),
  '/v2/books?teapot': bytes(418, failure(418)),
};

let port: number;
const server = createServer((socket) => {
  socket.on('error', () => {});
  socket.once('data', (data) => socket.end(answers[data.toString().split(' ')[1] ?? ''] ?? ''));
});
beforeAll(async () => {
  port = await listen(server as Parameters<typeof listen>[0]);
});
afterAll(() => void server.close());

const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`;
const attempt = (target: string, more: Partial<Case>) =>
  tryAll(port, [{ name: 'it', bytes: get(target), ...more }], library);

test.each<[string, Partial<Case>]>([
  ['/v2/books', { answers: [200] }],
  ['/v2/books', {}],
  ['/v2/books?twice', { answers: [200, 200] }],
  ['/v2/books?nothing', { answers: [] }],
  ['/v2/books?bad', { answers: [400] }],
  ['/v2/books?bad', {}],
])('%s as expected, %o, passes', async (target, more) => {
  expect(await attempt(target, more)).toEqual([]);
});

test.each<[string, Partial<Case>, RegExp]>([
  ['/v2/books', { answers: [400] }, /answered 200, not 400/],
  // The second request was smuggled.
  ['/v2/books?twice', { answers: [200] }, /answered 200,200, not 200/],
  ['/v2/books?nothing', { answers: [200] }, /answered nothing, not 200/],
  ['/v2/books?garbage', {}, /no response: garbage/],
  ['/v2/books?cut', {}, /truncated response/],
  ['/v2/books?more', { answers: [200] }, /unevaluated/],
  ['/v2/books?header', { answers: [200] }, /x-powered-by/],
  ['/v2/books?code', {}, /answered 400 .*lost/],
  ['/v2/books?anonymous', {}, /answered 400 without an id/],
  ['/v2/books?broken', {}, /answered 500/],
  ['/v2/books?broken', { answers: [500] }, /answered 500/],
  ['/v2/books?teapot', {}, /418/],
])('%s, %o, fails', async (target, more, problem) => {
  expect(await attempt(target, more)).toEqual([expect.stringMatching(problem)]);
});

test('every case is tried, and those with a reset need no answer', async () => {
  const done: number[] = [];
  const cases = Array.from({ length: 250 }, (): Case => ({ name: 'it', bytes: get('/v2/books'), answers: [400] }));
  expect(await tryAll(port, resets(cases), library, (count) => done.push(count))).toEqual([]);
  expect(done).toEqual([1_000]);
  expect(await tryAll(port, cases, library)).toHaveLength(250);
});

test('an exchange returns a correct response, and throws for another', async () => {
  expect(await exchange(port, get('/v2/books'), library)).toMatchObject({ status: 200, body: '[]' });
  await expect(exchange(port, get('/v2/books?header'), library)).rejects.toThrow(/x-powered-by/);
});
