import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@petstore/client';
import { withClient } from '@petstore-platform/testkit/postgres';
import { freePort } from '@petstore-platform/testkit/server';
import { createSystemPostgres, hasSystemPostgres } from '@petstore-platform/testkit/system-postgres';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { copyRepository, ROOT as root } from '../../../../test/copy.ts';
import { createDatabase } from '../support/database.ts';

/**
 * The image without a container engine: runs the commands of the Dockerfile in a copy of the repository, and starts the
 * result as a non-root user.
 */

const source = copyRepository({ packages: false }).folder;
const [build = '', run = ''] = readFileSync(path.join(root, 'Dockerfile'), 'utf8')
  .split(/^FROM .*$/m)
  .slice(1);
const commands = [...build.matchAll(/^RUN (.+)$/gm)].map(([, command = '']) => command);
const json = (instruction: string): string[] =>
  JSON.parse(new RegExp(`${instruction} (\\[.+\\])`, 'm').exec(run)?.[1] ?? '') as string[];
const environment = Object.fromEntries(
  (/^ENV (.+)$/m.exec(run)?.[1] ?? '').split(' ').map((pair) => pair.split('=') as [string, string]),
);

let folder: string;
let image: string;
let node: string;
let database: { url: string; drop(): Promise<void> };

beforeAll(async () => {
  database = await createDatabase({ migrated: false });
  folder = mkdtempSync(path.join(tmpdir(), 'petstore-image-'));
  const deployed = path.join(folder, 'deployed');
  image = path.join(folder, 'srv/service');
  for (const command of commands) {
    execFileSync('sh', ['-c', command.replaceAll('/srv/service', deployed)], { cwd: source, stdio: 'pipe' });
  }
  for (const [, from = '', to = ''] of run.matchAll(/^COPY --from=build \/srv\/service\/(\S+) (\S+)$/gm)) {
    cpSync(path.join(deployed, from), path.join(image, to), { recursive: true, verbatimSymlinks: true });
  }
  // The image's user has no access to the checkout, so Node.js is copied.
  node = path.join(folder, 'node');
  copyFileSync(process.execPath, node);
  chmodSync(folder, 0o755);
}, 300_000);

afterAll(() => database.drop());

/** Runs a command of the image. */
function start(args: string[], variables: Record<string, string> = {}) {
  const drop = ['--reuid=65534', '--regid=65534', '--clear-groups', node];
  const [command, first] = process.getuid?.() === 0 ? ['setpriv', drop] : [node, []];
  return spawn(command, [...first, ...args], {
    cwd: image,
    env: { ...environment, DATABASE_URL: database.url, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test('it has run-time dependencies only, serves as a non-root user, is healthy, and exits with 0', async () => {
  expect(readdirSync(image).sort()).toEqual(['dist', 'node_modules', 'package.json']);
  const [entry = '', ...arguments_] = json('^ENTRYPOINT');
  expect(entry).toBe('node');
  expect(run).toMatch(/^USER node$/m);
  const PORT = String(await freePort());
  const loaded = path.join(folder, 'loaded.mjs');
  writeFileSync(loaded, PRINT_LOADED);
  // This turns tracing on as the runtime's README says.
  const NODE_OPTIONS = `--import ${loaded} --import @petstore-platform/server-runtime/tracing`;
  const server = start([...arguments_, ...json('^CMD'), '--migrate'], { PORT, NODE_OPTIONS });
  const lines: string[] = [];
  server.stdout.setEncoding('utf8').on('data', (text: string) => lines.push(text));
  await expect.poll(() => lines.join('')).toContain('Server listening');

  const issue = start([...arguments_, 'keys', 'create', '--name', 'me', '--plan', 'free', '--json']);
  const [output] = await Promise.all([issue.stdout.toArray(), once(issue, 'exit')]);
  const { key } = JSON.parse(Buffer.concat(output).toString()) as { key: string };
  const petstore = createClient({ apiKey: key, baseUrl: `http://127.0.0.1:${PORT}/v1` });
  const animal = await petstore.createPet({ name: 'Biscuit', categoryId: 7, status: 'available' });
  expect(await petstore.listPets({ status: 'available' })).toEqual([animal]);

  await expect.poll(() => lines.join('')).toMatch(/"operationId":"listPets",.*"trace_id":"[\da-f]{32}"/);

  const [, ...check] = json('^  CMD');
  const health = async (port: string) => (await once(start(check, { PORT: port }), 'exit'))[0];
  expect(await health(PORT)).toBe(0);
  server.kill('SIGTERM');
  expect((await once(server, 'close'))[0]).toBe(0);
  expect(await health(PORT)).toBe(1);

  const [, used = ''] = /^loaded (.+)$/m.exec(lines.join('')) ?? [];
  const packages = readdirSync(path.join(image, 'node_modules/.pnpm')).filter((name) => name.includes('@', 1));
  const idle = packages.filter((name) => !used.split(' ').includes(name));
  expect(idle.filter((name) => !OCCASIONAL.includes(name.slice(0, name.indexOf('@', 1))))).toEqual([]);
});

/** Makes the process print the packages that it has loaded at exit. */
const PRINT_LOADED = `
import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
const loaded = new Set();
const note = (url) => loaded.add(/\\/\\.pnpm\\/([^/]+)/.exec(url)?.[1]);
registerHooks({ load: (url, context, next) => { note(url); return next(url, context); } });
process.on('exit', () => writeSync(1, 'loaded ' + [...loaded].join(' ') + '\\n'));
`;

/**
 * The types of the runtime name those of pg, so that it depends on them (npm installs no types for its users otherwise).
 * The other packages are loaded on demand: by Fastify for `inject`, pg for a password file, pino for transports, and tracing for patterns,
 * other module formats and logs.
 */
const OCCASIONAL =
  `@types+pg @types+node undici-types commander @opentelemetry+sdk-logs balanced-match brace-expansion cjs-module-lexer es-module-lexer minimatch
  @fastify+deepmerge abstract-logging async-exit-hook cookie light-my-request pgpass pino-abstract-transport real-require
  require-from-string set-cookie-parser split2`.split(/\s+/);

test('the image is built with the versions of the workspace', () => {
  const { packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const { catalog } = parse(readFileSync(path.join(root, 'pnpm-workspace.yaml'), 'utf8'));
  for (const command of commands) expect(command).toContain(`npx --yes ${packageManager} `);
  const images = readFileSync(path.join(root, 'Dockerfile'), 'utf8').match(/^FROM \S+/gm);
  expect(images).toEqual(Array(2).fill(`FROM node:${catalog.node}-bookworm-slim`));
});

test('the image is of the service that is named', () => {
  expect(build).toContain('\nARG SERVICE\n');
  for (const command of commands) expect(command).toContain('$(node scripts/services.mjs package $SERVICE)');
});

test.runIf(hasSystemPostgres('the commands of compose.yaml'))(
  'compose.yaml runs it with Postgres, without a default password, as a role that owns nothing',
  async () => {
    const compose = parse(readFileSync(path.join(root, 'compose.yaml'), 'utf8'), { merge: true });
    const { postgres, roles, migrate, grants, server, keys } = compose.services;
    expect(postgres.environment.POSTGRES_PASSWORD).toMatch(/^\$\{POSTGRES_PASSWORD:\?/);
    // The URL does not hold the password, so that it may have characters that a URL must escape.
    expect(roles.environment).toEqual({
      ADMIN_URL: 'postgres://postgres@postgres:5432/service',
      PGPASSWORD: postgres.environment.POSTGRES_PASSWORD.replace(/:\?.*\}/, '}'),
    });
    expect(server.build).toEqual({ context: '.', args: { SERVICE: `\${SERVICE:-}` } });
    for (const one of Object.values<Record<string, unknown>>(compose.services)) expect(one.logging).toBeDefined();

    const system = await createSystemPostgres(mkdtempSync(path.join(folder, 'compose-')));
    const running = await system.start('data');
    onTestFinished(() => running.stop());
    await withClient(running.url, (client) => client.query('create database service'));
    // The containers share these folders; each sees its own.
    const urls = mkdtempSync(path.join(folder, 'urls-'));
    for (const role of ['owner', 'server', 'keys']) mkdirSync(path.join(urls, role));
    const ADMIN_URL = roles.environment.ADMIN_URL.replace('postgres:5432', `127.0.0.1:${running.port}`);
    const psql = (command: string) => {
      const script = command
        .replaceAll('$$', '$')
        .replaceAll('/deploy/', `${root}/deploy/`)
        .replaceAll('/urls/', `${urls}/`);
      const owner = process.getuid?.() === 0 ? 65_534 : process.getuid?.();
      execFileSync('bash', ['-euc', script.replace('chown 1000', `chown ${owner}`)], {
        env: { PATH: process.env.PATH, PGPASSWORD: 'any', ADMIN_URL },
        stdio: 'pipe',
      });
    };
    chmodSync(urls, 0o755);
    const run = (program: { volumes: string[] }, args: string[], variables: Record<string, string> = {}) => {
      const [, role = ''] = /^(\w+)-url:\/run\/database:ro$/.exec(program.volumes[0] ?? '') ?? [];
      const DATABASE_URL_FILE = path.join(urls, role, 'url');
      return start([...json('^ENTRYPOINT').slice(1), ...args], { DATABASE_URL: '', DATABASE_URL_FILE, ...variables });
    };
    const ended = async (child: ReturnType<typeof start>) => (await once(child, 'exit'))[0];
    psql(roles.command[0]);
    expect(await ended(run(migrate, migrate.command))).toBe(0);
    psql(grants.command[0]);
    const create = ['create', '--name', 'me', '--plan', 'free'];
    expect(await ended(run(keys, [...keys.entrypoint.slice(3), ...create]))).toBe(0);
    expect(await ended(run(server, ['keys', ...create]))).toBe(1);
    const PORT = String(await freePort());
    const served = run(server, ['serve'], { PORT, LOG_LEVEL: 'error' });
    const ready = () => fetch(`http://127.0.0.1:${PORT}/readyz`).then(({ status }) => status);
    await expect.poll(() => ready().catch(() => 0)).toBe(200);
    // `up` again replaces the passwords, which a running server reads.
    psql(roles.command[0]);
    await withClient(running.url, (client) =>
      client.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'service_server'`),
    );
    await expect.poll(() => ready().catch(() => 0)).toBe(200);
    served.kill();
    expect(await ended(served)).toBe(0);
  },
);
