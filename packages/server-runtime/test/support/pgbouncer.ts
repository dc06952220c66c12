import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { freePort } from '@petstore-platform/testkit/server';
import { expect, onTestFinished } from 'vitest';
import { temporaryFile } from './files.ts';

export type PoolMode = 'session' | 'transaction';

const { error, stdout } = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' });

/** Whether this machine's PgBouncer prepares statements for each of its connections to Postgres: since 1.21. */
const canPrepare = Number(/PgBouncer 1\.(\d+)/.exec(stdout ?? '')?.[1]) >= 21;

/** The reason to skip tests with PgBouncer on this machine, if any. */
export function missingPgBouncer(poolMode: PoolMode = 'session'): string | undefined {
  if (error) return `PgBouncer is not installed: ${error.message}`;
  if (poolMode === 'transaction' && !canPrepare) return `${stdout.split('\n')[0]} loses prepared statements`;
  return undefined;
}

/**
 * The URL of a database through a PgBouncer, which ends with the running test.
 *
 * @param poolMode - the statements that get the same connection to Postgres: all of a session, or those of a transaction
 * @param prepared - the prepared statements that it keeps for each session, if its version can
 */
export async function temporaryPgBouncer(databaseUrl: string, poolMode: PoolMode, prepared = 0): Promise<string> {
  const target = new URL(databaseUrl);
  const port = await freePort();
  const settings = temporaryFile('pgbouncer.ini');
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
${canPrepare ? `max_prepared_statements = ${prepared}` : ''}
`,
  );
  // It refuses to run as root.
  const asUser = process.getuid?.() === 0 ? ['--user=nobody'] : [];
  const child = spawn('pgbouncer', [...asUser, settings], { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  await expect.poll(() => log).toContain('process up');
  target.host = `127.0.0.1:${port}`;
  return target.href;
}
