import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../../server/test/support/postgres.ts';
import { type Program, type Running, spawnServer } from '../../server/test/support/spawn.ts';
import { endedWithRun } from './cleanup.ts';
import type { Ask, Sample } from './probe.ts';

/** One server as it is deployed, beside a Postgres of its own, looked at from within. */
export interface Service {
  origin: string;
  port: number;
  /** With limits that no run reaches. */
  apiKey: string;
  /** What the server holds, after a collection of garbage if asked for. */
  sample(ask?: Ask): Promise<Sample & { files: number }>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** Default: the server itself. */
  script?: string | undefined;
  environment?: Record<string, string> | undefined;
}

/** So many refusals are part of the runs that nobody may be banned for them. */
const ENVIRONMENT = { LOG_LEVEL: 'warn', BAN_AFTER: '9999999' };

/**
 * For runs that ask what the answer to each request is: none is refused because this machine is busy, and each may come from
 * an address of its own, of which requests without a key are counted.
 */
export const UNDISTURBED = { MAX_REQUESTS: '0', MAX_EVENT_LOOP_DELAY: '0', TRUST_PROXY: '1' };

const probe = fileURLToPath(new URL('./probe.ts', import.meta.url));

export async function startService({ script, environment = {} }: ServiceOptions = {}): Promise<Service> {
  const postgres = await startPostgres();
  let server: Running | undefined;
  const stop = endedWithRun(async () => {
    await server?.stop();
    await postgres.close();
  });
  try {
    const apiKey = await createKey(postgres.url);
    const port = await freePort();
    const variables = { DATABASE_URL: postgres.url, ...environment };
    const running = await serve(port, variables, { preload: probe, ...(script && { script }) });
    server = running;
    return {
      origin: `http://127.0.0.1:${port}`,
      port,
      apiKey,
      async sample(ask = { collect: false }) {
        const answer = once(running.child, 'message');
        running.child.send(ask);
        const [sample] = (await answer) as [Sample];
        return { ...sample, files: await openFiles(running.child.pid as number) };
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Starts the server on a port, and waits until it is ready.
 *
 * @throws Error when it ends instead, or is not ready within 20 seconds
 */
export async function serve(
  port: number,
  environment: Record<string, string>,
  program: Program = {},
): Promise<Running> {
  const server = spawnServer(['serve'], { ...ENVIRONMENT, PORT: String(port), ...environment }, program);
  const deadline = Date.now() + 20_000;
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return server;
    const { exitCode, signalCode } = server.child;
    if (exitCode !== null || signalCode !== null || Date.now() > deadline) {
      await server.kill();
      throw new Error(`The server did not get ready: ${server.output()}`);
    }
    await delay(50);
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A key with limits that no run reaches, issued as an operator does. */
export async function createKey(databaseUrl: string): Promise<string> {
  const limits = ['--plan', 'enterprise', '--per-minute', '999999999', '--per-day', '999999999'];
  const args = ['keys', 'create', '--name', 'proof', ...limits, '--json'];
  const { code, stdout, stderr } = await spawnServer(args, { DATABASE_URL: databaseUrl }).finished;
  if (code !== 0) throw new Error(`keys create: ${stderr}`);
  return JSON.parse(stdout).key;
}

/** Open files and sockets of a process; 0 where the system does not tell. */
async function openFiles(pid: number): Promise<number> {
  return process.platform === 'linux' ? (await readdir(`/proc/${pid}/fd`)).length : 0;
}
