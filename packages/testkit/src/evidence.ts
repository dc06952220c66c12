import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/**
 * A line that says how to repeat a run: its command, date, commit and machine. It must be called before the run, during which the
 * commit can change.
 */
export function sourceOf(command: string, cwd = import.meta.dirname): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();
  const commit = git('describe', '--always', '--exclude=*', '--abbrev=12', '--dirty= with changes');
  const machine = `${process.platform} ${process.arch}, ${availableParallelism()} processors, Node.js ${process.versions.node}`;
  return `\`${command}\`, ${new Date().toISOString().slice(0, 10)}, commit ${commit}, ${machine}`;
}
