import { eventually } from '@petstore-platform/testkit/eventually';
import { freePort, type Running } from '@petstore-platform/testkit/server';
import { openTcpProxy } from '@petstore-platform/testkit/tcp-proxy';
import { type CommandLine, petstore } from '../petstore.ts';

export type Fleet = Awaited<ReturnType<typeof startFleet>>;
export type Server = Awaited<ReturnType<typeof startServer>>;

/** Starts servers on one Postgres. All connections to and from them go through proxies with faults to inject. */
export async function startFleet(
  run: AsyncDisposableStack,
  count: number,
  databaseUrl: string,
  environment: Record<string, string> = {},
  { createKey, serve }: CommandLine = petstore,
) {
  const start = () => startServer(run, { DATABASE_URL: databaseUrl, LOG_LEVEL: 'fatal', ...environment }, serve);
  const servers = await Promise.all(Array.from({ length: count }, start));
  return { servers, databaseUrl, apiKey: await createKey(databaseUrl) };
}

async function startServer(
  run: AsyncDisposableStack,
  environment: { DATABASE_URL: string; [name: string]: string },
  serve: CommandLine['serve'],
) {
  const url = new URL(environment.DATABASE_URL);
  /** The connections from the server to Postgres. */
  const database = await openTcpProxy(Number(url.port));
  url.port = String(database.port);
  const port = await freePort();
  /** The connections from clients to the server. */
  const clients = await openTcpProxy(port);
  const variables = { ...environment, PORT: String(port), DATABASE_URL: url.href };
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
  /** Requests `/readyz`. Rejects without a response. */
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
  /** Signals the server, which restarts whenever it exits. */
  const signal = (name: NodeJS.Signals) => void running?.child.kill(name);
  return { clients, database, signal, readiness, ready };
}
