import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from './eventually.ts';
import { freePort } from './server.ts';

const CONF = path.join(import.meta.dirname, '../../../deploy/nginx/service.conf');

export interface Nginx {
  port: number;
  /** The process ids of its workers. */
  pids: number[];
  stop(): Promise<void>;
}

/**
 * Starts nginx with `deploy/nginx/service.conf` in front of one server, on free ports. Undefined: this machine has no nginx.
 *
 * @param options.isTls - default: true. Without, it speaks HTTP/1.1 only
 * @param options.connections - of a worker. Default: that of Debian's nginx.conf
 * @param options.change - changes the configuration
 */
export async function startNginx(
  server: number,
  { isTls = true, connections = 768, change = (conf: string) => conf } = {},
): Promise<Nginx | undefined> {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' });
  } catch {
    console.error('Skipped: nginx is missing (Debian: apt-get install nginx)');
    return undefined;
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'test-nginx-'));
  const port = await freePort();
  const listen = isTls ? ' ssl http2' : '';
  let own = change(readFileSync(CONF, 'utf8'))
    .replace('server 127.0.0.1:3000', `server 127.0.0.1:${server}`)
    .replace(/^ *server 127\.0\.0\.1:3001.*$/m, '')
    .replace('listen 443 ssl http2', `listen ${port}${listen}; listen [::1]:${port}${listen}`);
  if (isTls) {
    const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) => path.join(folder, name)) as [
      string,
      string,
    ];
    const subject = ['-subj', '/CN=localhost', '-days', '1', '-nodes'];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-keyout', key, '-out', certificate, ...subject], {
      stdio: 'ignore',
    });
    own = own.replace('/etc/ssl/shop.example.com.pem', certificate).replace('/etc/ssl/shop.example.com.key', key);
  } else own = own.replaceAll(/^ *ssl_certificate.*$/gm, '');
  mkdirSync(path.join(folder, 'logs'));
  const main = `daemon off; pid ${folder}/pid; error_log ${folder}/error; worker_processes 1; worker_rlimit_nofile 16384;
    events { worker_connections ${connections}; }
    http { access_log ${folder}/access; ${own} }`;
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, main);
  const child = spawn('nginx', ['-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(child, 'exit');
  const workers = () =>
    readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  await until(
    () => {
      if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
      return workers().length > 0;
    },
    () => 'nginx does not get ready',
  );
  const stop = async () => {
    child.kill();
    await exited;
    rmSync(folder, { recursive: true });
  };
  return { port, pids: workers(), stop };
}
