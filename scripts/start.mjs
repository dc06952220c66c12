// `npm start [-- <service>]` installs, builds, starts Postgres and serves. package.json runs it with a Node.js that runs TypeScript.
// It needs no package installed. `--watch` serves the sources, and restarts after each change. `--debug` opens the inspector.
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { cutLifeline, spawnWithLifeline } from '../packages/local-postgres/src/lifeline.ts';
import { startLocalPostgres } from '../packages/local-postgres/src/local-postgres.ts';
import { alone } from './alone.mjs';
import { issuerOf, makeIssuer } from './issuer.mjs';
import { cancel, onEnd, run, step } from './progress.mjs';
import { chosenService } from './services.mjs';
import { until } from './until.mjs';

const root = path.resolve(import.meta.dirname, '..');
const given = process.argv.slice(2);
const name = given.find((each) => !each.startsWith('--'));
const service = chosenService(name, (each) => `npm start -- ${each}`);
const command = name ? `npm start -- ${name}` : 'npm start';
const isWatching = given.includes('--watch');
// Also pnpm runs with this Node.js.
process.env.PATH = `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`;

/** Ctrl-C reaches us twice, from the terminal and from npm. Signals within this time, in milliseconds, count as one. */
const SAME_SIGNAL_MS = 2_000;
/** The time after which the server is killed, in milliseconds. It ends by itself within 35 seconds, unless its output is stuck. */
const SERVER_LIMIT_MS = 40_000;

/** The security of an operation that has none of its own in the generated table. */
const BEARER = [[{ kind: 'key', in: 'bearer' }]];

/** Imports a generated module, once it is built. */
const generated = (file) => import(pathToFileURL(path.join(root, service.folder, 'dist/generated', file)).href);

let starting;
let server;
let ending;

/** Shuts down in the reverse order, then exits. */
function end(code) {
  ending ??= (async () => {
    cancel();
    const postgres = await starting?.catch(() => {});
    if (server) await cutLifeline(server, SERVER_LIMIT_MS);
    await postgres?.stop();
    process.exit(code);
  })();
}

function fail(message) {
  if (!ending) console.error(`\n${message}`);
  end(1);
}

let signalled;
onEnd(() => {
  // A second Ctrl-C exits at once. The lifelines end the server and Postgres.
  if (signalled !== undefined && performance.now() - signalled > SAME_SIGNAL_MS) process.exit(1);
  signalled ??= performance.now();
  end(0);
});

await start().catch(({ message }) => fail(message));

async function start() {
  if (root.includes(path.delimiter))
    throw new Error(`This checkout does not build in a path with ${path.delimiter}: move it.`);
  await alone(installAndBuild);
  // The configuration is checked before any data is created. Its module is built only now.
  const { loadConfig } = await import(pathToFileURL(path.join(root, 'packages/server-runtime/dist/config.js')).href);
  let url = process.env.DATABASE_URL;
  const config = loadConfig({ ...process.env, DATABASE_URL: url || 'postgres://127.0.0.1' });
  const { HOST, PORT, METRICS_HOST, METRICS_PORT } = config;
  const port = await freePort('PORT', HOST, PORT);
  if (METRICS_PORT) await freePort('METRICS_PORT', METRICS_HOST, METRICS_PORT);

  if (!url) {
    const first = existsSync(path.join(service.data, 'postgres')) ? '' : ', creating its data the first time';
    starting = startLocalPostgres(service.data, {}, service.name.replaceAll('-', '_'));
    const postgres = await step(`Starting Postgres${first}`, () => starting);
    url = postgres.url;
    postgres.ended.then(() => fail(`Postgres has exited, see ${service.data}/postgres.log. Start again: ${command}`));
  }

  const { operations } = await generated('table.js');
  const credentials = Object.values(operations).flatMap(({ security = [] }) => security.flat());
  if (credentials.some(({ kind }) => kind === 'token')) makeIssuer(service);
  const env = { ...process.env, ...issuerOf(service), DATABASE_URL: url, PORT: String(port) };
  let program = [service.main];
  if (isWatching) {
    const source = path.join(root, service.folder, 'src/main.ts');
    program = ['--watch', '--watch-preserve-output', '--conditions=source', source];
    // A restart compiles only the files that have changed.
    env.NODE_COMPILE_CACHE ??= path.join(root, 'node_modules/.cache/node');
    await (await import('./watch.mjs')).watchContracts(root);
  }
  if (given.includes('--debug')) program.unshift('--inspect');
  const host = /^(0\.0\.0\.0|::)$/.test(HOST) ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST;
  const origin = `http://${host}:${port}`;
  env.PUBLIC_URL ||= origin;
  server = spawnWithLifeline('TERM', [process.execPath, ...program, 'serve', '--migrate'], 'inherit', { env });
  server.once('exit', (code) => end(code ?? 1));
  // A spinner would mix with the server's log, so this is a plain line.
  console.error('• Starting the server');
  const isReady = async () => (await fetch(`${origin}/readyz`).catch(() => undefined))?.ok;
  await until(() => ending !== undefined || isReady());
  await welcome(origin, env);
}

async function installAndBuild() {
  const { packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const install = ['install', '--frozen-lockfile', '--reporter=append-only'];
  // In a development install, the production scope would remove the other packages.
  const scope = ['.', `${service.package}...`, '@petstore-platform/local-postgres'].map(
    (each) => `--filter-prod=${each}`,
  );
  if (!isWatching && !existsSync(path.join(root, 'node_modules/.bin/turbo'))) install.push('--prod', ...scope);
  // By default, npx asks the registry at each start, and waits over a minute without a network. Its cache may lack a new version.
  const state = path.join(root, 'node_modules/.modules.yaml');
  const isCached = existsSync(state) && readFileSync(state, 'utf8').includes(packageManager);
  const npx = [...(isCached ? ['--prefer-offline'] : []), '--yes', packageManager, ...install];
  const first = existsSync(path.dirname(state)) ? '' : ', the first time 80 MB with Postgres and TypeScript';
  const advice = (check) => `${check}, then run again: ${command}`;
  await run(`Installing${first}`, 'npx', npx, { advice: advice('Check the connection to the npm registry') });
  await run('Building', process.execPath, ['--run', 'build'], {
    cwd: path.join(root, service.folder),
    advice: advice('Check `git status` for local changes'),
  });
}

/** Resolves to the port, or to a free one for 0. Throws when it is in use: the wrong server would be asked whether it is ready. */
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
  const { basePath, operations } = await generated('table.js');
  const api = `${origin}${basePath}`;
  const { examples } = await generated('examples.js');
  const all = Object.entries(examples).map(([id, one]) => ({ ...one, security: operations[id].security ?? BEARER }));
  const credentials = [BEARER, ...all.map(({ security }) => security)].flat(2);
  const scopesOf = (kind) =>
    [...new Set(credentials.flatMap((one) => (one.kind === kind ? (one.scopes ?? []) : [])))].join();
  const isUsual = ({ method, security }) => method === 'GET' && security === BEARER;
  const asked = all.find(isUsual);
  const plans = document['x-rate-limit-plans'];
  const key = await quickstartKey(asked && origin + asked.target, plans, scopesOf('key'), env);
  const token = env.OIDC_JWKS && (await issuedToken(scopesOf('token'), env).catch(() => undefined));
  const reading = all.find(({ method }) => method === 'GET');
  const adding = all.find(({ method }) => method === 'POST');
  const requests = new Set([adding, reading, all[0]].filter(Boolean));
  const docs = env.DOCS === 'off' ? '' : `  Docs   ${origin}/docs\n`;
  console.log(`
  ${visible(document.info.title)} is running.

  API    ${api}
${docs}  Key    ${key}
${token ? `  Token  ${token}\n` : ''}${requests.size > 0 ? `\n  Try:\n\n${[...requests].map((each) => curl(origin, { key, token }, each)).join('\n\n')}\n` : ''}`);
}

/** A token of the development issuer, with all scopes, for a day. */
async function issuedToken(scopes, env) {
  const args = ['keys', 'token', ...(scopes ? ['--scopes', scopes] : [])];
  return (await run('Issuing a token', process.execPath, [service.main, ...args], { env })).trim();
}

/** Escapes control characters, which a terminal would obey. */
function visible(text) {
  return text.replace(/\p{Cc}/gu, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function curl(origin, texts, { method, target, body, security: [credentials = []] }) {
  const quoted = (text) => `'${visible(text).replaceAll("'", `'\\''`)}'`;
  const how = method === 'GET' ? '' : `-X ${method} `;
  const data = body === undefined ? '' : ` -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`;
  let url = origin + target;
  let sent = '';
  for (const { kind, in: place, name } of credentials) {
    const text = texts[kind] ?? 'YOUR_TOKEN';
    if (place === 'bearer') sent += ` -H 'Authorization: Bearer ${text}'`;
    else if (place === 'basic') sent += ` -u ':${text}'`;
    else if (place === 'cookie') sent += ` -b ${quoted(`${name}=${text}`)}`;
    else if (place === 'header') sent += ` -H ${quoted(`${name}: ${text}`)}`;
    else url += `${url.includes('?') ? '&' : '?'}${encodeURIComponent(name)}=${text}`;
  }
  return `curl ${how}${quoted(url)}${sent}${data}`;
}

/** The key of the last start if this database has it, otherwise a new one of the plan with the highest daily limit. */
async function quickstartKey(url, plans, scopes, env) {
  const file = path.join(service.data, 'quickstart-key');
  // Other content of the file, as after a power failure, is replaced.
  const [kept] = /^\w+_[\w-]{20,}/.exec(existsSync(file) ? readFileSync(file, 'utf8') : '') ?? [];
  const headers = { Authorization: `Bearer ${kept}` };
  if (url && kept && (await fetch(url, { headers })).status !== 401) return kept;
  const limited = Object.entries(plans).filter(([, { perMinute, perDay }]) => perMinute !== null && perDay !== null);
  const [[plan]] = limited.sort(([, one], [, other]) => other.perDay - one.perDay);
  const create = [
    'keys',
    'create',
    '--name',
    'quickstart',
    '--plan',
    plan,
    ...(scopes ? ['--scopes', scopes] : []),
    '--json',
  ];
  const { key } = JSON.parse(await run('Issuing a key', process.execPath, [service.main, ...create], { env }));
  mkdirSync(service.data, { recursive: true });
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return key;
}
