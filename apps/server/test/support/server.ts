import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createClient, type ErrorBody, type PetstoreClient } from '@petstore/client';
import { type Config, loadConfig } from '@repo/server-runtime/internal/config';
import type { TestClock } from '@repo/server-runtime/testing';
import { checkedFetch } from '@repo/testkit/contract';
import { type Connection, exchange, openConnection, type RawResponse } from '@repo/testkit/raw';
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { createDatabase, rowsOf } from './database.ts';
import type { DatabaseHandle } from './runtime.ts';
import { insertApiKey, type NewApiKey, type Overrides, openService } from './runtime.ts';

export interface TestServer {
  app: FastifyInstance;
  db: DatabaseHandle;
  databaseUrl: string;
  origin: string;
  port: number;
  /** A key for all tests, with limits that none reaches. */
  apiKey: string;
  /** The real SDK with that key. Validates every response by the contract. */
  petstore: PetstoreClient;
  createKey(options?: Partial<NewApiKey>): Promise<{ id: number; key: string }>;
  /** `fetch` on a path of this server, by default with `apiKey`. Validates the response by the contract. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** The same without a key, from a new address, because of the limit per address. */
  anonymous(path: string, init?: RequestInit): Promise<Response>;
  /** Sends bytes and reads until the server closes the connection. Validates responses by the contract. */
  raw(request: string | Buffer): Promise<RawResponse>;
  /** Opens a raw connection, closed when the running test ends. */
  connect(): Promise<Connection>;
  close(): Promise<void>;
}

export interface Options extends Omit<Overrides, 'clock'> {
  /** Default: a new one, dropped with the server. */
  databaseUrl?: string;
  config?: Partial<Config>;
  /** Default: the clock of Postgres. */
  clock?: TestClock;
}

/** The production server on a free port with a database of its own. Trusts one proxy. */
export async function startServer(options: Options = {}): Promise<TestServer> {
  const { databaseUrl, config, clock, ...overrides } = options;
  const database = databaseUrl ? { url: databaseUrl, drop: async () => {} } : await createDatabase();
  const defaults = loadConfig({ DATABASE_URL: database.url, LOG_LEVEL: 'silent', TRUST_PROXY: '1' });
  const service = await openService(
    { ...defaults, ...config },
    clock ? { ...overrides, clock: clock.beside() } : overrides,
  );
  const { app, db } = service;
  await clock?.install(db);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const createKey = (newKey: Partial<NewApiKey> = {}) =>
    insertApiKey(db, { name: 'test', plan: 'business', ...newKey });
  const { key: apiKey } = await createKey({ plan: 'enterprise', perMinute: 1_000_000, perDay: 1_000_000 });
  const send = (path: string, init: RequestInit, defaultHeaders: Record<string, string>) => {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(defaultHeaders)) if (!headers.has(name)) headers.set(name, value);
    return checkedFetch(`${origin}${path}`, { ...init, headers });
  };
  return {
    app,
    db,
    databaseUrl: database.url,
    origin,
    port,
    apiKey,
    petstore: createClient({ apiKey, baseUrl: `${origin}/v1`, fetch: checkedFetch, maxRetries: 0 }),
    createKey,
    request: (path, init = {}) =>
      send(path, init, { Authorization: `Bearer ${apiKey}`, 'X-Forwarded-For': someAddress() }),
    anonymous: (path, init = {}) => send(path, init, { 'X-Forwarded-For': someAddress() }),
    raw: (request) => exchange(port, request),
    async connect() {
      const connection = await openConnection(port);
      onTestFinished(() => connection.destroy());
      return connection;
    },
    async close() {
      await app.close();
      await service.close();
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

/** The validated body of a failure. */
export async function errorOf(response: Response): Promise<ErrorBody> {
  return (await response.json()) as ErrorBody;
}

/** The number of stored animals. */
export async function countAnimals({ db }: TestServer): Promise<number> {
  const [row] = await rowsOf<{ animals: number }>(db, 'select count(*) as animals from pets');
  return row?.animals ?? 0;
}

/** A unique client address. */
export function someAddress(): string {
  return `10.${[...randomBytes(3)].join('.')}`;
}
