import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

const scripts = path.resolve(import.meta.dirname, '../../server/bench');

export interface Script<Ready> {
  pid: number;
  /** What it printed when it was ready. */
  ready: Ready;
  stop(): Promise<void>;
}

/**
 * Starts a script, of the server's bench folder unless it is an absolute path. It prints one line of JSON when it is ready,
 * and ends with its standard input: also when this process is killed.
 *
 * @throws Error when it ends instead
 */
export async function startScript<Ready>(name: string, args: string[], env = process.env): Promise<Script<Ready>> {
  const child = spawn(process.execPath, [path.resolve(scripts, name), ...args], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const line = once(createInterface({ input: child.stdout }), 'line');
  await Promise.race([line, exited]);
  if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
  const [text] = await line;
  return {
    pid: child.pid as number,
    ready: JSON.parse(text as string) as Ready,
    async stop() {
      child.stdin.end();
      await exited;
    },
  };
}
