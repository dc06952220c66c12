// `npm start`: install what serving needs, build, start Postgres, serve. Node.js 20 or later, before anything is installed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findNode } from './node.mjs';
import { cancel, run, step } from './progress.mjs';

const root = path.resolve(import.meta.dirname, '..');
const main = path.join(root, 'apps/server/dist/main.js');
const folder = path.resolve(root, process.env.PETSTORE_DATA_DIR || '.petstore');

/** A process group gets a signal and also passes it on. Within this time in milliseconds it is the same signal. */
const SAME_SIGNAL_MS = 2_000;

/** What has been started, in that order. Each is ended by its function. */
const ends = [cancel];
let ending;

/** Ends what has been started, the last first, then this process. */
function end(code) {
  ending ??= (async () => {
    for (const each of ends.toReversed()) await each();
    process.exit(code);
  })();
}

let signalled;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    // What is tied to this process ends with it, at once.
    if (signalled !== undefined && performance.now() - signalled > SAME_SIGNAL_MS) process.exit(1);
    signalled ??= performance.now();
    end(0);
  });
}
// An npm that is killed passes no signal on.
const { ppid } = process;
setInterval(() => process.ppid !== ppid && end(0), 500).unref();

try {
  const node = await findNode();
  await (node === process.execPath ? start() : startWith(node));
} catch (error) {
  if (!ending) console.error(`\n${error.message}`);
  end(1);
}

/** Goes on in a process with a later Node.js. */
async function startWith(node) {
  const PATH = `${path.dirname(node)}${path.delimiter}${process.env.PATH}`;
  const child = spawn(node, [import.meta.filename], { stdio: 'inherit', env: { ...process.env, PATH } });
  const exited = once(child, 'exit');
  ends.push(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  const [code] = await exited;
  end(code ?? 1);
}

async function start() {
  await installAndBuild();
  // TypeScript as it is, which this Node.js runs.
  const { startLocalPostgres } = await import('../packages/local-postgres/src/local-postgres.ts');
  const { cutLifeline, spawnWithLifeline } = await import('../packages/local-postgres/src/lifeline.ts');

  let url = process.env.DATABASE_URL;
  if (!url) {
    const first = existsSync(path.join(folder, 'postgres')) ? '' : ', which sets its data up the first time';
    const starting = step(`Starting Postgres${first}`, () => startLocalPostgres(folder));
    ends.push(() =>
      starting.then(
        (postgres) => postgres.stop(),
        () => {},
      ),
    );
    const postgres = await starting;
    url = postgres.url;
    postgres.ended.then(() => fail(`Postgres has ended; ${folder}/postgres.log says why. Start again: npm start`));
  }

  const { HOST = '127.0.0.1', PORT = '3000' } = process.env;
  const port = await findPort(HOST, Number(PORT));
  const env = { ...process.env, DATABASE_URL: url, PORT: String(port) };
  const server = spawnWithLifeline(process.execPath, [main, 'serve'], env);
  ends.push(() => cutLifeline(server));
  server.once('exit', (code) => end(code ?? 1));
  const wildcard = HOST === '0.0.0.0' || HOST === '::';
  const origin = `http://${wildcard ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`;
  // Without a spinner: the server's log shows what it does.
  console.error('• Starting the server');
  await untilReady(`${origin}/readyz`);
  await welcome(origin, env);
}

async function installAndBuild() {
  const { packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const pnpm = (title, advice, ...args) => run(title, 'npx', ['--yes', packageManager, ...args], { advice });
  // A development install has all of this and more; installing without it would remove the rest.
  const development = existsSync(path.join(root, 'node_modules/.bin/turbo'));
  const scope = ['--prod', '--filter', '.', '--filter', '@petstore/server', '--filter', '@petstore/local-postgres'];
  const first = existsSync(path.join(root, 'node_modules'))
    ? ''
    : ', the first time 80 MB with Postgres and TypeScript';
  const install = ['install', '--frozen-lockfile', '--reporter=append-only', ...(development ? [] : scope)];
  await pnpm(`Installing${first}`, 'When the registry of npm can be reached, again: npm start', ...install);
  const unchanged = '`git status` shows what is not as it was committed. Then again: npm start';
  // It has just been installed: pnpm need not look again.
  await pnpm('Building', unchanged, '--config.verify-deps-before-run=false', '--filter', '@petstore/server', 'build');
}

async function untilReady(url) {
  while (!ending) {
    const response = await fetch(url).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return;
    await delay(50);
  }
}

/**
 * @returns the port, or a free one instead of 0
 * @throws Error when it is no port, or when something listens there already: that would be taken for the server
 */
async function findPort(host, wanted) {
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65_535) throw new Error('PORT must be a port, 0 to 65535');
  const listener = createServer().listen(wanted, host);
  await once(listener, 'listening').catch(({ message }) => {
    throw new Error(`Cannot listen on ${host}:${wanted} (${message}): set PORT to another port, or HOST.`);
  });
  const { port } = listener.address();
  listener.close();
  await once(listener, 'close');
  return port;
}

/** Prints what a person needs for the first request. */
async function welcome(origin, env) {
  const { servers } = await (await fetch(`${origin}/openapi.json`)).json();
  const api = `${origin}${new URL(servers[0].url, origin).pathname}`;
  const key = await quickstartKey(api, env);
  const docs = env.DOCS === 'off' ? '' : `  Docs   ${origin}/docs\n`;
  console.log(`
  Petstore is running.

  API    ${api}
${docs}  Key    ${key}

  Add an animal, then list those that are available:

curl -X POST ${api}/pets -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"name":"Biscuit","categoryId":7,"status":"available"}'

curl '${api}/pets?status=available' -H 'Authorization: Bearer ${key}'
`);
}

/** The key of the last start as long as this database knows it, otherwise a new one. */
async function quickstartKey(api, env) {
  const file = path.join(folder, 'quickstart-key');
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  const Authorization = `Bearer ${kept}`;
  if (kept && (await fetch(`${api}/pets?limit=1`, { headers: { Authorization } })).status !== 401) return kept;
  const create = ['keys', 'create', '--name', 'quickstart', '--plan', 'business', '--json'];
  const { key } = JSON.parse(await run('Issuing a key', process.execPath, [main, ...create], { env }));
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return key;
}

function fail(message) {
  if (!ending) console.error(`\n${message}`);
  end(1);
}
