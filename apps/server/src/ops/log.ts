import { inspect } from 'node:util';
import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The operation of the contract, once a route was found. */
    operationId: string | null;
  }
}

/** One line per request, when it is over: who, what, how it ended, how long it took. No key, no body, no query. */
export class RequestLog extends LogController {
  override incomingRequest(): void {}

  override routeNotFound(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    logRequest(request, reply, { error });
  }
}

interface End {
  /** Default: that of the reply. */
  status?: number | undefined;
  error?: Error | null | undefined;
}

/** The line of one request. */
export function logRequest(request: FastifyRequest, reply: FastifyReply, end: End = {}): void {
  const { method, operationId, apiKey, errorCode } = request;
  const { status = reply.statusCode, error } = end;
  const line = {
    ...(operationId ? { operationId } : { path: request.url.split(/[?#]/, 1)[0]?.slice(0, PATH_LENGTH) }),
    method,
    ...(apiKey && { keyId: apiKey.id, plan: apiKey.plan }),
    status,
    ...(errorCode && { code: errorCode }),
    ms: Math.round(reply.elapsedTime * 10) / 10,
    ...(error && { err: error }),
  };
  request.log.info(line, 'request');
}

/** Characters of an unknown path that are logged at most. Node.js lets none but printable ASCII in. */
const PATH_LENGTH = 200;

interface ErrorDescription {
  [key: string]: unknown;
  type: string;
  message: string;
  stack: string;
}

/** What the log has of an error: not `detail` and the like, in which Postgres repeats the row that it refused. */
export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error, message: inspect(error), stack: '' };
  const { name: type, message, code, stack = '', cause } = error as NodeJS.ErrnoException;
  return { type, message, stack, ...(code && { code }), ...(cause !== undefined && { cause: describeError(cause) }) };
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
export const logOutput = {
  write(line: string): void {
    if (lines === '') setImmediate(flush);
    lines += line;
  },
};

process.on('exit', flush);
// Whoever read the lines has gone, as in `petstore-server serve | head`: no reason to stop serving.
process.stdout.on('error', () => {});
