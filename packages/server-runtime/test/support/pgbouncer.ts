import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@repo/testkit/server';
import { expect, onTestFinished } from 'vitest';

/** The reason to skip tests with PgBouncer on this machine, if any. */
export function missingPgBouncer(): string | undefined {
  const { error } = spawnSync('pgbouncer', ['--version']);
  return error && `PgBouncer is not installed: ${error.message}`;
}

/**
 * The URL of a database through a PgBouncer with default settings, which ends with the running test.
 *
 * @param poolMode - which statements of a session get the same connection to Postgres. Default: all
 */
export async function temporaryPgBouncer(databaseUrl: string, poolMode = 'session'): Promise<string> {
  const target = new URL(databaseUrl);
  const port = await freePort();
  const folder = mkdtempSync(path.join(tmpdir(), 'test-pgbouncer-'));
  const settings = path.join(folder, 'pgbouncer.ini');
  const { hostname, username, password } = target;
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${target.port || 5432} user=${username} password='${decodeURIComponent(password)}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${poolMode}
`,
  );
  // It refuses to run as root.
  const asUser = process.getuid?.() === 0 ? ['--user=nobody'] : [];
  const child = spawn('pgbouncer', [...asUser, settings], { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true });
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  await expect.poll(() => log).toContain('process up');
  target.host = `127.0.0.1:${port}`;
  return target.href;
}
