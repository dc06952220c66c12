import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { parseResponse } from '@petstore-platform/testkit/raw';
import { afterAll, beforeAll, expect, onTestFinished, test as vitest } from 'vitest';
import { startNginx } from '../../src/nginx.ts';
import { type Service, startService } from '../../src/service.ts';

/** What holds behind `deploy/nginx/service.conf` only, in front of one server. */

const run = new AsyncDisposableStack();
let service: Service;
let nginx: number | undefined;
beforeAll(async () => {
  service = await startService(run, { TRUST_PROXY: '127.0.0.1' });
  nginx = await startNginx(run, service.port);
});
afterAll(() => run.disposeAsync());
const test = (name: string, body: (port: number) => Promise<void>) =>
  vitest(name, async ({ skip }) => {
    if (nginx) await body(nginx);
    else skip();
  });

async function open(port: number, bytes: string, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

/** The first response, in whole. Failures have the Error body. */
async function answered(socket: Socket) {
  let text = '';
  for await (const chunk of socket) {
    text += chunk;
    const { headers, body } = parseResponse(text);
    if (text.includes('\r\n\r\n') && body.length >= Number(headers.get('Content-Length'))) break;
  }
  const { status, headers, body } = parseResponse(text);
  if (status >= 400) expect(JSON.parse(body)).toMatchObject({ status, message: expect.any(String) });
  return { status, headers, code: status >= 400 ? JSON.parse(body).code : undefined };
}

const lines = (first: string, ...headers: string[]) =>
  [first, 'Host: shop.example.com', ...headers, '', ''].join('\r\n');
const key = () => `Authorization: Bearer ${service.apiKey}`;
const list = () => lines('GET /v1/pets?limit=1 HTTP/1.1', key());
const post = (length: number) =>
  lines('POST /v1/pets HTTP/1.1', key(), 'Content-Type: application/json', `Content-Length: ${length}`);

test('slow bodies take the share of their address, and neither the server nor another address notices', async (port) => {
  const slow: Socket[] = [];
  while (slow.length < 200) slow.push(await open(port, `${post(50_000)}{`, '127.0.0.2'));
  await expect
    .poll(async () => (await answered(await open(port, list(), '127.0.0.2'))).code)
    .toBe('rate_limit_exceeded');
  const refused = await answered(await open(port, list(), '127.0.0.2'));
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '1']);
  expect((await answered(await open(port, list()))).status).toBe(200);
  // The server has no request of them.
  expect(await service.active()).toBe(0);
  for (const socket of slow) socket.destroy();
  await expect.poll(async () => (await answered(await open(port, list(), '127.0.0.2'))).status).toBe(200);
});

test('a stranger has twenty requests per second, and a hundred at once; a holder of a key more', async (port) => {
  const statuses = async (request: string) => {
    const all = new Set<number>();
    const one = async () => all.add((await answered(await open(port, request, '127.0.0.3'))).status);
    for (let batch = 0; batch < 4; batch++) await Promise.all(Array.from({ length: 100 }, one));
    return all;
  };
  expect(await statuses(lines('GET /livez HTTP/1.1'))).toEqual(new Set([200, 429]));
  expect(await statuses(lines('GET /livez HTTP/1.1', 'Authorization: x'))).toContain(429);
  expect(await statuses(list())).toEqual(new Set([200]));
  expect(await statuses(lines('OPTIONS /v1/pets HTTP/1.1', 'Access-Control-Request-Method: POST'))).not.toContain(429);
});

vitest.for<[string, () => string, number, string]>([
  ['a body that is announced as too large', () => post(20_000_000_000), 413, 'payload_too_large'],
  [
    'Transfer-Encoding with HTTP/1.0',
    () => lines('POST /v1/pets HTTP/1.0', key(), 'Transfer-Encoding: chunked'),
    400,
    'invalid_request',
  ],
  ['a large header', () => lines('GET / HTTP/1.1', `X: ${'x'.repeat(9_000)}`), 431, 'request_header_fields_too_large'],
  ['no HTTP', () => 'hello\r\n\r\n', 400, 'invalid_request'],
  ['/readyz', () => lines('GET /readyz HTTP/1.1'), 404, 'not_found'],
])('nginx answers %s with an Error', async ([, bytes, status, code], { skip }) => {
  if (!nginx) skip();
  else expect(await answered(await open(nginx, bytes()))).toMatchObject({ status, code });
});

test('the request id is of nginx', async (port) => {
  const { headers } = await answered(await open(port, lines('GET /livez HTTP/1.1', 'X-Request-Id: forged')));
  expect(headers.get('X-Request-Id')).toMatch(/^[\da-f]{32}$/);
});

test('idle connections, more than nginx has, make room for newer ones', async (port) => {
  for (let opened = 0; opened < 1_000; opened++) await open(port, '');
  expect((await answered(await open(port, list()))).status).toBe(200);
});
