import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Finished, listen, type Running, type Serving, serve, spawnServer } from './server.ts';

export type { Finished } from './server.ts';

/** Starts a server command with only `environment` as its configuration. Killed when the running test ends. */
export function start(args: string[], environment: Record<string, string>): Running {
  const running = spawnServer(args, environment);
  onTestFinished(() => void running.child.kill('SIGKILL'));
  return running;
}

/** Runs a server command to completion. */
export function run(args: string[], environment: Record<string, string> = {}): Promise<Finished> {
  return start(args, environment).finished;
}

/** Like {@link serve}, killed when the running test ends. */
export async function startServe(environment: Record<string, string>): Promise<Serving> {
  const server = await serve(environment);
  onTestFinished(() => void server.child.kill('SIGKILL'));
  return server;
}

/** A port of 127.0.0.1 that is in use until the running test ends. */
export function takenPort(): Promise<number> {
  const stranger = createServer();
  onTestFinished(() => void stranger.close());
  return listen(stranger);
}
