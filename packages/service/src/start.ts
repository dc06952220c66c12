/** Starts Postgres and the server of a service, and ends both. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type LocalPostgres, startLocalPostgres } from '@petstore-platform/local-postgres';
import { cutLifeline, spawnWithLifeline } from '@petstore-platform/local-postgres/lifeline';
import { loadConfig, type Service, untilSignal } from '@petstore-platform/server-runtime/operate';
import { issuerOf, makeIssuer } from './issuer.ts';
import { importBeside, type ServiceFolder } from './service-folder.ts';
import { welcome } from './welcome.ts';

/** The time after which the server is killed, in milliseconds. It ends by itself within 35 seconds, unless its output is stuck. */
const SERVER_LIMIT_MS = 40_000;

/**
 * Serves until a signal, or until the server or Postgres ends. Then, ends both, the server first.
 *
 * @returns the exit code
 */
export async function start(service: ServiceFolder, { isWatching = false, isDebugging = false } = {}): Promise<number> {
  const { promise: ended, resolve: end } = Promise.withResolvers<number>();
  let isEnding = false;
  void ended.then(() => {
    isEnding = true;
  });
  // Ctrl-C reaches us twice, from the terminal and from npm. After a second one, the lifelines end the server and Postgres.
  void untilSignal().then(() => end(0));
  // A killed npm forwards no signal, but its children get another parent.
  const { ppid } = process;
  setInterval(() => process.ppid !== ppid && end(0), 500).unref();

  let starting: Promise<LocalPostgres> | undefined;
  let server: ReturnType<typeof spawnWithLifeline> | undefined;
  const fail = (message: string) => {
    if (!isEnding) console.error(`\n${message}`);
    end(1);
  };

  async function startPostgres(): Promise<string> {
    const first = existsSync(path.join(service.data, 'postgres')) ? '' : ', creating its data the first time';
    console.error(`• Starting Postgres${first}`);
    starting = startLocalPostgres(service.data, {}, service.name.replaceAll('-', '_'));
    const postgres = await starting;
    const advice = `see ${service.data}/postgres.log. Start again: ${service.commands.start}`;
    void postgres.ended.then(() => fail(`Postgres has exited, ${advice}`));
    return postgres.url;
  }

  async function serve(): Promise<void> {
    // The configuration is checked before any data is created.
    const databaseUrl = process.env.DATABASE_URL;
    const config = loadConfig({ ...process.env, DATABASE_URL: databaseUrl || 'postgres://127.0.0.1' });
    const { HOST, PORT, METRICS_HOST, METRICS_PORT } = config;
    const port = await freePort('PORT', HOST, PORT);
    if (METRICS_PORT) await freePort('METRICS_PORT', METRICS_HOST, METRICS_PORT);
    const DATABASE_URL = databaseUrl || (await startPostgres());

    const { operations }: Service['contract'] = await importBeside(service, 'generated/routes');
    const credentials = Object.values(operations).flatMap(({ security = [] }) => security.flat());
    if (credentials.some(({ kind }) => kind === 'token')) makeIssuer(service);
    const host = /^(0\.0\.0\.0|::)$/.test(HOST) ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST;
    const origin = `http://${host}:${port}`;
    const env: NodeJS.ProcessEnv = { ...process.env, ...issuerOf(service), DATABASE_URL, PORT: String(port) };
    env.PUBLIC_URL ||= origin;
    const program = [...(isDebugging ? ['--inspect'] : []), ...(isWatching ? service.sources : [service.main])];
    const run = () => {
      if (isEnding) return;
      server = spawnWithLifeline('TERM', [process.execPath, ...program, 'serve', '--migrate'], 'inherit', { env });
      server.once('exit', (code) => {
        if (!isWatching) end(code ?? 1);
        else if (code) console.error('• The server has failed. It starts again after a change');
      });
    };
    if (isWatching) {
      // A restart compiles only the files that have changed.
      env.NODE_COMPILE_CACHE ??= path.join(service.root, 'node_modules/.cache/node');
      const { watchSources } = await import('@petstore-platform/contract/tools');
      let running = Promise.resolve();
      const restart = async () => {
        if (server) await cutLifeline(server, SERVER_LIMIT_MS);
        run();
      };
      await watchSources(service.root, () => {
        running = running.then(restart);
      });
    }
    run();
    console.error('• Starting the server');
    const isReady = async () => (await fetch(`${origin}/readyz`).catch(() => undefined))?.ok;
    while (!isEnding && !(await isReady())) await delay(100);
    if (!isEnding) await welcome(service, origin, env);
  }

  serve().catch(({ message }) => fail(message));
  const code = await ended;
  const postgres = await starting?.catch(() => undefined);
  if (server) await cutLifeline(server, SERVER_LIMIT_MS);
  await postgres?.stop();
  return code;
}

/** Resolves to the port, or to a free one for 0. Throws when it is in use: the wrong server would be asked whether it is ready. */
async function freePort(variable: string, host: string, wanted: number): Promise<number> {
  const listener = createServer().listen(wanted, host);
  await once(listener, 'listening').catch(({ code, message }) => {
    const advice = code === 'EADDRINUSE' ? `: set ${variable} to another port` : '';
    throw new Error(`Cannot listen on ${host}:${wanted} (${message})${advice}.`);
  });
  const { port } = listener.address() as { port: number };
  listener.close();
  return port;
}
