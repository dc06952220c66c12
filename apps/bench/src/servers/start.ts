import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '@petstore-platform/testkit/eventually';
import { commandLineOf, freePort } from '@petstore-platform/testkit/server';

export type Server = Awaited<ReturnType<typeof startServer>>;

export const OURS = 'petstore';
export const PEERS = ['node-http', 'express-openapi-validator', 'express-same-promises'] as const;
export type Peer = (typeof PEERS)[number];

/** Another service, and a peer that has its statements. */
export const [CONDUIT, PLAIN] = ['realworld', 'conduit'] as const;
const petstoreMain = fileURLToPath(import.meta.resolve('@petstore/server/bin'));
const conduitMain = fileURLToPath(import.meta.resolve('@repo/realworld/main'));
export const petstore = commandLineOf({ script: petstoreMain });
export const conduit = commandLineOf({ script: conduitMain });

const OWN: Record<string, string> = { [OURS]: petstoreMain, [CONDUIT]: conduitMain };

/**
 * Starts our server with its default configuration, or a peer, until the run ends. Discards the log: reading it would take CPU from the servers.
 *
 * @throws Error when it exits before it is ready
 */
export async function startServer(run: AsyncDisposableStack, name: string, url: string, variables = {}) {
  const port = await freePort();
  const command = OWN[name] ? [OWN[name], 'serve'] : [path.join(import.meta.dirname, `../peers/${name}.ts`)];
  const defaults = { DATABASE_URL: url, PORT: String(port), NODE_ENV: 'production' };
  const child = spawn(process.execPath, command, {
    env: { ...process.env, ...defaults, ...variables },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  run.defer(async () => {
    child.kill();
    await exited;
  });
  const origin = `http://127.0.0.1:${port}`;
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
    const response = await fetch(`${origin}/readyz`).catch(() => undefined);
    // Peers have no `/readyz` and answer 404.
    return response && response.status < 500;
  };
  await until(isReady, () => `${name} does not get ready`);
  return { name, origin, pid: child.pid as number };
}
