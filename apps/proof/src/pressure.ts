import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@petstore/client';
import { requestsOf } from '@petstore-platform/testkit/http-cases';
import { TIMEOUT } from '@petstore-platform/testkit/raw-cases';
import { startNginx } from './nginx.ts';
import { pets } from './petstore.ts';
import type { Part, Row } from './report.ts';
import { type Run, type Service, startService } from './service.ts';

/** Slow clients of nginx must not affect other clients. */

/** Connections of slow clients: more than the server's MAX_REQUESTS. */
const CLIENTS = 1_100;
/** The most resident memory of the server, in bytes: that of its container. */
const MEMORY = 512 * 2 ** 20;
/** Limits the heap as Node.js does in a container of 512 MiB. */
const HEAP = '--max-old-space-size=256';
/** Milliseconds of regular calls beside the slow clients. */
const DURATION = 2_000;

export async function provePressure({ run, onProgress }: Run): Promise<Part | undefined> {
  const service = await startService(run, { TRUST_PROXY: '127.0.0.1', NODE_OPTIONS: HEAP });
  const port = await startNginx(run, service.port, 8_192);
  if (!port) return undefined;
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
  for (const [doing, bytes] of attacks) await add(`Clients that ${doing}`, beside(service, port, bytes));
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

/** Each client has its own address, because the server limits the documents of an address. */
async function openSilent(port: number, bytes: string | Buffer, client: number): Promise<Socket> {
  const localAddress = `127.0.${1 + (client >> 8)}.${client & 255}`;
  const socket = connect({ port, host: '127.0.0.1', localAddress }).pause();
  await once(socket, 'connect');
  socket.on('error', () => {});
  socket.write(bytes);
  return socket;
}
