import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The server as it is deployed: `node dist/main.js`, a process of its own. The caller ends it. */

const main = fileURLToPath(new URL('../../../apps/server/dist/main.js', import.meta.url));

/** A server becomes ready within this time in milliseconds, on a busy machine, too. */
const PATIENCE = 60_000;

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  finished: Promise<Finished>;
  /** Everything on stdout and stderr so far, once it matches. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  /** Everything on stdout and stderr so far. */
  output(): string;
  /** Sends SIGTERM, and waits for the end. */
  stop(): Promise<Finished>;
  /** Sends SIGKILL, and waits for the end. */
  kill(): Promise<Finished>;
}

export interface Program {
  /** Default: the server's command line. */
  script?: string | undefined;
  /** Loaded before the script, with a channel to talk to: `child.send()`. */
  preload?: string;
}

/** Starts a command with `environment` and no other configuration. */
export function spawnServer(args: string[], environment: Record<string, string>, program: Program = {}): Running {
  const { script = main, preload } = program;
  if (!existsSync(script)) throw new Error('Build first: pnpm --filter @petstore/server build');
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(process.execPath, [...(preload ? ['--import', preload] : []), script, ...args], {
    env: { PATH, HOME, TMPDIR, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', ...(preload ? (['ipc'] as const) : [])],
  });
  const chunks = { stdout: '', stderr: '' };
  let all = '';
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      chunks[name] += text;
      all += text;
    });
  }
  const finished = once(child, 'close').then(([code]) => ({ code: code as number | null, ...chunks }));
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return finished;
  };
  return {
    child,
    finished,
    output: () => all,
    async waitFor(pattern) {
      const deadline = Date.now() + PATIENCE;
      for (;;) {
        const match = pattern.exec(all);
        if (match) return match;
        if (child.exitCode !== null || Date.now() > deadline) throw new Error(`no ${pattern} in: ${all}`);
        await delay(20);
      }
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/**
 * Starts `serve` on a port of 127.0.0.1, and waits until it is ready.
 *
 * @throws Error with its output when it ends instead, or is not ready within a minute
 */
export async function serve(port: number, environment: Record<string, string>, program?: Program): Promise<Running> {
  const server = spawnServer(['serve'], { PORT: String(port), ...environment }, program);
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return server;
    const { exitCode, signalCode } = server.child;
    if (exitCode !== null || signalCode !== null || Date.now() > deadline) {
      const { stdout, stderr } = await server.kill();
      throw new Error(`The server did not get ready: ${stdout}${stderr}`);
    }
    await delay(50);
  }
}

/** Issues a key with limits that no run reaches, as an operator does. The database has to be migrated. */
export async function createKey(databaseUrl: string): Promise<string> {
  const limits = ['--plan', 'enterprise', '--per-minute', '999999999', '--per-day', '999999999'];
  const args = ['keys', 'create', '--name', 'test', ...limits, '--json'];
  const { code, stdout, stderr } = await spawnServer(args, { DATABASE_URL: databaseUrl }).finished;
  if (code !== 0) throw new Error(`keys create: ${stderr}`);
  return JSON.parse(stdout).key;
}

/** Brings a database up to the version of the build. */
export async function migrate(databaseUrl: string): Promise<void> {
  const { code, stderr } = await spawnServer(['migrate'], { DATABASE_URL: databaseUrl }).finished;
  if (code !== 0) throw new Error(`migrate: ${stderr}`);
}

/** A port of 127.0.0.1 that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
