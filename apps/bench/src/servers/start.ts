import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startScript } from '../server-script.ts';

export interface Server {
  name: string;
  origin: string;
  pid: number;
  stop(): Promise<unknown>;
}

export const OURS = 'petstore';
export const PEERS = ['node-http', 'fastify', 'express-openapi-validator', 'hono'];

/** The server as it is deployed, all features on, its log to nowhere; or a peer. */
export async function startServer(name: string, databaseUrl: string): Promise<Server> {
  const port = await freePort();
  const env = { ...process.env, DATABASE_URL: databaseUrl, PORT: String(port), NODE_ENV: 'production' };
  if (name === OURS) return startOurs(port, env);
  const script = path.join(import.meta.dirname, `../peers/${name}.ts`);
  const { ready, pid, stop } = await startScript<{ origin: string }>(script, [], env);
  return { name, origin: ready.origin, pid, stop };
}

async function startOurs(port: number, env: NodeJS.ProcessEnv): Promise<Server> {
  const main = path.join(import.meta.dirname, '../../../server/dist/main.js');
  const child = spawn(process.execPath, [main, 'serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(child, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    await delay(50);
  }
  const stop = () => {
    child.kill();
    return exited;
  };
  return { name: OURS, origin, pid: child.pid as number, stop };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
