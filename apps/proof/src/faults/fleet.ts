import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Link, openLink } from '@petstore/testkit/link';
import { startPostgres } from '@petstore/testkit/postgres';
import { createKey, freePort, migrate, type Running, serve } from '@petstore/testkit/server';
import pg from 'pg';
import { endedWithRun } from '../cleanup.ts';
import { ENVIRONMENT } from '../service.ts';
import type { Animal } from './history.ts';

/** Servers beside one Postgres. Every connection between them, and to their clients, leads over a link that can fail. */
export interface Fleet {
  servers: Server[];
  postgres: Postgres;
  apiKey: string;
  /** Everything that is stored, as the database has it. */
  stored(): Promise<Animal[]>;
  stop(): Promise<void>;
}

export interface Server {
  name: string;
  /** From its clients. */
  clients: Link;
  /** To Postgres. */
  database: Link;
  /** It is started again when it ends, as by any supervisor. */
  signal(name: NodeJS.Signals): void;
  ready(): Promise<void>;
}

export interface Postgres {
  /** It is started again when it ends. */
  signal(name: NodeJS.Signals): void;
  /** To it and all processes that it started. */
  signalAll(name: NodeJS.Signals): void;
  /** Kills a process that serves a server of ours: Postgres then ends all connections and recovers. */
  killBackend(): Promise<void>;
  ready(): Promise<void>;
}

/** How long in milliseconds what was broken may take to work again. */
const RECOVERY = 60_000;

export async function startFleet(
  count: number,
  script?: string,
  environment: Record<string, string> = {},
): Promise<Fleet> {
  const cluster = await startPostgres();
  const servers: (Server & { stop(): Promise<void> })[] = [];
  const postgres = controlPostgres(cluster);
  const stop = endedWithRun(async () => {
    // Frozen, it would not hear that it is to end.
    if (process.platform === 'linux') postgres.signalAll('SIGCONT');
    await Promise.all(servers.map((server) => server.stop()));
    await cluster.close();
  });
  try {
    await migrate(cluster.url);
    const apiKey = await createKey(cluster.url);
    for (let index = 0; index < count; index++) {
      servers.push(await startServer(`server ${index + 1}`, cluster.url, script, environment));
    }
    const stored = () =>
      query<Animal>(
        cluster.url,
        'select id::float8, name, category_id::float8 as "categoryId", status from pets order by id',
      );
    return {
      servers,
      postgres,
      apiKey,
      stored: async () => (await stored()).map(({ status, ...animal }) => (status ? { ...animal, status } : animal)),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startServer(
  name: string,
  databaseUrl: string,
  script: string | undefined,
  environment: Record<string, string>,
): Promise<Server & { stop(): Promise<void> }> {
  const url = new URL(databaseUrl);
  const database = await openLink(Number(url.port));
  url.port = String(database.port);
  const port = await freePort();
  const clients = await openLink(port);
  const variables = { ...ENVIRONMENT, DATABASE_URL: url.href, LOG_LEVEL: 'fatal', ...environment };
  let running: Running | undefined;
  let stopping = false;
  const supervise = async () => {
    while (!stopping) {
      try {
        running = await serve(port, variables, { script });
        if (stopping) running.child.kill('SIGKILL');
        await running.finished;
      } catch {
        // It did not get ready, as without its database: again.
      }
    }
  };
  const supervised = supervise();
  const server = {
    name,
    clients,
    database,
    signal: (signal: NodeJS.Signals) => void running?.child.kill(signal),
    ready: () =>
      untilReady(name, async () => {
        const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(1_000) });
        const text = await response.text();
        if (!response.ok) throw new Error(text);
      }),
    async stop() {
      stopping = true;
      running?.child.kill('SIGKILL');
      await supervised;
      await Promise.all([clients.cut(), database.cut()]);
    },
  };
  await server.ready();
  return server;
}

function controlPostgres({ url, dataDir }: { url: string; dataDir: string }): Postgres {
  const postmaster = () =>
    Number(readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n', 1)[0]);
  return {
    signal: (name) => process.kill(postmaster(), name),
    signalAll(name) {
      const pid = postmaster();
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
      for (const each of [pid, ...children.map(Number)]) if (each) signalIfThere(each, name);
    },
    async killBackend() {
      const backends = `select pid from pg_stat_activity where application_name = 'petstore-server' limit 1`;
      const [backend] = await query<{ pid: number }>(url, backends);
      if (backend) signalIfThere(backend.pid, 'SIGKILL');
    },
    ready: () => untilReady('Postgres', () => query(url, 'select 1')),
  };
}

/** Backends come and go: one may have ended since it was seen. */
function signalIfThere(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function query<Row>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(statement)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

async function untilReady(name: string, attempt: () => Promise<unknown>): Promise<void> {
  const deadline = Date.now() + RECOVERY;
  for (;;) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw new Error(`${name} does not recover: ${(error as Error).message}`);
    }
    await delay(100);
  }
}
