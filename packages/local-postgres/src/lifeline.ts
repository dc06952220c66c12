import { type ChildProcess, spawn } from 'node:child_process';
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

/** Prefix of the shell's $0, read by {@link ownerIn}; the owner's process id follows. */
const NAME = 'ends-with-process-';

/** The command line of a program that ends with this process. Spawn it `detached`, with a pipe as stdin. */
export function withLifeline(signal: 'INT' | 'QUIT' | 'TERM', program: string, args: string[]): string[] {
  return ['/bin/sh', '-c', SCRIPT, `${NAME}${process.pid}`, signal, program, ...args];
}

/** Parses the owner's process id from the shell's command line. */
export function ownerIn(commandLine: string): number | undefined {
  const [, pid] = /\bends-with-process-(\d+)\b/.exec(commandLine) ?? [];
  return pid === undefined ? undefined : Number(pid);
}

/** Starts a program that ignores the terminal's Ctrl-C and ends with this process, even if this one is killed. */
export function spawnWithLifeline(program: string, args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  const [shell = '', ...rest] = withLifeline('TERM', program, args);
  return spawn(shell, rest, { env, detached: true, stdio: ['pipe', 'inherit', 'inherit'] });
}

/** Sends the signal and waits for the exit. */
export async function cutLifeline(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  child.stdin?.end();
  await once(child, 'exit');
}
