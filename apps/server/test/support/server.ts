import { type AddressInfo, connect } from 'node:net';
import { createClient, type PetstoreClient } from '@petstore/client';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { onTestFinished } from 'vitest';
import { insertApiKey, type NewApiKey } from '../../src/api-keys/queries.ts';
import { buildApp, type Dependencies } from '../../src/app.ts';
import { type Config, loadConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/database.ts';
import type { Database } from '../../src/database/schema.ts';
import { checkedFetch, expectContract } from './contract.ts';
import { createDatabase } from './database.ts';

export interface TestServer {
  app: FastifyInstance;
  db: Kysely<Database>;
  databaseUrl: string;
  origin: string;
  /** Of a business key that every test may use. */
  apiKey: string;
  /** The real SDK with that key. It compares every response with the contract. */
  petstore: PetstoreClient;
  createKey(options?: Partial<NewApiKey>): Promise<{ id: number; key: string }>;
  /** `fetch` on a path of this server with `apiKey`, unless the headers say otherwise. Compared with the contract, too. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Bytes in, what comes back until the server closes the connection. Error bodies are compared with the contract. */
  raw(request: string | Buffer): Promise<RawResponse>;
  close(): Promise<void>;
}

export interface RawResponse {
  status: number;
  headers: Headers;
  body: string;
  /** Everything that arrived. */
  text: string;
}

export interface Options extends Partial<Omit<Dependencies, 'db'>> {
  /** Default: a new one, dropped with the server. */
  databaseUrl?: string;
  config?: Partial<Config>;
}

/** The server as in production, listening on a free port, on a database of its own. */
export async function startServer({ databaseUrl, config, ...dependencies }: Options = {}): Promise<TestServer> {
  const database = databaseUrl ? { url: databaseUrl, drop: async () => {} } : await createDatabase();
  const db = openDatabase(database.url);
  const app = await buildApp({ ...loadConfig({ LOG_LEVEL: 'silent' }), ...config }, { db, ...dependencies });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const createKey = (options: Partial<NewApiKey> = {}) => insertApiKey(db, { name: 'test', plan: 'business', ...options });
  const { key: apiKey } = await createKey();
  return {
    app,
    db,
    databaseUrl: database.url,
    origin,
    apiKey,
    petstore: createClient({ apiKey, baseUrl: `${origin}/v1`, fetch: checkedFetch }),
    createKey,
    request: (path, init = {}) =>
      checkedFetch(`${origin}${path}`, { ...init, headers: { Authorization: `Bearer ${apiKey}`, ...init.headers } }),
    raw: (request) => exchange(port, request),
    async close() {
      await app.close();
      await db.destroy();
      await database.drop();
    },
  };
}

/** Like {@link startServer}, closed when the running test ends. */
export async function temporaryServer(options?: Options): Promise<TestServer> {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return server;
}

async function exchange(port: number, request: string | Buffer): Promise<RawResponse> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(request);
  const chunks: Buffer[] = [];
  for await (const chunk of socket.setTimeout(10_000, () => socket.destroy(new Error('no answer')))) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1]);
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/, 2) as [string, string]));
  if (status >= 400) expectContract('-', '/', { status, headers }, body);
  return { status, headers, body, text };
}
