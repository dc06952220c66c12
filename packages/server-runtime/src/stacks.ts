import pg from 'pg';

/** The files of the runtime, as a stack names them. */
const OWN = ['server-runtime', 'service', 'kysely-pipeline', 'openapi-validation', 'quota'].flatMap((name) =>
  ['src/', 'dist/'].map((folder) => new URL(`../../${name}/${folder}`, import.meta.url).pathname),
);

/** The first frame of a stack that is in a file of the service. */
export const ofService = (stack = ''): string | undefined =>
  stack
    .match(/(?<=^ {4}at ).*:\d+:\d+\)?$/gm)
    ?.find((frame) => ![...OWN, '/node_modules/', 'node:'].some((folder) => frame.includes(folder)));

/** The frame of the service that calls, through Kysely or a function of the runtime. */
export function callerInService(): string | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 50;
  const { stack } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return ofService(stack);
}

/** Notes the frame of a handler that awaits a statement: the stack of an error of Postgres begins at the socket. */
export function withCaller(error: unknown): unknown {
  const frame = error instanceof pg.DatabaseError && callerInService();
  if (frame) (error as Error).stack += `\n    at ${frame}`;
  return error;
}
