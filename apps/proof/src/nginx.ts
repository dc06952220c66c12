import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '@petstore-platform/testkit/eventually';
import { freePort } from '@petstore-platform/testkit/server';

const CONF = path.join(import.meta.dirname, '../../../deploy/nginx/service.conf');

/**
 * Starts nginx with `deploy/nginx/service.conf`, but without TLS, in front of one server.
 *
 * @param connections - of a worker. Default: that of Debian's nginx.conf
 * @returns its port; undefined if this machine has no nginx
 */
export async function startNginx(run: AsyncDisposableStack, server: number, connections = 768) {
  if (spawnSync('nginx', ['-v']).error) {
    console.error('Skipped: nginx is missing (Debian: apt-get install nginx)');
    return undefined;
  }
  const { path: folder } = run.use(mkdtempDisposableSync(path.join(tmpdir(), 'test-nginx-')));
  const port = await freePort();
  const conf = readFileSync(CONF, 'utf8')
    .replace('server 127.0.0.1:3000', `server 127.0.0.1:${server}`)
    .replace(/^ *server 127\.0\.0\.1:3001.*$/m, '')
    .replace('listen 443 ssl http2', `listen ${port}; listen [::1]:${port}`)
    .replaceAll(/^ *ssl_certificate.*$/gm, '');
  mkdirSync(path.join(folder, 'logs'));
  const main = `daemon off; pid ${folder}/pid; error_log ${folder}/error; worker_processes 1; worker_rlimit_nofile 16384;
    events { worker_connections ${connections}; }
    http { access_log ${folder}/access; ${conf} }`;
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, main);
  const child = spawn('nginx', ['-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(child, 'exit');
  run.defer(async () => {
    child.kill();
    await exited;
  });
  await until(
    () => {
      if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
      return readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim() !== '';
    },
    () => 'nginx does not get ready',
  );
  return port;
}
