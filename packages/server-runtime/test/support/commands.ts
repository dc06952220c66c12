import { Writable } from 'node:stream';
import type { Finished } from '@petstore-platform/testkit/server';
import { addKeysCommands, runCommandLine } from '@repo/bookstore/commands';
import { service } from '@repo/bookstore/service';
import { Command } from 'commander';
import { expect, inject, vi } from 'vitest';

let last = Promise.resolve<unknown>(undefined);

/**
 * Runs a command to completion as `run` of the testkit does, but in this process: the start of one takes longer than most commands. Only
 * one runs at a time. `serve`, which ends its process, needs `run`.
 */
export function runHere(args: string[], environment: Record<string, string> = {}): Promise<Finished> {
  const finished = last.then(() => runAlone(args, environment));
  last = finished.catch(() => {});
  return finished;
}

async function runAlone(args: string[], environment: Record<string, string>): Promise<Finished> {
  const printed = { stdout: '', stderr: '' };
  const stdout = new Writable({
    decodeStrings: false,
    write(text, _encoding, done) {
      printed.stdout += text;
      done();
    },
  });
  // A new key is printed only where somebody reads it.
  const terminal = Object.assign(stdout, { isTTY: true }) as unknown as typeof process.stdout;
  const spies = [
    vi.spyOn(process, 'stdout', 'get').mockReturnValue(terminal),
    vi.spyOn(console, 'error').mockImplementation((text) => {
      printed.stderr += `${text}\n`;
    }),
    vi.spyOn(process, 'on').mockReturnValue(process),
  ];
  const { env, argv, exitCode } = process;
  process.env = environment;
  process.argv = [process.execPath, inject('program').script, ...args];
  process.exitCode = 0;
  try {
    await runCommandLine(service);
    return { code: process.exitCode, ...printed };
  } finally {
    Object.assign(process, { env, argv, exitCode });
    for (const spy of spies) spy.mockRestore();
  }
}

/** Stdout of a command. @throws Error with its stderr, if it has one */
export async function outputOf(command: Promise<Finished>): Promise<string> {
  const { code, stdout, stderr } = await command;
  if (stderr) throw new Error(stderr);
  expect(code).toBe(0);
  return stdout;
}

/** Asserts that a command fails with one line on stderr and an empty stdout. */
export async function expectFailure(command: Promise<Finished>, message: RegExp): Promise<void> {
  const { code, stdout, stderr } = await command;
  expect(stderr).toMatch(/^bookstore-server: [^\n]+\n$/);
  expect(stderr).toMatch(message);
  expect([code, stdout]).toEqual([1, '']);
}

/** Asserts that arguments are refused before a database is opened. */
export async function expectRefused(args: string[], message: RegExp): Promise<void> {
  const program = new Command().exitOverride().configureOutput({ writeErr() {} });
  addKeysCommands(service, program.command('keys'), async () => expect.unreachable('opened a database'));
  await expect(program.parseAsync(['keys', ...args], { from: 'user' })).rejects.toThrow(message);
}
