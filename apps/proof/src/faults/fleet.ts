import { eventually } from '@petstore-platform/testkit/eventually';
import { freePort, type Running } from '@petstore-platform/testkit/server';
import { openTcpProxy, type TcpProxy } from '@petstore-platform/testkit/tcp-proxy';
import { type CommandLine, petstore } from '../petstore.ts';

/** Servers on one Postgres. All connections to and from the servers go through proxies with faults to inject. */
export interface Fleet {
  servers: Server[];
  databaseUrl: string;
  apiKey: string;
}

export interface Server {
  /** The connections from clients to the server. */
  clients: TcpProxy;
  /** The connections from the server to Postgres. */
  database: TcpProxy;
  /** Signals the server, which restarts whenever it exits. */
  signal(name: NodeJS.Signals): void;
  /** Requests `/readyz`. Rejects without a response. */
  readiness(): Promise<{ ok: boolean; text: string }>;
  ready(): Promise<void>;
}

export async function startFleet(
  run: AsyncDisposableStack,
  count: number,
  databaseUrl: string,
  environment: Record<string, string> = {},
  { createKey, serve }: CommandLine = petstore,
): Promise<Fleet> {
  const start = () => startServer(run, databaseUrl, environment, serve);
  const servers = await Promise.all(Array.from({ length: count }, start));
  return { servers, databaseUrl, apiKey: await createKey(databaseUrl) };
}

async function startServer(
  run: AsyncDisposableStack,
  databaseUrl: string,
  environment: Record<string, string>,
  serve: CommandLine['serve'],
): Promise<Server> {
  const url = new URL(databaseUrl);
  const database = await openTcpProxy(Number(url.port));
  url.port = String(database.port);
  const port = await freePort();
  const clients = await openTcpProxy(port);
  const variables = { PORT: String(port), DATABASE_URL: url.href, LOG_LEVEL: 'fatal', ...environment };
  let running: Running | undefined;
  let stopping = false;
  const supervise = async () => {
    while (!stopping) {
      try {
        running = await serve(variables, '--migrate');
        if (stopping) running.child.kill('SIGKILL');
        await running.finished;
      } catch {
        // The server is not ready, for example without its database. It is started again.
      }
    }
  };
  const supervised = supervise();
  run.defer(async () => {
    stopping = true;
    running?.child.kill('SIGKILL');
    await supervised;
    await Promise.all([clients.cut(), database.cut()]);
  });
  const readiness = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(10_000) });
    return { ok: response.ok, text: await response.text() };
  };
  const ready = () =>
    eventually('a server is not ready', async () => {
      const { ok, text } = await readiness();
      if (!ok) throw new Error(text);
    });
  await ready();
  const signal = (name: NodeJS.Signals) => void running?.child.kill(name);
  return { clients, database, signal, readiness, ready };
}
