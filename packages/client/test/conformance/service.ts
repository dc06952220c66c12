import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort, stopped, whenUp } from './runtimes.ts';
import type { Target } from './suite.ts';

const main = path.resolve(import.meta.dirname, '../../../../apps/server/dist/main.js');

/** The real service, as it is built, and a key for it. On a database of its own: of `TEST_DATABASE_URL`, or embedded. */
export async function startService(corsOrigins: string): Promise<Target & { stop(): Promise<void> }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'petstore-conformance-'));
  const port = await freePort();
  const database = process.env.TEST_DATABASE_URL && (await createDatabase(process.env.TEST_DATABASE_URL));
  const env = {
    ...process.env,
    PORT: String(port),
    LOG_LEVEL: 'warn',
    CORS_ORIGINS: corsOrigins,
    PETSTORE_DATA_DIR: dataDir,
    DATABASE_URL: database ? database.url : '',
  };
  const command = (...args: string[]) => promisify(execFile)(process.execPath, [main, ...args], { env });
  if (database) await command('migrate');
  const server = spawn(process.execPath, [main, 'serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const stop = async () => {
    await stopped(server);
    if (database) await database.drop();
    await rm(dataDir, { recursive: true });
  };
  try {
    await whenUp(async () => {
      if (server.exitCode !== null) return;
      const { ok } = await fetch(`http://127.0.0.1:${port}/readyz`);
      if (!ok) throw new Error('the service is not ready');
    }, 300);
    const limits = ['--plan', 'enterprise', '--per-minute', '100000', '--per-day', '1000000'];
    const { stdout } = await command('keys', 'create', '--name', 'conformance', ...limits, '--json');
    return { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: JSON.parse(stdout).key, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function createDatabase(server: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `conformance_${process.pid}_${Date.now()}`;
  const run = async (statement: string) => {
    const client = new pg.Client(server);
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await run(`create database ${name}`);
  const url = new URL(server);
  url.pathname = name;
  return { url: url.href, drop: () => run(`drop database ${name} with (force)`) };
}
