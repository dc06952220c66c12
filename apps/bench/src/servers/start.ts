import path from 'node:path';
import { freePort, serve } from '@petstore/testkit/server';
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
  if (name === OURS) {
    const { NODE_OPTIONS = '' } = process.env;
    const { child, stop } = await serve(port, { DATABASE_URL: databaseUrl, NODE_ENV: 'production', NODE_OPTIONS });
    return { name, origin: `http://127.0.0.1:${port}`, pid: child.pid as number, stop };
  }
  const env = { ...process.env, DATABASE_URL: databaseUrl, PORT: String(port), NODE_ENV: 'production' };
  const script = path.join(import.meta.dirname, `../peers/${name}.ts`);
  const { ready, pid, stop } = await startScript<{ origin: string }>(script, [], env);
  return { name, origin: ready.origin, pid, stop };
}
