import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Becomes the program $2…, which gets the signal $1 when stdin ends: the owner closed it, or is gone. The parentheses make the
 * reader of stdin no child of the program, because Postgres logs the end of an unknown child.
 */
const SCRIPT = `
signal=$1; shift
exec 3<&0 < /dev/null
({ read -r _; kill -"$signal" $$; } <&3 > /dev/null 2>&1 3<&- &)
exec "$@" 3<&-`;

/**
 * Starts a program that gets the signal when this process ends, even by a kill. A Ctrl-C in the terminal does not reach it, because
 * it has a process group of its own. Its stdout and stderr go to `output`.
 */
export function spawnWithLifeline(
  signal: 'INT' | 'QUIT' | 'TERM',
  command: string[],
  output: 'ignore' | 'inherit' | number,
  options: SpawnOptions,
): ChildProcess {
  const args = ['-c', SCRIPT, 'lifeline', signal, ...command];
  return spawn('/bin/sh', args, { ...options, detached: true, stdio: ['pipe', output, output] });
}

/** Sends the signal and waits for the exit. Kills the program after the limit, which is in milliseconds. */
export async function cutLifeline(child: ChildProcess, limit = 20_000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  child.stdin?.end();
  const timer = setTimeout(() => process.kill(-Number(child.pid), 'SIGKILL'), limit);
  await once(child, 'exit');
  clearTimeout(timer);
}
