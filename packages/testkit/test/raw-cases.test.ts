import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exchange } from '../src/raw.ts';
import { type Case, resets, tryAll } from '../src/raw-cases.ts';
import { listen } from '../src/server.ts';
import { notes } from './notes.ts';

const ID = '123e4567-e89b-42d3-a456-426614174000';

/** A response as bytes. */
function bytes(status: number, body: unknown, { id = ID, length = 0, more = '' } = {}): string {
  const text = JSON.stringify(body);
  const limits = ['X-RateLimit-Limit: 60', ...(status < 400 ? ['RateLimit: "minute";r=1;t=2'] : [])];
  const headers = [...limits, 'Content-Type: application/json', ...(id && [`X-Request-Id: ${id}`])];
  const lines = [`HTTP/1.1 ${status} Any`, ...headers, `Content-Length: ${text.length + length}`];
  return `${lines.flat().join('\r\n')}\r\n${more}\r\n${text}`;
}

const failure = (status: number, code = 'not_found') => ({ code, status, message: 'x' });
const page = bytes(200, []);

/** The server's answers, by the target of the request. */
const answers: Record<string, string> = {
  '/v1/notes': page,
  '/v1/notes?twice': page + page,
  '/v1/notes?nothing': '',
  '/v1/notes?garbage': 'garbage\r\n\r\n',
  '/v1/notes?cut': bytes(200, [], { length: 1 }),
  '/v1/notes?more': bytes(200, [{ id: 1, text: 'x', key_hash: '1' }]),
  '/v1/notes?header': bytes(200, [], { more: 'X-Powered-By: Fastify\r\n' }),
  '/v1/notes?bad': bytes(400, failure(400, 'invalid_request')),
  '/v1/notes?code': bytes(400, failure(400)),
  '/v1/notes?anonymous': bytes(400, failure(400, 'invalid_request'), { id: '' }),
  '/v1/notes?broken': bytes(500, failure(500)),
  '/v1/notes?teapot': bytes(418, failure(418)),
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
  tryAll(port, [{ name: 'it', bytes: get(target), ...more }], notes);

test.each<[string, Partial<Case>]>([
  ['/v1/notes', { answers: [200] }],
  ['/v1/notes', {}],
  ['/v1/notes?twice', { answers: [200, 200] }],
  ['/v1/notes?nothing', { answers: [] }],
  ['/v1/notes?bad', { answers: [400] }],
  ['/v1/notes?bad', {}],
])('%s as expected, %o, passes', async (target, more) => {
  expect(await attempt(target, more)).toEqual([]);
});

test.each<[string, Partial<Case>, RegExp]>([
  ['/v1/notes', { answers: [400] }, /answered 200, not 400/],
  // The second request was smuggled.
  ['/v1/notes?twice', { answers: [200] }, /answered 200,200, not 200/],
  ['/v1/notes?nothing', { answers: [200] }, /answered nothing, not 200/],
  ['/v1/notes?garbage', {}, /no response: garbage/],
  ['/v1/notes?cut', {}, /truncated response/],
  ['/v1/notes?more', { answers: [200] }, /unevaluated/],
  ['/v1/notes?header', { answers: [200] }, /x-powered-by/],
  ['/v1/notes?code', {}, /answered 400 .*not_found/],
  ['/v1/notes?anonymous', {}, /answered 400 without an id/],
  ['/v1/notes?broken', {}, /answered 500/],
  ['/v1/notes?broken', { answers: [500] }, /answered 500/],
  ['/v1/notes?teapot', {}, /418/],
])('%s, %o, fails', async (target, more, problem) => {
  expect(await attempt(target, more)).toEqual([expect.stringMatching(problem)]);
});

test('every case is tried, and those with a reset need no answer', async () => {
  const cases = Array.from({ length: 250 }, (): Case => ({ name: 'it', bytes: get('/v1/notes'), answers: [400] }));
  expect(await tryAll(port, resets(cases), notes)).toEqual([]);
  expect(await tryAll(port, cases, notes)).toHaveLength(250);
});

test('an exchange returns a correct response, and throws for another', async () => {
  expect(await exchange(port, get('/v1/notes'), notes)).toMatchObject({ status: 200, body: '[]' });
  await expect(exchange(port, get('/v1/notes?header'), notes)).rejects.toThrow(/x-powered-by/);
});
