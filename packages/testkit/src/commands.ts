import { onTestFinished } from 'vitest';
import { type Finished, type Running, spawnServer } from './server.ts';

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

/** Starts `serve` on a free port and waits until it listens. */
export async function startServe(environment: Record<string, string>): Promise<Running & { origin: string }> {
  const running = start(['serve'], { PORT: '0', ...environment });
  const [, origin = ''] = await running.waitFor(/Server listening at (http:[^"]+)/);
  return { ...running, origin };
}
