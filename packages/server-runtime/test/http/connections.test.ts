import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { whileLocked } from '@petstore-platform/testkit/postgres';
import { expect, onTestFinished, test } from 'vitest';
import { Metrics } from '../support/runtime.ts';
import { type TestServer, temporaryServer } from '../support/server.ts';

/** A server without a proxy, with few connections. */
async function smallServer(config: object) {
  const metrics = new Metrics({});
  const server = await temporaryServer({ metrics, config: { STATEMENT_TIMEOUT: 60, TRUST_PROXY: false, ...config } });
  const closed = async (reason: string) => {
    const pattern = new RegExp(`^service_connections_refused_total{reason="${reason}"} (\\d+)$`, 'm');
    return Number(pattern.exec(await metrics.registry.metrics())?.[1]);
  };
  return { ...server, closed };
}

/** A connection of an address of 127.0.0.0/8. */
async function from(localAddress: string, { port }: TestServer): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

const isOpen = (socket: Socket) => socket.readyState === 'open';

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');

/** The first line of the response, empty if the server closes the connection instead. */
async function answer(socket: Socket, request: string): Promise<string> {
  socket.write(request);
  const [data] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])]);
  return String(data).split('\r\n', 1)[0] ?? '';
}

test('an address has a quarter of the connections, and keeps others out neither alone nor with others', async () => {
  const server = await smallServer({ MAX_CONNECTIONS: 8 });
  const idle: Socket[] = [];
  for (let opened = 0; opened < 20; opened++) idle.push(await from('127.0.0.2', server));
  await expect.poll(() => idle.filter(isOpen).length).toBe(2);
  expect(idle.slice(-2).every(isOpen)).toBe(true);
  expect(await server.closed('idle')).toBe(18);
  for (let host = 3; host < 67; host++) idle.push(await from(`127.0.0.${host}`, server));
  await expect.poll(() => idle.filter(isOpen).length).toBe(8);
  for (const address of ['127.0.0.1', '127.0.0.2'])
    expect(await answer(await from(address, server), get('/livez'))).toBe('HTTP/1.1 200 OK');
  expect([await server.closed('address'), await server.closed('full')]).toEqual([0, 0]);
});

test('connections that have sent no complete request go first, then those that rest, the longest idle first', async () => {
  const server = await smallServer({ MAX_CONNECTIONS: 3, MAX_CONNECTIONS_PER_ADDRESS: 0 });
  const first = await from('127.0.0.1', server);
  const second = await from('127.0.0.1', server);
  for (const each of [second, first]) await answer(each, get('/livez'));
  const unfinished = await from('127.0.0.1', server);
  unfinished.write(
    `POST /v1/books HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.apiKey}\r\nContent-Length: 9\r\n`,
  );
  unfinished.write('Content-Type: application/json\r\n\r\n{');
  await expect.poll(() => server.app.requests.running).toBe(1);
  for (const gone of [unfinished, second, first]) {
    expect(isOpen(gone)).toBe(true);
    const next = await from('127.0.0.1', server);
    await expect.poll(() => isOpen(gone)).toBe(false);
    await answer(next, get('/livez'));
  }
});

test('a flood of idle connections closes none that has sent a request', async () => {
  const server = await smallServer({ MAX_CONNECTIONS: 4, MAX_CONNECTIONS_PER_ADDRESS: 0 });
  const kept = await from('127.0.0.1', server);
  await answer(kept, get('/livez'));
  const flood: Socket[] = [];
  for (let opened = 0; opened < 20; opened++) flood.push(await from('127.0.0.2', server));
  await expect.poll(() => flood.filter(isOpen).length).toBe(3);
  expect(await answer(kept, get('/livez'))).toBe('HTTP/1.1 200 OK');
});

test('requests are never replaced; beyond the maximum, only health is answered', async () => {
  const server = await smallServer({ MAX_CONNECTIONS: 3, MAX_CONNECTIONS_PER_ADDRESS: 2 });
  await whileLocked(server.databaseUrl, 'books', async (client) => {
    const list = get('/v1/books', `Authorization: Bearer ${server.apiKey}`);
    const addresses = ['127.0.0.2', '127.0.0.2', '127.0.0.3'];
    const running = addresses.map(async (address) => answer(await from(address, server), list));
    await expect.poll(() => server.app.requests.running).toBe(3);
    for (const address of ['127.0.0.2', '127.0.0.4']) {
      for (const path of ['/livez', '/readyz']) {
        const socket = await from(address, server);
        socket.write(get(path));
        expect(await text(socket)).toMatch(/^HTTP\/1.1 200 OK\r\n(.*\r\n)*Connection: close/);
      }
      for (const request of [list, get('/docs'), get('/livez/x')])
        expect(await answer(await from(address, server), request)).toBe('');
      await once((await from(address, server)).resume(), 'close');
    }
    await expect.poll(() => Promise.all(['address', 'full'].map(server.closed))).toEqual([4, 4]);
    const others: Socket[] = [];
    for (let opened = 0; opened < 40; opened++) others.push(await from('127.0.0.4', server));
    expect(await answer(await from('127.0.0.5', server), get('/livez'))).toBe('HTTP/1.1 200 OK');
    await expect.poll(() => others.filter(isOpen).length).toBe(0);
    await client.query('commit');
    for (const status of await Promise.all(running)) expect(status).toBe('HTTP/1.1 200 OK');
  });
  expect(await answer(await from('127.0.0.4', server), get('/docs'))).toBe('HTTP/1.1 200 OK');
});

test("a trusted proxy's connections are those of all clients: it has no share", async () => {
  const server = await smallServer({ MAX_CONNECTIONS: 8, TRUST_PROXY: (address: string) => address === '127.0.0.2' });
  const open = async (address: string) => {
    const sockets: Socket[] = [];
    while (sockets.length < 8) sockets.push(await from(address, server));
    await answer(sockets[7] as Socket, get('/livez'));
    return sockets.filter(isOpen).length;
  };
  expect([await open('127.0.0.2'), await open('127.0.0.3')]).toEqual([8, 2]);
});
