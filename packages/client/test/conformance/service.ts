import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort, stopped, whenUp } from './runtimes.ts';
import type { Target } from './suite.ts';

const main = path.resolve(import.meta.dirname, '../../../../apps/server/dist/main.js');

/** The real service, as it is built, on `TEST_DATABASE_URL` or a Postgres of its own, and a key for it. */
export async function startService(corsOrigins: string): Promise<Target & { stop(): Promise<void> }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'petstore-conformance-'));
  const port = await freePort();
  const env = {
    ...process.env,
    PORT: String(port),
    LOG_LEVEL: 'warn',
    CORS_ORIGINS: corsOrigins,
    PETSTORE_DATA_DIR: dataDir,
    DATABASE_URL: process.env.TEST_DATABASE_URL ?? '',
  };
  const command = (...args: string[]) => promisify(execFile)(process.execPath, [main, ...args], { env });
  if (env.DATABASE_URL) await command('migrate');
  const server = spawn(process.execPath, [main, 'serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const stop = async () => {
    await stopped(server);
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
