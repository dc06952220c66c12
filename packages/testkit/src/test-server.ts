import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { Contract } from './contract.ts';
import { exchange, openConnection } from './raw.ts';

/** Starts servers in the process of the tests, and sends requests to them. */

interface Listening {
  origin: string;
  /** The origins of further servers on the same database. Requests go to all servers in turn. */
  others?: readonly string[];
  port: number;
  apiKey: string;
  close(): Promise<void>;
}

/** The servers of a service, each on a database of its own unless the options have a `databaseUrl`. */
export function serversOf<Options, Server extends Listening, Client>(service: {
  createDatabase(): Promise<{ url: string; drop(): Promise<void> }>;
  start(databaseUrl: string, options: Options): Promise<Server>;
  contract: Contract;
  /** The real SDK, under its name. */
  clientOf(server: Server): Client;
}) {
  type Started = Server & ReturnType<typeof requestsTo> & Client & { databaseUrl: string };

  async function startServer(options = {} as Options & { databaseUrl?: string }): Promise<Started> {
    const { databaseUrl, ...others } = options;
    const database = databaseUrl ? { url: databaseUrl, drop: async () => {} } : await service.createDatabase();
    const server = await service.start(database.url, others as Options);
    const close = async () => {
      await server.close();
      await database.drop();
    };
    return {
      ...server,
      ...requestsTo(server, service.contract),
      ...service.clientOf(server),
      databaseUrl: database.url,
      close,
    };
  }

  /** Like `startServer`, closed when the running test ends. */
  async function temporaryServer(options?: Options & { databaseUrl?: string }): Promise<Started> {
    const server = await startServer(options);
    onTestFinished(() => server.close());
    return server;
  }

  /** A server for the tests of a file or group, which fill in its properties. @param options - called before the first test */
  function sharedServer(options?: () => Options & { databaseUrl?: string }): Started {
    const server = {} as Started;
    beforeAll(async () => void Object.assign(server, await startServer(options?.())));
    afterAll(() => server.close?.());
    return server;
  }

  return { startServer, temporaryServer, sharedServer };
}

/** A function that returns the origins of servers in turn. */
export function inTurn({ origin, others = [] }: Pick<Listening, 'origin' | 'others'>): () => string {
  const origins = [origin, ...others];
  let turn = 0;
  return () => origins[turn++ % origins.length] as string;
}

function requestsTo(server: Listening, contract: Contract) {
  const { port, apiKey } = server;
  const next = inTurn(server);
  const send = (path: string, init: RequestInit, defaultHeaders: Record<string, string>) => {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(defaultHeaders)) if (!headers.has(name)) headers.set(name, value);
    return contract.checkedFetch(`${next()}${path}`, { ...init, headers });
  };
  return {
    /** `fetch` on a path of the server, by default with `apiKey`. Validates the response by the contract. */
    request: (path: string, init: RequestInit = {}) =>
      send(path, init, { Authorization: `Bearer ${apiKey}`, 'X-Forwarded-For': someAddress() }),
    /** Like `request`, but without a key, and from a new address because of the limit per address. */
    anonymous: (path: string, init: RequestInit = {}) => send(path, init, { 'X-Forwarded-For': someAddress() }),
    call: callTo(server, contract.checkedFetch),
    /** Sends bytes and reads until the server closes the connection. Validates responses by the contract. */
    raw: (request: string | Buffer) => exchange(port, request, contract),
    /** Opens a raw connection, closed when the running test ends. */
    async connect() {
      const connection = await openConnection(port);
      onTestFinished(() => connection.destroy());
      return connection;
    },
  };
}

/** A function that sends JSON to a path of `/v1`, and reads the response. */
export function callTo(
  { apiKey, ...servers }: Pick<Listening, 'origin' | 'others' | 'apiKey'>,
  send: (url: string, init: RequestInit) => Promise<Response> = fetch,
) {
  const next = inTurn(servers);
  return async (method: string, path: string, body?: object, idempotencyKey?: string, key = apiKey) => {
    const response = await send(`${next()}/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body && { 'Content-Type': 'application/json' }),
        ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { status, headers } = response;
    const text = await response.text();
    // biome-ignore lint/suspicious/noExplicitAny: any JSON
    const json: any = text ? JSON.parse(text) : undefined;
    return { status, json, text, link: headers.get('Link'), etag: headers.get('ETag') };
  };
}

interface Credential {
  kind: string;
  in: string;
  name?: string;
  scopes?: readonly string[];
}

interface Issuing {
  apiKey: string;
  createKey(newKey: { scopes: readonly string[] }): Promise<{ key: string }>;
  tokenOf(claims: { scope: string }): Promise<string>;
}

/** A request of an operation with the first credentials that it takes, from a new address because of the limit per address. */
export async function authorized(
  { apiKey, createKey, tokenOf }: Issuing,
  target: string,
  {
    security: [credentials = []] = [[{ kind: 'key', in: 'bearer' }]],
  }: { security?: readonly (readonly Credential[])[] | undefined },
): Promise<{ target: string; headers: Headers }> {
  const headers = new Headers({ 'X-Forwarded-For': someAddress() });
  let url = target;
  for (const { kind, in: place, name = 'Authorization', scopes = [] } of credentials) {
    const isKey = kind === 'key';
    const scoped = isKey && scopes.length > 0 ? (await createKey({ scopes })).key : apiKey;
    const secret = isKey ? scoped : await tokenOf({ scope: scopes.join(' ') });
    if (place === 'query') url += `${url.includes('?') ? '&' : '?'}${encodeURIComponent(name)}=${secret}`;
    else if (place === 'cookie') headers.append('Cookie', `${name}=${secret}`);
    else if (place === 'basic') headers.set(name, `Basic ${btoa(`${secret}:`)}`);
    else headers.set(name, place === 'bearer' ? `Bearer ${secret}` : secret);
  }
  return { target: url, headers };
}

/** The validated body of a failure. */
export const errorOf = async (response: Response) => (await response.json()) as Failure;

interface Failure {
  status: number;
  code: string;
  message: string;
  errors?: { pointer: string; message: string }[];
}

/** A unique client address. */
export const someAddress = () => `10.${[...randomBytes(3)].join('.')}`;
