import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

const scripts = path.resolve(import.meta.dirname, '../../server/bench');

export interface Postgres {
  url: string;
  /** Of the postmaster; undefined where it was not started here. */
  pid?: number;
}

export interface Script<Ready> {
  pid: number;
  /** What it printed when it was ready. */
  ready: Ready;
  stop(): Promise<void>;
}

/**
 * Starts a script, of the server's bench folder unless it is an absolute path, which prints one line of JSON when it is ready and ends with its standard
 * input: also when this process is killed.
 *
 * @throws Error when it ends instead
 */
export async function startScript<Ready>(name: string, args: string[], env = process.env): Promise<Script<Ready>> {
  const child = spawn(process.execPath, [path.resolve(scripts, name), ...args], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const line = once(createInterface({ input: child.stdout }), 'line');
  await Promise.race([line, exited]);
  if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
  const [text] = await line;
  return {
    pid: child.pid as number,
    ready: JSON.parse(text as string) as Ready,
    async stop() {
      child.stdin.end();
      await exited;
    },
  };
}

/**
 * Fills a database with animals, `skewed` as the server's bench/seed.ts has it, and issues keys.
 *
 * @returns the keys
 */
export async function seed(
  databaseUrl: string,
  { animals, keys, distribution = 'uniform' }: { animals: number; keys: number; distribution?: 'uniform' | 'skewed' },
): Promise<string[]> {
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const { ready, stop } = await startScript<{ keys: string[] }>(
    'seed.ts',
    [`${animals}`, `${keys}`, distribution],
    env,
  );
  await stop();
  return ready.keys;
}

/** The Postgres to measure on: that of `DATABASE_URL`, or one that is started for `work`. */
export async function withPostgres(work: (postgres: Postgres) => Promise<void>): Promise<void> {
  if (process.env.DATABASE_URL) return work({ url: process.env.DATABASE_URL });
  const postgres = await startScript<Postgres>('postgres.ts', []);
  try {
    await work(postgres.ready);
  } finally {
    await postgres.stop();
  }
}
