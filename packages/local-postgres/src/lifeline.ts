import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Sends the signal $1 to the program $2… when stdin ends: when the owner closes it, or is gone. Signals to a whole process
 * tree do not end this shell, so that it exits with the program, and not before.
 * The program does not inherit that: it would ignore a signal that comes before it handles signals.
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

/** What the shell is called, for {@link ownerIn}: the owner's process id follows. */
const NAME = 'ends-with-process-';

/** The command line of a program that ends with this process. To be spawned `detached`, with a pipe as stdin. */
export function withLifeline(signal: 'INT' | 'TERM', program: string, args: string[]): string[] {
  return ['/bin/sh', '-c', SCRIPT, `${NAME}${process.pid}`, signal, program, ...args];
}

/** The process that the shell with this command line belongs to. */
export function ownerIn(commandLine: string): number | undefined {
  const [, pid] = new RegExp(`\\b${NAME}(\\d+)\\b`).exec(commandLine) ?? [];
  return pid === undefined ? undefined : Number(pid);
}

/** Starts a program that a terminal's Ctrl-C does not reach, and that ends with this process, however that ends. */
export function spawnWithLifeline(program: string, args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  const [shell = '', ...rest] = withLifeline('TERM', program, args);
  return spawn(shell, rest, { env, detached: true, stdio: ['pipe', 'inherit', 'inherit'] });
}

/** Sends the signal, and waits for the end. */
export async function cutLifeline(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  child.stdin?.end();
  await once(child, 'exit');
}
