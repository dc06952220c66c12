import { inspect } from 'node:util';
import { type FastifyBaseLogger, LogController } from 'fastify';
import type { Exchange } from '../http/exchange.ts';
import { OVERLOAD } from '../http/exchanges.ts';

/** Characters of an unknown path in the log, at most. Node.js accepts only printable ASCII. */
const PATH_LENGTH = 200;

/** Logs one line at the end of each exchange, without key, body or query. */
export function logExchange(log: FastifyBaseLogger, exchange: Exchange): void {
  const { id: reqId, request, operation, apiKey, client, status, failure, milliseconds } = exchange;
  // Undefined fields are omitted.
  const line = {
    reqId,
    operationId: operation?.id,
    path: operation ? undefined : request?.url?.split(/[?#]/, 1)[0]?.slice(0, PATH_LENGTH),
    method: request?.method,
    keyId: apiKey?.id,
    plan: apiKey?.plan,
    client,
    status,
    code: failure?.code,
    overload: failure === OVERLOAD || undefined,
    ms: request && Math.round(milliseconds * 10) / 10,
  };
  log.info(line, 'request');
}

/** Logger options of Fastify. Its own request lines and child loggers are off. */
export const logging = (level: string) => ({
  logger: { level, serializers: { err: describeError }, stream: logOutput },
  logController: new LogController({ disableRequestLogging: true }),
  childLoggerFactory: <Logger>(logger: Logger) => logger,
});

type Description = { type: string; message: string; stack: string; [name: string]: unknown };

/** An error in the log, without fields such as `detail`, in which Postgres repeats the row that it refused. */
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
 * Writes log lines to standard output, once per turn of the event loop: a write per line would be the largest cost of logging.
 * The last lines are written when the process exits.
 */
const logOutput = {
  write(line: string): void {
    if (lines === '') setImmediate(flush);
    lines += line;
  },
};

process.on('exit', flush);
// Go on serving without a reader, as after `petstore-server serve | head`.
process.stdout.on('error', () => {});
