import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Sends the signal $1 to the program $2… when stdin ends: the owner closed it, or is gone. The shell ignores signals to the
 * process group, so that it exits with the program. The program must not inherit that: until it installs its handlers, it
 * would ignore signals.
 */
const SCRIPT = `
signal=$1; shift
exec 3<&0
"$@" < /dev/null 3<&- &
program=$!
{ trap '' INT TERM HUP; read -r _; kill -"$signal" $program 2> /dev/null; } <&3 3<&- &
watcher=$!
trap '' INT TERM HUP
wait $program
status=$?
kill -9 $watcher 2> /dev/null
exit $status`;

/**
 * Starts a program that ignores the terminal's Ctrl-C, and gets the signal when this process ends, even by a kill.
 *
 * @param output - where its stdout and stderr go
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
