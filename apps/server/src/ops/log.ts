import { inspect } from 'node:util';
import { type FastifyBaseLogger, LogController } from 'fastify';
import type { Exchange } from '../http/exchange.ts';

/** Characters of an unknown path that are logged at most. Node.js lets none but printable ASCII in. */
const PATH_LENGTH = 200;

/** One line per exchange, when it is over: who, what, how it ended, how long it took. No key, no body, no query. */
export function logExchange(log: FastifyBaseLogger, exchange: Exchange): void {
  const { id: reqId, request, operation, apiKey, client, status, code, overload, milliseconds } = exchange;
  // What is undefined is left out.
  const line = {
    reqId,
    operationId: operation?.id,
    path: operation ? undefined : request?.url?.split(/[?#]/, 1)[0]?.slice(0, PATH_LENGTH),
    method: request?.method,
    keyId: apiKey?.id,
    plan: apiKey?.plan,
    client,
    status,
    code,
    overload,
    ms: request && Math.round(milliseconds * 10) / 10,
  };
  log.info(line, 'request');
}

/** The server's logger. Requests have lines of ours only, which name their request. */
export const logging = (level: string) => ({
  logger: { level, serializers: { err: describeError }, stream: logOutput },
  logController: new LogController({ disableRequestLogging: true }),
  childLoggerFactory: <Logger>(logger: Logger) => logger,
});

type Description = { type: string; message: string; stack: string; [name: string]: unknown };

/** What the log has of an error: not `detail` and the like, in which Postgres repeats the row that it refused. */
export function describeError(error: unknown): Description {
  if (!(error instanceof Error)) return { type: typeof error, message: inspect(error), stack: '' };
  const { name: type, message, code, stack = '', cause } = error as NodeJS.ErrnoException;
  return { type, message, stack, code, cause: cause === undefined ? undefined : describeError(cause) };
}

let lines = '';

function flush(): void {
  process.stdout.write(lines);
  lines = '';
}

/**
 * Where log lines go: standard output, in one write for each turn of the event loop. A write for each line costs more than
 * all else about logging; the last lines are written when the process exits, whatever ends it.
 */
const logOutput = {
  write(line: string): void {
    if (lines === '') setImmediate(flush);
    lines += line;
  },
};

process.on('exit', flush);
// Whoever read the lines has gone, as in `petstore-server serve | head`: no reason to stop serving.
process.stdout.on('error', () => {});
