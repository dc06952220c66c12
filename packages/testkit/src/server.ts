import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Runs the built server, `node dist/main.js`, as a child process. The caller ends it. */

const main = fileURLToPath(new URL('../../../apps/server/dist/main.js', import.meta.url));

/** Start timeout in milliseconds, long enough for a busy machine. */
const PATIENCE = 60_000;

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  finished: Promise<Finished>;
  /** Resolves to the match once stdout and stderr together match. Rejects after a minute, or when the process ends. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  /** Stdout and stderr so far. */
  output(): string;
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<Finished>;
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<Finished>;
}

export interface Program {
  /** Default: the server's command line. */
  script?: string | undefined;
  /** A module imported before the script, with an IPC channel: `child.send()`. */
  preload?: string;
}

/** Starts a server command with only `environment` as its configuration. */
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
 * Starts `serve` on a port of 127.0.0.1 and waits until `/readyz` answers 200.
 *
 * @throws Error with the output when the server exits, or is not ready within a minute
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

/**
 * Runs a command of the built server.
 *
 * @returns its output
 * @throws Error with its messages when it fails
 */
export async function runCommand(databaseUrl: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await spawnServer(args, { DATABASE_URL: databaseUrl }).finished;
  if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

/**
 * Issues a key. Requires a migrated database.
 *
 * @param plan - plan and limits, for example `enterprise --per-minute 5 --per-day 10`. Default: limits that no run reaches
 */
export async function createKey(
  databaseUrl: string,
  plan = 'enterprise --per-minute 999999999 --per-day 999999999',
): Promise<{ id: number; key: string }> {
  const args = ['keys', 'create', '--name', 'test', '--json', '--plan', ...plan.split(' ')];
  return JSON.parse(await runCommand(databaseUrl, ...args));
}

export const migrate = (databaseUrl: string): Promise<string> => runCommand(databaseUrl, 'migrate');

/** Finds a free port of 127.0.0.1. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
