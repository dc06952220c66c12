import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { until } from './eventually.ts';

/** Runs a service's command line as a child process. The caller ends it. */

export type Running = ReturnType<typeof spawnServer>;
export type Finished = Awaited<Running['finished']>;
export type Serving = Awaited<ReturnType<typeof serve>>;

/** A service's command line. */
export interface Program {
  /** The path of its script. */
  script: string;
  /** Options of Node.js, such as `--conditions=source`. Default: none */
  options?: string[];
}

/** Starts a command of a service with only `environment` as its configuration. @param input - its standard input */
export function spawnServer(args: string[], environment: Record<string, string>, program: Program, input?: string) {
  const { script, options = [] } = program;
  if (!existsSync(script)) throw new Error(`Build first: pnpm build. There is no ${script}`);
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [...options, script, ...args], {
    env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, ...environment },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  child.stdin?.end(input);
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
    /** Stdout and stderr so far. */
    output: () => all,
    /** Resolves to the match once stdout and stderr together match. Rejects after a minute, or when the process ends. */
    waitFor(pattern: RegExp) {
      const failure = () => `no ${pattern} in: ${all}`;
      const match = () => {
        const found = pattern.exec(all);
        if (!found && hasEnded(child)) throw new Error(failure());
        return found;
      };
      return until(match, failure);
    },
    /** Sends SIGTERM and waits for the exit. */
    stop: () => end('SIGTERM'),
    /** Sends SIGKILL and waits for the exit. */
    kill: () => end('SIGKILL'),
  };
}

/**
 * Starts `serve`, and waits until it listens on a free port, which its log tells, or until `/readyz` of a given `PORT` answers 200.
 *
 * @param options - of `serve`, such as `--migrate`
 * @throws Error with the output when the server exits, or is not ready within a minute
 */
export async function serve(environment: Record<string, string>, program: Program, ...options: string[]) {
  const { PORT } = environment;
  const server = spawnServer(['serve', ...options], { PORT: '0', ...environment }, program);
  const isReady = async () => {
    const response = await fetch(`http://127.0.0.1:${PORT}/readyz`).catch(() => undefined);
    await response?.body?.cancel();
    return response?.ok;
  };
  const failure = () => `The server did not get ready: ${server.output()}`;
  const findOrigin = async () => {
    const [, logged] = /Server listening at (http:[^"]+)/.exec(server.output()) ?? [];
    const origin = PORT ? (await isReady()) && `http://127.0.0.1:${PORT}` : logged;
    if (!origin && hasEnded(server.child)) throw new Error(failure());
    return origin;
  };
  try {
    const origin = await until(findOrigin, failure);
    return Object.assign(server, { origin, port: Number(new URL(origin).port) });
  } catch (error) {
    await server.kill();
    throw error;
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

/** The commands of one service, for callers that start no other. */
export function commandLineOf(program: Program) {
  /** @throws Error with its messages when it fails */
  async function outputOf(databaseUrl: string, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await spawnServer(args, { DATABASE_URL: databaseUrl }, program).finished;
    if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
    return stdout;
  }
  const limits = ['--per-minute', '999999999', '--per-day', '999999999'];
  const create = ['keys', 'create', '--name', 'test', '--json', '--plan', 'enterprise', ...limits];
  return {
    migrate: (databaseUrl: string) => outputOf(databaseUrl, 'migrate'),
    /** Issues a key with limits that no run reaches. Requires a migrated database. */
    createKey: async (databaseUrl: string): Promise<string> => JSON.parse(await outputOf(databaseUrl, ...create)).key,
    serve: (environment: Record<string, string>, ...options: string[]) => serve(environment, program, ...options),
  };
}

/** Listens on a port of 127.0.0.1, by default a free one, and resolves to the port. */
export async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/**
 * Finds a free port of 127.0.0.1, below those that a system gives to connections and to listeners on port 0: one of them could take it
 * before the caller does, and answer in the place of the caller's server.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer();
    const port = await listen(server, randomInt(10_000, 32_768)).catch((error) => {
      if (error.code !== 'EADDRINUSE') throw error;
    });
    if (port === undefined) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
