import type { Run } from '@repo/server-runtime/internal/keys/output';
import type { Finished } from '@repo/testkit/commands';
import { Command } from 'commander';
import { expect } from 'vitest';
import { addKeysCommands, type DatabaseHandle } from './runtime.ts';

/** Stdout of a command; asserts success and an empty stderr. */
export async function outputOf(command: Promise<Finished>): Promise<string> {
  const { code, stdout, stderr } = await command;
  expect([code, stderr]).toEqual([0, '']);
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
  addKeysCommands(program.command('keys'), async () => expect.unreachable('opened a database'));
  await expect(program.parseAsync(['keys', ...args], { from: 'user' })).rejects.toThrow(message);
}

/** Runs a command of `keys` in this process, which is faster than one of its own. @returns its output */
export async function inProcess(db: DatabaseHandle, ...args: string[]): Promise<string> {
  let printed = '';
  const program = new Command().exitOverride().configureOutput({ writeErr() {} });
  const run: Run = async (work) => {
    for await (const part of await work(db)) printed += part;
  };
  addKeysCommands(program.command('keys'), run, async (text) => {
    printed += text;
  });
  await program.parseAsync(['keys', ...args], { from: 'user' });
  return printed;
}
