import { inject, onTestFinished } from 'vitest';
import { type Finished, type Program, type Running, type Serving, serve, spawnServer } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The service that the tests of a package start (`test.provide` of its vitest.config.ts). */
    program: Program;
  }
}

/** Starts a server command with only `environment` as its configuration. Killed when the running test ends. */
export function start(args: string[], environment: Record<string, string>, input?: string): Running {
  const running = spawnServer(args, environment, inject('program'), input);
  onTestFinished(() => void running.child.kill('SIGKILL'));
  return running;
}

/** Runs a server command to completion. @param input - its standard input */
export function run(args: string[], environment: Record<string, string> = {}, input?: string): Promise<Finished> {
  return start(args, environment, input).finished;
}

/** The failure message of a command, from stderr or, for `serve`, from the log. */
export function failureOf({ stdout, stderr }: Finished): string {
  return stderr || JSON.parse(stdout.trimEnd().split('\n').at(-1) as string).msg;
}

/** Like {@link serve}, killed when the running test ends. */
export async function startServe(environment: Record<string, string>, ...options: string[]): Promise<Serving> {
  const server = await serve(environment, inject('program'), ...options);
  onTestFinished(() => void server.child.kill('SIGKILL'));
  return server;
}
