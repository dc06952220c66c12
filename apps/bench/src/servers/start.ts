import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@petstore/testkit/server';

export interface Server {
  name: string;
  origin: string;
  pid: number;
  stop(): Promise<unknown>;
}

export const OURS = 'petstore';
export const PEERS = ['node-http', 'fastify', 'express-openapi-validator', 'express-same-promises'] as const;
export type Peer = (typeof PEERS)[number];

const main = path.resolve(import.meta.dirname, '../../../server/dist/main.js');

/**
 * Starts our server as it is deployed, all features on, or a peer. Logs go nowhere: reading them would cost the machine that
 * the servers share.
 *
 * @throws Error when it ends instead of becoming ready
 */
export async function startServer(name: string, databaseUrl: string): Promise<Server> {
  const port = await freePort();
  const command = name === OURS ? [main, 'serve'] : [path.join(import.meta.dirname, `../peers/${name}.ts`)];
  const env = { ...process.env, DATABASE_URL: databaseUrl, PORT: String(port), NODE_ENV: 'production' };
  const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(child, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${origin}/readyz`).then(
      // A peer has no such path, and answers that.
      ({ status }) => status < 500,
      () => false,
    );
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
    await delay(50);
  }
  const stop = () => {
    child.kill();
    return exited;
  };
  return { name, origin, pid: child.pid as number, stop };
}
