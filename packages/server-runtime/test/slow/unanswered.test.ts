import { once } from 'node:events';
import { createConnection } from 'node:net';
import { countWaiting, whileLocked } from '@petstore-platform/testkit/postgres';
import { openConnection, parseResponse } from '@petstore-platform/testkit/raw';
import { operations } from '@repo/bookstore/generated/routes';
import { expect, test } from 'vitest';
import { serverProcess } from '../support/process.ts';

/** A server process that trusts request ids of clients, with its log and metrics. */
async function observedServer() {
  const server = await serverProcess({ TRUST_PROXY: '1', METRICS_PORT: '0', LOG_LEVEL: 'debug' });
  const { port, key } = server;
  const [, metrics = ''] = await server.waitFor(/Metrics at (http:[^"]+)/);
  const lines = () => [...server.output().matchAll(/^.+$/gm)].map(([line]) => JSON.parse(line));
  return {
    ...server,
    connect: () => openConnection(port),
    request: (requestLine: string, requestId: string, ...headers: string[]) => {
      const usual = ['Host: x', `X-Request-Id: ${requestId}`, `Authorization: Bearer ${key}`];
      return [requestLine, ...usual, ...headers, '', ''].join('\r\n');
    },
    requests: () => lines().filter(({ msg }) => msg === 'request'),
    faults: () => lines().filter(({ level }) => ['warn', 'error', 'fatal'].includes(level)),
    /** The number of requests that the metrics count, by labels. */
    async counted(operation: string, method: string, status: number, client = 'none') {
      const route = operations[operation as 'listBooks']?.path ?? '';
      const labels = `http_route="${route}",http_request_method="${method}",http_response_status_code="${status}"`;
      const plan = operation === 'other' ? '' : 'business';
      const name = `http_server_request_duration_seconds_count{operation="${operation}",${labels},client="${client}",plan="${plan}"}`;
      const [, value = '0'] = (await (await fetch(metrics)).text()).split(`\n${name} `, 2);
      return Number.parseInt(value, 10);
    },
  };
}

test('aborted requests during a slow database are one log line each and counted: 499', async () => {
  const observed = await observedServer();
  const { databaseUrl, keyId, connect, request, requests, stop } = observed;
  await whileLocked(databaseUrl, 'books', async (client) => {
    const connections = [await connect(), await connect()];
    connections[0]?.write(request('GET /v1/books HTTP/1.1', 'first', 'X-Bookstore-Client: js/9.8.7'));
    connections[1]?.write(request('GET /v1/books/1 HTTP/1.1', 'second'));
    await expect.poll(() => countWaiting(client)).toBe(2);
    for (const connection of connections) connection.destroy();
    await expect.poll(() => requests().length).toBe(2);
    await client.query('commit');
  });
  expect(await observed.counted('listBooks', 'GET', 499, 'js/9.8.7')).toBe(1);
  expect(await observed.counted('getBook', 'GET', 499)).toBe(1);
  expect((await stop()).code).toBe(0);
  const usual = { status: 499, keyId, plan: 'business' };
  // They end at about the same time.
  expect(requests().sort((a, b) => a.reqId.localeCompare(b.reqId))).toEqual([
    expect.objectContaining({ reqId: 'first', operationId: 'listBooks', client: 'js/9.8.7', ...usual }),
    expect.objectContaining({ reqId: 'second', operationId: 'getBook', ...usual }),
  ]);
});

test('neither a truncated body nor an invalid one is logged as an error', async () => {
  const observed = await observedServer();
  const { keyId, port, connect, request, requests, faults, stop } = observed;
  const json = 'Content-Type: application/json';
  const body = request('POST /v1/books HTTP/1.1', 'gone', json, 'Content-Length: 100', 'Expect: 100-continue');
  const gone = createConnection({ port, host: '127.0.0.1' });
  gone.write(`${body}{`);
  await once(gone, 'data');
  gone.resetAndDestroy();
  await expect.poll(() => requests().length).toBe(1);

  const broken = await connect();
  broken.write(`${request('POST /v1/books HTTP/1.1', 'broken', json, 'Transfer-Encoding: chunked')}zz\r\n`);
  const { status, headers } = parseResponse(await broken.readToEnd());
  expect([status, headers.get('X-Request-Id')]).toEqual([400, 'broken']);
  broken.destroy();
  for (const status of [499, 400]) expect(await observed.counted('createBook', 'POST', status)).toBe(1);
  expect((await stop()).code).toBe(0);
  const usual = { operationId: 'createBook', method: 'POST' };
  expect(requests()).toEqual([
    expect.objectContaining({ reqId: 'gone', status: 499, keyId, ...usual }),
    expect.objectContaining({ reqId: 'broken', status: 400, code: 'invalid_request', ...usual }),
  ]);
  expect(faults()).toEqual([]);
});

test('invalid HTTP is logged and counted, too, with the id of its response', async () => {
  const observed = await observedServer();
  const { connect, requests, stop } = observed;
  const ids = [];
  for (const bytes of [
    'hello\r\n\r\n',
    `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    'CONNECT x:1 HTTP/1.1\r\n\r\n',
  ]) {
    const connection = await connect();
    connection.write(bytes);
    ids.push(parseResponse(await connection.readToEnd()).headers.get('X-Request-Id'));
    connection.destroy();
  }
  expect(await observed.counted('other', '_OTHER', 400)).toBe(2);
  expect(await observed.counted('other', '_OTHER', 431)).toBe(1);
  expect((await stop()).code).toBe(0);
  expect(requests().map(({ reqId, status }) => [reqId, status])).toEqual([
    [ids[0], 400],
    [ids[1], 431],
    [ids[2], 400],
  ]);
});
