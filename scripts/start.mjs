// `npm start [-- <service>]` installs, builds, starts Postgres and serves. It runs on Node.js 20 without any package installed.
// `--watch` serves the sources, and restarts after each change. `--debug` opens the inspector.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { alone } from './alone.mjs';
import { findNode } from './node.mjs';
import { cancel, onEnd, run, step } from './progress.mjs';
import { chosenService } from './services.mjs';
import { until } from './until.mjs';

const root = path.resolve(import.meta.dirname, '..');
const configModule = path.join(root, 'packages/server-runtime/dist/config.js');
const watching = process.argv.includes('--watch');

/** Ctrl-C reaches us twice, from the terminal and from npm. Signals within this time, in milliseconds, count as one. */
const SAME_SIGNAL_MS = 2_000;
/** The time after which the server is killed, in milliseconds. It ends by itself within 35 seconds, unless its output is stuck. */
const SERVER_LIMIT_MS = 40_000;

/** Shutdown functions, in the order in which their parts were started. */
const ends = [async () => cancel()];
let ending;

/** Shuts everything down in reverse order, then exits. */
function end(code) {
  ending ??= (async () => {
    for (const each of ends.toReversed()) await each();
    process.exit(code);
  })();
}

let signalled;
onEnd(() => {
  // A second Ctrl-C exits at once. The lifelines end the server and Postgres.
  if (signalled !== undefined && performance.now() - signalled > SAME_SIGNAL_MS) process.exit(1);
  signalled ??= performance.now();
  end(0);
});

let service;
let command;
try {
  const name = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
  service = chosenService(name, (each) => `npm start -- ${each}`);
  command = name ? `npm start -- ${service.name}` : 'npm start';
  if (root.includes(path.delimiter))
    throw new Error(
      `This checkout does not build in a path with ${path.delimiter}, which separates folders in PATH: move it.`,
    );
  const node = await alone(findNode);
  await (node === process.execPath ? start() : startWith(node));
} catch (error) {
  if (!ending) console.error(`\n${error.message}`);
  end(1);
}

/** Runs this script again with a later Node.js. */
async function startWith(node) {
  const PATH = `${path.dirname(node)}${path.delimiter}${process.env.PATH}`;
  const args = [import.meta.filename, ...process.argv.slice(2)];
  const child = spawn(node, args, { stdio: 'inherit', env: { ...process.env, PATH } });
  const exited = once(child, 'exit');
  ends.push(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  const [code] = await exited;
  end(code ?? 1);
}

async function start() {
  const { data } = service;
  await alone(installAndBuild);
  // The import has to wait until this Node.js runs TypeScript and the server is built.
  const { loadConfig } = await import(pathToFileURL(configModule).href);
  const { startLocalPostgres } = await import('../packages/local-postgres/src/local-postgres.ts');
  const { cutLifeline, spawnWithLifeline } = await import('../packages/local-postgres/src/lifeline.ts');

  // The configuration is checked before any data is created.
  let url = process.env.DATABASE_URL;
  const config = loadConfig({ ...process.env, DATABASE_URL: url || 'postgres://127.0.0.1' });
  const { HOST, PORT, METRICS_HOST, METRICS_PORT } = config;
  const port = await freePort('PORT', HOST, PORT);
  if (METRICS_PORT) await freePort('METRICS_PORT', METRICS_HOST, METRICS_PORT);

  if (!url) {
    const first = existsSync(path.join(data, 'postgres')) ? '' : ', creating its data the first time';
    const role = service.name.replaceAll('-', '_');
    const starting = step(`Starting Postgres${first}`, () => startLocalPostgres(data, {}, role));
    ends.push(() =>
      starting.then(
        (postgres) => postgres.stop(),
        () => {},
      ),
    );
    const postgres = await starting;
    url = postgres.url;
    postgres.ended.then(() => fail(`Postgres has exited, see ${data}/postgres.log. Start again: ${command}`));
  }

  const env = { ...process.env, DATABASE_URL: url, PORT: String(port) };
  // A restart compiles only the files that have changed.
  if (watching) env.NODE_COMPILE_CACHE ??= path.join(root, 'node_modules/.cache/node');
  if (watching) await (await import('./watch.mjs')).watchContracts(root);
  const server = spawnWithLifeline('TERM', [process.execPath, ...nodeArguments()], 'inherit', { env });
  ends.push(() => cutLifeline(server, SERVER_LIMIT_MS));
  server.once('exit', (code) => end(code ?? 1));
  const wildcard = HOST === '0.0.0.0' || HOST === '::';
  const origin = `http://${wildcard ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`;
  // A spinner would mix with the server's log, so this is a plain line.
  console.error('• Starting the server');
  await until(() => ending !== undefined || isReady(`${origin}/readyz`));
  await welcome(origin, env);
}

/** The arguments of Node.js. With `--watch`, it watches the files that the server imports, and restarts the server. */
function nodeArguments() {
  const debug = process.argv.includes('--debug') ? ['--inspect'] : [];
  if (!watching) return [...debug, service.main, 'serve', '--migrate'];
  const source = path.join(root, service.folder, 'src/main.ts');
  return [...debug, '--watch', '--watch-preserve-output', '--conditions=source', source, 'serve', '--migrate'];
}

async function installAndBuild() {
  const { packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  // In a development install, the production scope would remove the other packages.
  const development = watching || existsSync(path.join(root, 'node_modules/.bin/turbo'));
  const scope = ['--prod', '--filter', '.', '--filter', service.package, '--filter', '@repo/local-postgres'];
  const first = existsSync(path.join(root, 'node_modules'))
    ? ''
    : ', the first time 80 MB with Postgres and TypeScript';
  const install = ['install', '--frozen-lockfile', '--reporter=append-only', ...(development ? [] : scope)];
  // By default, npx asks the registry at each start, and waits over a minute without a network. Its cache may lack a new version.
  const state = path.join(root, 'node_modules/.modules.yaml');
  const cached = existsSync(state) && readFileSync(state, 'utf8').includes(packageManager) ? ['--prefer-offline'] : [];
  await run(`Installing${first}`, 'npx', [...cached, '--yes', packageManager, ...install], {
    advice: `Check the connection to the npm registry, then run again: ${command}`,
  });
  await run('Building', process.execPath, ['--run', 'build'], {
    cwd: path.join(root, service.folder),
    advice: `Check \`git status\` for local changes, then run again: ${command}`,
  });
}

async function isReady(url) {
  const response = await fetch(url).catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok;
}

/**
 * Resolves to the port, or to a free one for 0.
 *
 * @throws Error when it is in use, because the wrong server would be asked whether it is ready
 */
async function freePort(variable, host, wanted) {
  const listener = createServer().listen(wanted, host);
  await once(listener, 'listening').catch(({ message }) => {
    throw new Error(`Cannot listen on ${host}:${wanted} (${message}): set ${variable} to another port.`);
  });
  const { port } = listener.address();
  listener.close();
  return port;
}

/** Prints the URLs, a key, and requests to paste, which are the contract's first ones that add and read something. */
async function welcome(origin, env) {
  const document = await (await fetch(`${origin}/openapi.json`)).json();
  const api = `${origin}${new URL(document.servers[0].url, origin).pathname}`.replace(/\/$/, '');
  const { examples } = await import(pathToFileURL(path.join(root, service.folder, 'dist/generated/examples.js')).href);
  const all = Object.values(examples);
  const reading = all.find(({ method }) => method === 'GET');
  const key = await quickstartKey(reading && origin + reading.target, document['x-rate-limit-plans'], env);
  const adding = all.find(({ method }) => method === 'POST');
  const requests = new Set([adding, reading, all[0]].filter(Boolean));
  const docs = env.DOCS === 'off' ? '' : `  Docs   ${origin}/docs\n`;
  console.log(`
  ${document.info.title} is running.

  API    ${api}
${docs}  Key    ${key}
${requests.size > 0 ? `\n  Try:\n\n${[...requests].map((each) => curl(origin, key, each)).join('\n\n')}\n` : ''}`);
}

function curl(origin, key, { method, target, body }) {
  const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
  const words = method === 'GET' ? ['curl'] : ['curl', '-X', method];
  words.push(quoted(origin + target), '-H', quoted(`Authorization: Bearer ${key}`));
  if (body !== undefined)
    words.push('-H', quoted('Content-Type: application/json'), '-d', quoted(JSON.stringify(body)));
  return words.join(' ');
}

/** The key of the last start if this database has it, otherwise a new one of the plan with the highest daily limit. */
async function quickstartKey(url, plans, env) {
  const file = path.join(service.data, 'quickstart-key');
  // Other content of the file, as after a power failure, is replaced.
  const [kept] = /^\w+_[\w-]{20,}/.exec(existsSync(file) ? readFileSync(file, 'utf8') : '') ?? [];
  const headers = { Authorization: `Bearer ${kept}` };
  if (url && kept && (await fetch(url, { headers })).status !== 401) return kept;
  const limited = Object.entries(plans).filter(([, { perMinute, perDay }]) => perMinute !== null && perDay !== null);
  const [[plan]] = limited.sort(([, one], [, other]) => other.perDay - one.perDay);
  const create = ['keys', 'create', '--name', 'quickstart', '--plan', plan, '--json'];
  const { key } = JSON.parse(await run('Issuing a key', process.execPath, [service.main, ...create], { env }));
  mkdirSync(service.data, { recursive: true });
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return key;
}

function fail(message) {
  if (!ending) console.error(`\n${message}`);
  end(1);
}
