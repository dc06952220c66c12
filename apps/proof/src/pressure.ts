import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@petstore/client';
import { requestsOf } from '@petstore-platform/testkit/http-cases';
import { startNginx } from '@petstore-platform/testkit/nginx';
import { TIMEOUT } from '@petstore-platform/testkit/raw-cases';
import { pets } from './petstore.ts';
import type { Part, Row } from './report.ts';
import { type Run, type Service, startService } from './service.ts';

/** Slow and idle clients of nginx must not affect other clients. */

/** Connections of slow clients: more than the server's MAX_REQUESTS. */
const CLIENTS = 1_100;
/** The most resident memory of the server, in bytes: that of its container. */
const MEMORY = 512 * 2 ** 20;
/** Limits the heap as Node.js does in a container of 512 MiB. */
const HEAP = '--max-old-space-size=256';
/** Idle connections: more than nginx has. */
const IDLE = 6_000;
/** The longest that another client may wait beside them, in milliseconds. */
const PATIENCE_BESIDE_IDLE = 1_000;
/** Milliseconds of regular calls beside the slow clients. */
const DURATION = 2_000;

export async function provePressure({ run, onProgress }: Run): Promise<Part | undefined> {
  const service = await startService(run, { TRUST_PROXY: '127.0.0.1', NODE_OPTIONS: HEAP });
  const nginx = await startNginx(service.port, 8_192);
  if (!nginx) return undefined;
  run.defer(nginx.stop);
  const { get, post, framed, kept } = requestsOf(service.apiKey, pets);
  await fillFirstPage(service);
  const rows: Row[] = [];
  const add = async (what: string, result: Promise<Omit<Row, 'what'>>) => {
    const failed = (error: Error) => ({ tried: 1, failures: [service.end() ?? error.message], note: 'given up' });
    const row = { what, ...(await result.catch(failed)) };
    onProgress(`${what}: ${row.failures.length} failures; ${row.note}`);
    rows.push(row);
  };
  const page = (after: number) =>
    kept(`/v1/pets?limit=100&cursor=${Buffer.from(`listPets:${after}.`).toString('base64url')}`);
  const pages = Array.from({ length: 100 }, (_, index) => page(-index)).join('');
  // Requests for a document are pipelined on each connection.
  const documents = await largeDocuments(service);
  const attacks: [doing: string, bytes: () => string | Buffer][] = [
    ...documents.map((target): [string, () => string] => [`do not read ${target}`, () => kept(target).repeat(10)]),
    ['do not read a page', () => page(0)],
    ['pipeline 100 pages and do not read', () => pages],
    ['withhold the end of a large body', () => post(' '.repeat(63_000)).subarray(0, -1)],
    ['withhold a body', () => framed(['Content-Length: 99'], '{')],
    ['withhold a chunk', () => framed(['Transfer-Encoding: chunked'], '9\r\n{')],
    ['withhold the end of a request', () => get('/v1/pets').slice(0, -2)],
    ['pipeline 200 requests', () => kept('/v1/nowhere').repeat(200)],
  ];
  for (const [doing, bytes] of attacks) await add(`Clients that ${doing}`, beside(service, nginx.port, bytes));
  for (const addresses of [1, 64])
    await add(`Idle connections from ${addresses} of 127.0.0.0/8`, besideIdle(service, addresses));
  return { name: 'Pressure', rows };
}

async function fillFirstPage({ origin, apiKey }: Service): Promise<void> {
  const petstore = createClient({ apiKey, baseUrl: `${origin}/v1` });
  const pets = Array.from({ length: 100 }, () => petstore.createPet({ name: '\u0001'.repeat(255), categoryId: 7 }));
  await Promise.all(pets);
}

/** Paths of the OpenAPI document and of the reference page's scripts. */
async function largeDocuments({ origin }: Service): Promise<string[]> {
  const page = await (await fetch(`${origin}/docs`)).text();
  const scripts = [...page.matchAll(/<script[^<>]+src="([^"]+)"/g)].map(
    ([, src = '']) => new URL(src, `${origin}/docs/`),
  );
  if (scripts.length === 0) throw new Error('the page of the server loads no script');
  return ['/openapi.json', ...scripts.map(({ pathname }) => pathname)];
}

/** Calls the API beside many clients that send these bytes and then neither read nor write. */
async function beside(service: Service, port: number, bytes: () => string | Buffer): Promise<Omit<Row, 'what'>> {
  const { apiKey, sample } = service;
  const origin = `http://127.0.0.1:${port}`;
  const petstore = createClient({ apiKey, baseUrl: `${origin}/v1`, maxRetries: 0, timeout: TIMEOUT });
  const before = await sample();
  const sockets: Socket[] = [];
  while (sockets.length < CLIENTS) {
    // These are sent one at a time: a burst would be refused as overload.
    sockets.push(await openSilent(port, bytes(), sockets.length));
    if (sockets.length % 50 === 0) await petstore.listPets({ limit: 1 }).catch(() => {});
  }
  const errors = new Map<string, string>();
  let calls = 0;
  let slowest = 0;
  const end = performance.now() + DURATION;
  while (performance.now() < end) {
    const begin = performance.now();
    const call = petstore.createPet({ name: 'Biscuit', categoryId: calls++ });
    await call.catch(({ code, message }) => errors.set(code, message));
    slowest = Math.max(slowest, performance.now() - begin);
    await delay(20);
  }
  const { rss } = await sample();
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  const failures = [...errors.values()];
  if (rss > MEMORY) failures.push(`memory grows to ${megabytes(rss)}`);
  for (const socket of sockets) socket.resetAndDestroy();
  // The server answers this call after their requests, which would otherwise delay the next check.
  await petstore.listPets({ limit: 1 });
  const note = `${calls} calls beside, the slowest ${slowest.toFixed(0)} ms; memory ${megabytes(before.rss)} → ${megabytes(rss)}`;
  return { tried: CLIENTS, failures, note };
}

/** Calls the API on new connections, beside clients that open connections to an nginx as Debian configures it, and send nothing. */
async function besideIdle(service: Service, addresses: number) {
  const nginx = await startNginx(service.port);
  if (!nginx) throw new Error('nginx is missing');
  const { port } = nginx;
  const origin = `http://127.0.0.1:${port}`;
  const sockets: Socket[] = [];
  const flood = async () => {
    while (sockets.length < IDLE) {
      const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${(sockets.length % addresses) + 1}` });
      socket.on('error', () => {});
      sockets.push(socket);
      await once(socket, 'connect').catch(() => {});
    }
  };
  const flooded = Promise.all(Array.from({ length: 16 }, flood));
  const failures: string[] = [];
  let calls = 0;
  let slowest = 0;
  const headers = { Authorization: `Bearer ${service.apiKey}`, Connection: 'close' };
  const ask = async (path: string) => {
    const begin = performance.now();
    const { status } = await fetch(`${origin}${path}`, { headers, signal: AbortSignal.timeout(TIMEOUT) });
    if (status !== 200) failures.push(`${path} answered ${status}`);
    calls += 1;
    slowest = Math.max(slowest, performance.now() - begin);
    await delay(20);
  };
  for (const end = performance.now() + DURATION; performance.now() < end; )
    for (const path of ['/livez', '/v1/pets?limit=1'])
      await ask(path).catch(({ cause, message }) => failures.push(`${path}: ${cause?.message ?? message}`));
  await flooded;
  await ask('/livez').catch(({ message }) => failures.push(message));
  if (slowest > PATIENCE_BESIDE_IDLE) failures.push(`a stranger waits ${slowest.toFixed(0)} ms`);
  for (const socket of sockets) socket.resetAndDestroy();
  await nginx.stop();
  return { tried: IDLE, failures, note: `${calls} new connections beside, the slowest ${slowest.toFixed(0)} ms` };
}

/** Each client has its own address, because the server limits the documents of an address. */
async function openSilent(port: number, bytes: string | Buffer, client: number): Promise<Socket> {
  const localAddress = `127.0.${1 + (client >> 8)}.${client & 255}`;
  const socket = connect({ port, host: '127.0.0.1', localAddress }).pause();
  await once(socket, 'connect');
  socket.on('error', () => {});
  socket.write(bytes);
  return socket;
}
