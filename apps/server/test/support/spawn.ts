import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { variables } from '../../src/config.ts';

/** The server as it is deployed: `node dist/main.js`. Whoever starts it here ends it. */

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

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
  script?: string;
  /** Loaded before the script, with a channel to talk to: `child.send()`. */
  preload?: string;
}

/** Starts a command with `environment` and nothing else of its configuration. */
export function spawnServer(args: string[], environment: Record<string, string>, program: Program = {}): Running {
  const { script = main, preload } = program;
  if (!existsSync(script)) throw new Error('Build first: pnpm --filter @petstore/server build');
  const env = { ...process.env };
  for (const name of Object.keys(variables)) delete env[name];
  const child = spawn(process.execPath, [...(preload ? ['--import', preload] : []), script, ...args], {
    env: { ...env, ...environment },
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
      // Postgres may be set up for the first time meanwhile, on a busy machine with a slow disk.
      const deadline = Date.now() + 60_000;
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
