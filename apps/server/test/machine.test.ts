import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startServe } from '@repo/testkit/commands';
import { eventually } from '@repo/testkit/eventually';
import { withClient } from '@repo/testkit/postgres';
import { freePort, serve } from '@repo/testkit/server';
import { createSystemPostgres, hasSystemPostgres } from '@repo/testkit/system-postgres';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from './support/database.ts';
import { insertApiKey, withDatabase } from './support/runtime.ts';

/** The files for a machine without containers. The tests run them. */
const deploy = fileURLToPath(new URL('../../../deploy', import.meta.url));

function has(command: string, option: string, what: string): boolean {
  const found = spawnSync(command, [option]).status === 0;
  if (!found) console.warn(`Skipped: ${what}, as ${command} is not installed`);
  return found;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-machine-'));
  // The workers of nginx run as another user, who must read this folder.
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test.runIf(has('systemd-analyze', '--version', 'deploy/systemd'))('the unit is valid, and gives few rights', () => {
  const folder = temporaryFolder();
  const unit = path.join(folder, 'server@.service');
  cpSync(path.join(deploy, 'systemd/server@.service'), unit);
  writeFileSync(unit, readFileSync(unit, 'utf8').replace('/usr/bin/node', process.execPath));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  // systemd rates a unit from 0 (safe) to 10; the option takes ten times that.
  expect(spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit]).status).toBe(0);
});

test('each alert has a section of the runbook', () => {
  const read = (file: string) => readFileSync(path.join(deploy, file), 'utf8');
  const sections = Array.from(read('runbook.md').matchAll(/^## (Service\w+)$/gm), ([, name]) => name);
  expect(sections).toEqual(Array.from(read('prometheus/alerts.yaml').matchAll(/- alert: (\w+)/g), ([, name]) => name));
});

test.runIf(hasSystemPostgres('the commands of deploy/README.md'))(
  'the commands of the README lead to two servers, each role with what it needs',
  async () => {
    const folder = temporaryFolder();
    for (const each of ['etc', 'srv', 'units', 'bin', 'postgres']) mkdirSync(path.join(folder, each));
    const system = await createSystemPostgres(path.join(folder, 'postgres'));
    const postgres = await system.start('data');
    onTestFinished(() => postgres.stop());
    await withClient(postgres.url, (client) => client.query('create database shop'));
    const urlOf = (username: string) => Object.assign(new URL(postgres.url), { username, pathname: 'shop' }).href;
    const readme = readFileSync(path.join(deploy, 'README.md'), 'utf8');
    const commandsOf = (chapter: string) =>
      Array.from(
        readme.split(`## ${chapter}`)[1]?.matchAll(/```sh\n(.*?)```/gs) ?? [],
        ([, commands = '']) => commands,
      );
    const [[roles = ''], [, first = '', second = '']] = [commandsOf('Roles'), commandsOf('One machine')];
    // On a terminal, an operator types the passwords. Here, the server trusts all.
    const script = [roles.split('\n', 1)[0], first, second]
      .join('\n')
      .replaceAll(/postgres:\/\/(shop_\w+):…\?sslmode=verify-full/g, (_, role) => urlOf(role))
      .replaceAll('/etc/systemd/system', `${folder}/units`)
      .replaceAll(/\/(?=(etc|srv)\/shop)/g, `${folder}/`);
    // This runs the workspace's build.
    symlinkSync(path.join(deploy, '../apps/server'), path.join(folder, 'srv/shop'));
    writeFileSync(path.join(folder, 'bin/systemctl'), `#!/bin/sh\necho "$3" >> ${folder}/enabled\n`, { mode: 0o755 });
    const PATH = [path.join(folder, 'bin'), path.dirname(process.execPath), process.env.PATH].join(':');
    const { stdout } = await promisify(execFile)('sh', ['-ec', script], {
      cwd: path.join(deploy, '..'),
      env: { PATH, ADMIN_URL: urlOf('postgres') },
    });
    const [key = ''] = /(?<=^ {2})petstore_\S+$/m.exec(stdout) ?? [];

    const services = readFileSync(path.join(folder, 'enabled'), 'utf8').trim().split('\n');
    expect(services).toEqual(['server@shop', 'server@shop-2']);
    for (const name of ['shop', 'shop-2']) {
      const program = {
        script: path.join(folder, 'srv', name, 'dist/main.js'),
        options: [`--env-file=${path.join(folder, 'etc', name, 'server.env')}`],
      };
      const server = await serve({}, program);
      onTestFinished(async () => void (await server.stop()));
      expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
      const list = await fetch(`${server.origin}/v1/pets`, { headers: { Authorization: `Bearer ${key}` } });
      expect(list.status).toBe(200);
    }
  },
);

test.runIf(has('nginx', '-v', 'deploy/nginx'))(
  'nginx forwards to two servers, and a restart fails no request',
  async () => {
    const folder = temporaryFolder();
    const database = await createDatabase();
    onTestFinished(database.drop);
    const environment = { DATABASE_URL: database.url, TRUST_PROXY: '127.0.0.1' };
    const [one, other] = await Promise.all([startServe(environment), startServe(environment)]);
    const { key } = await withDatabase(database.url, (db) =>
      insertApiKey(db, { name: 'test', plan: 'enterprise', perMinute: 999_999_999, perDay: 999_999_999 }),
    );
    const port = await freePort();
    const [certificate, privateKey] = [path.join(folder, 'tls.pem'), path.join(folder, 'tls.key')];
    const subject = ['-subj', '/CN=shop.example.com', '-addext', 'subjectAltName=DNS:shop.example.com'];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'].concat(
        ['-keyout', privateKey, '-out', certificate],
        subject,
      ),
      { stdio: 'ignore' },
    );
    const service = readFileSync(path.join(deploy, 'nginx/service.conf'), 'utf8')
      .replace('127.0.0.1:3000', `127.0.0.1:${one.port}`)
      .replace('127.0.0.1:3001', `127.0.0.1:${other.port}`)
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replace('/etc/ssl/shop.example.com.pem', certificate)
      .replace('/etc/ssl/shop.example.com.key', privateKey);
    const file = path.join(folder, 'nginx.conf');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder};`,
    );
    writeFileSync(
      file,
      `daemon off; pid ${folder}/pid; events {} http { access_log off; ${temporary.join(' ')} ${service} }`,
    );
    const options = ['-p', folder, '-c', file, '-e', 'stderr'];
    execFileSync('nginx', ['-t', ...options], { stdio: 'pipe' });
    const nginx = spawn('nginx', options, { stdio: 'ignore' });
    onTestFinished(async () => {
      nginx.kill();
      await once(nginx, 'exit');
    });

    const agent = new Agent({ keepAlive: true, ca: readFileSync(certificate), servername: 'shop.example.com' });
    onTestFinished(() => agent.destroy());
    const send = async (method: string, target: string, body = '') => {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'X-Request-Id': 'forged' };
      const sent = request({ host: '127.0.0.1', port, path: target, method, headers, agent }).end(body);
      const [response] = await once(sent, 'response');
      return { status: response.statusCode, headers: response.headers, body: await text(response) };
    };
    await eventually('nginx listens', () => send('GET', '/livez'));
    expect((await send('GET', '/v1/pets')).headers['x-request-id']).toMatch(/^[\da-f]{32}$/);
    const large = await send('POST', '/v1/pets', JSON.stringify({ name: 'x'.repeat(100_000) }));
    expect([large.status, JSON.parse(large.body).code]).toEqual([413, 'payload_too_large']);
    expect((await send('GET', '/readyz')).status).toBe(404);

    const statuses: unknown[] = [];
    let isStopped = false;
    const loads = Array.from({ length: 8 }, async () => {
      do {
        statuses.push((await send('GET', '/v1/pets')).status);
      } while (!isStopped);
    });
    expect((await one.stop()).code).toBe(0);
    isStopped = true;
    await Promise.all(loads);
    statuses.push((await send('POST', '/v1/pets', '{"name":"Rex","categoryId":7}')).status);
    expect(new Set(statuses)).toEqual(new Set([200, 201]));
  },
);
