import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyRepository, launch, NO_INSTALL, SERVICE } from '../copy.ts';

const timeout = 240_000;

const fresh = copyRepository({ packages: false });
const copy = copyRepository();

/** Starts `npm start` on a copy. Postgres and the server run as children of it. */
function start(env: NodeJS.ProcessEnv, cwd = copy.folder) {
  const own = { NODE_OPTIONS: NO_INSTALL, DATABASE_URL: '', PORT: '0', ...env };
  const started = launch('npm', ['start', '--', SERVICE.name], cwd, own);
  onTestFinished(() => {
    for (const id of left()) process.kill(id, 'SIGKILL');
  });
  return started;
}

const left = () => [...copy.processes(), ...fresh.processes()];

/** The variable that names a data folder in the copy. */
const data = (name: string) => ({ [SERVICE.variable]: path.join(copy.folder, name) });

test('two starts of a new checkout at once: both run, with only the packages of the service', async () => {
  const starts = ['1', '2'].map((folder) =>
    start({ [SERVICE.variable]: path.join(fresh.folder, folder), NODE_OPTIONS: '' }, fresh.folder),
  );
  for (const { text } of starts) await expect.poll(text, { timeout }).toMatch(/^ {2}.+ is running\.$/m);
  for (const { child } of starts) child.kill('SIGTERM');
  await expect.poll(left, { timeout }).toEqual([]);
  expect(readdirSync(fresh.folder)).not.toContain('.installing');
  expect(readdirSync(path.join(fresh.folder, 'node_modules/.pnpm')).join(' ')).not.toMatch(/vitest|turbo/);
});

test('builds at the same time leave a complete reference page', async () => {
  const server = path.join(copy.folder, 'packages/server-runtime');
  const builds = Array.from({ length: 6 }, () => spawn(process.execPath, ['scripts/docs.ts'], { cwd: server }));
  const codes = await Promise.all(builds.map((build) => once(build, 'exit').then(([code]) => code)));
  expect(codes).toEqual(Array(6).fill(0));
  const files = readdirSync(path.join(server, 'dist/docs')).map((name) => name.replace(/-\w{16}/, ''));
  expect(files).toEqual(['index.html', 'scalar.js', 'start.js']);
});

test('while another one installs, a start says so and waits; not for one that was killed. SIGTERM ends it in order', async () => {
  const file = path.join(copy.folder, '.installing');
  writeFileSync(file, '');
  const renewal = setInterval(() => writeFileSync(file, ''), 1_000);
  const { child, text } = start(data('.data/1'));
  await expect.poll(text, { timeout }).toContain('• Waiting for another npm start or npm test of this checkout');
  expect(text()).not.toContain('Installing');
  // The other start is killed, so it renews the file no more.
  clearInterval(renewal);
  await expect.poll(text, { timeout }).toMatch(/^ {2}.+ is running\.$/m);
  await expect.poll(() => existsSync(path.join(copy.folder, '.data/1/quickstart-key')), { timeout }).toBe(true);
  child.kill('SIGTERM');
  await expect.poll(left, { timeout }).toEqual([]);
  // Postgres has shut down in order.
  expect(readdirSync(path.join(copy.folder, '.data/1')).sort()).toEqual(['postgres', 'postgres.log', 'quickstart-key']);
});

test.each<[string, NodeJS.ProcessEnv, RegExp]>([
  ['invalid variables', { PORT: '70000', LOG_LEVEL: 'x' }, /^Configuration: PORT must be .*; LOG_LEVEL must be .*$/m],
  ['a PORT in use', { PORT: 'taken' }, /^Cannot listen on 127\.0\.0\.1:\d+ .*: set PORT to another port\.$/m],
  ['a HOST of another machine', { HOST: '203.0.113.9' }, /^Cannot listen on \S+ \(.* EADDRNOTAVAIL: .*\)\.$/m],
  ['a METRICS_PORT in use', { METRICS_PORT: 'taken' }, /^Cannot listen on .*: set METRICS_PORT to another port\.$/m],
])('%s: said in one line, before any data is created', async (_, variables, message) => {
  const stranger = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void stranger.close());
  await once(stranger, 'listening');
  const { port } = stranger.address() as { port: number };
  const entries = Object.entries(variables).map(([name, value]) => [name, value === 'taken' ? String(port) : value]);
  const { text, ended } = start({ ...data('.data/new'), ...Object.fromEntries(entries) });
  await expect.poll(ended, { timeout }).toBe(1);
  await expect.poll(text, { timeout }).toMatch(message);
  expect(existsSync(path.join(copy.folder, '.data/new'))).toBe(false);
});

const RUNNING = /^ {2}Try:\n\n(curl .*\n\n)+/m;
/** Sends signals to npm and all its children, as a terminal does. */
function toGroup({ pid }: ChildProcess, ...signals: NodeJS.Signals[]): void {
  for (const signal of signals) process.kill(-Number(pid), signal);
}
const used = { folder: '.data/used', port: '0', rows: 0 };

test.each<[how: string, stage: RegExp, end: (npm: ChildProcess) => void]>([
  ['SIGTERM to npm', RUNNING, (npm) => npm.kill('SIGTERM')],
  ['Ctrl-C, twice', RUNNING, (npm) => toGroup(npm, 'SIGINT', 'SIGINT')],
  ['kill -9 of the process group', RUNNING, (npm) => toGroup(npm, 'SIGKILL')],
  ['kill -9 of npm', RUNNING, (npm) => npm.kill('SIGKILL')],
  ['SIGTERM while it starts', /Starting the server/, (npm) => toGroup(npm, 'SIGTERM')],
])('the printed requests and `npm run keys` work. %s leaves the data, and nothing else', async (how, stage, end) => {
  const folder = path.join(copy.folder, used.folder);
  const { child, text } = start({ ...data(used.folder), PORT: used.port });
  await expect.poll(text, { timeout }).toMatch(stage);
  if (stage === RUNNING) await useServer(text(), folder);
  end(child);
  await expect.poll(left, { timeout }).toEqual([]);
  expect(existsSync(path.join(folder, 'postgres/postmaster.pid'))).toBe(false);
  // The last one to end still deletes the address.
  const files = () => readdirSync(folder).filter((name) => !how.startsWith('kill -9') || name !== 'url');
  await expect.poll(files, { timeout }).toEqual(['postgres', 'postgres.log', 'quickstart-key']);
  // A power failure leaves such a file.
  writeFileSync(path.join(folder, 'quickstart-key'), Buffer.alloc(58));
});

async function useServer(text: string, folder: string) {
  const env = { ...process.env, ...data(used.folder) };
  const sh = (command: string) =>
    JSON.parse(execFileSync('sh', ['-c', command], { cwd: copy.folder, env, encoding: 'utf8' }));
  const [added, list] = (text.match(/^curl .*$/gm) ?? []).map((line) => sh(`${line} --silent`));
  const [, url = ''] = /(http:[^']+)/.exec(text.split('curl')[1] ?? '') ?? [];
  // Each server has the port that the first one has chosen.
  used.port = new URL(url).port;
  used.rows += 1;
  // The examples of another contract may not include a creation and the list of its items.
  if (SERVICE.default) expect([list.length, list.at(-1).id]).toEqual([used.rows, added.id]);
  // It has the password.
  expect(statSync(path.join(folder, 'url')).mode & 0o777).toBe(0o600);
  const { key } = sh(`npm run --silent keys -- --service ${SERVICE.name} create --name me --plan free --json`);
  expect((await fetch(url, { headers: { Authorization: `Bearer ${key}` } })).status).not.toBe(401);
}
