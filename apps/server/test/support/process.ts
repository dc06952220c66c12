import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { variables } from '../../src/config.ts';

/** The server as it is deployed: `node dist/main.js`. */

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  /** Everything on stdout and stderr so far, once it matches. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  /** Everything on stdout and stderr so far. */
  output(): string;
  /** Sends SIGTERM, and waits for the end. */
  stop(): Promise<Finished>;
  /** Sends SIGKILL, and waits for the end. */
  kill(): Promise<Finished>;
}

/** Starts a command with `environment` and nothing else of its configuration. Killed when the running test ends. */
export function start(args: string[], environment: Record<string, string>): Running & { finished: Promise<Finished> } {
  const child = spawnMain(args, environment);
  onTestFinished(() => void child.kill('SIGKILL'));
  const chunks = { stdout: '', stderr: '' };
  let all = '';
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      chunks[name] += text;
      all += text;
    });
  }
  const finished = once(child, 'close').then(([code]) => ({ code: code as number | null, ...chunks }));
  return {
    finished,
    output: () => all,
    async waitFor(pattern) {
      const deadline = Date.now() + 10_000;
      for (;;) {
        const match = pattern.exec(all);
        if (match) return match;
        if (child.exitCode !== null || Date.now() > deadline) throw new Error(`no ${pattern} in: ${all}`);
        await delay(20);
      }
    },
    stop() {
      child.kill('SIGTERM');
      return finished;
    },
    kill() {
      child.kill('SIGKILL');
      return finished;
    },
  };
}

/** Runs a command to its end. */
export function run(args: string[], environment: Record<string, string> = {}): Promise<Finished> {
  return start(args, environment).finished;
}

/** Starts `serve` on a free port, and waits until it listens. */
export async function startServe(environment: Record<string, string>): Promise<Running & { origin: string }> {
  const running = start(['serve'], { PORT: '0', ...environment });
  const [, origin = ''] = await running.waitFor(/Server listening at (http:[^"]+)/);
  return { ...running, origin };
}

function spawnMain(args: string[], environment: Record<string, string>): ChildProcess {
  if (!existsSync(main)) throw new Error('Build first: pnpm --filter @petstore/server build');
  const env = { ...process.env };
  for (const name of Object.keys(variables)) delete env[name];
  return spawn(process.execPath, [main, ...args], {
    env: { ...env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
