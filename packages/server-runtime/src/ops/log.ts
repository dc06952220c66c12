import type { Writable } from 'node:stream';
import { inspect } from 'node:util';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { pino } from 'pino';
import type { RequestState } from '../http/request-state.ts';
import { OVERLOAD } from '../http/requests.ts';
import { ofService } from '../stacks.ts';

/** The most characters of an unknown path in the log. Node.js accepts only printable ASCII. */
const MAX_PATH_LENGTH = 200;

/** Whether a request is a probe, which comes every few seconds. */
const isProbe = (url = '') => /^\/(livez|readyz)(\?|$)/.test(url);

/**
 * Makes what counts a request at its end, and logs one line for it, without key, body or query. The line of a probe that succeeds has the
 * level `debug`.
 */
export const requestLog =
  (log: FastifyBaseLogger, metrics?: { record(state: RequestState): void }) => (state: RequestState) => {
    const { id: reqId, request, operation, identity, client, address, status, failure, milliseconds } = state;
    const { traceId, spanId } = state.trace ?? state.parent;
    // Undefined fields are omitted.
    const line = {
      reqId,
      operationId: operation?.id,
      path: operation ? undefined : request?.url?.split(/[?#]/, 1)[0]?.slice(0, MAX_PATH_LENGTH),
      method: request?.method,
      keyId: identity?.id,
      plan: identity?.caller.plan,
      client,
      address,
      trace_id: traceId,
      span_id: spanId,
      status,
      code: failure?.code,
      overload: failure === OVERLOAD || undefined,
      ms: request && Math.round(milliseconds * 10) / 10,
    };
    if (status < 400 && isProbe(request?.url)) log.debug(line, 'request');
    else log.info(line, 'request');
    metrics?.record(state);
  };

/** pino's time, but formatted once a millisecond: formatting takes a fortieth of a request's time. */
let time = { at: 0, text: '' };
function timestamp(): string {
  const at = Date.now();
  if (at !== time.at) time = { at, text: `,"time":"${new Date(at).toISOString()}"` };
  return time.text;
}

const FORMAT = { timestamp, formatters: { level: (level: string) => ({ level }) } };

/** Creates the logger of the server. It describes `err` without the fields in which Postgres repeats a row. */
export const createLog = (level: string): FastifyBaseLogger =>
  pino({ ...FORMAT, level, serializers: { err: describeError } }, logOutput);

/** Switches between the configured level and `debug`, and says so. */
export function switchLevel(log: FastifyBaseLogger, configured: string): void {
  const level = log.level === 'debug' ? configured : 'debug';
  log.level = 'debug';
  log.info(`the log level is ${level}`);
  log.level = level;
}

type Description = { type: string; message: string; stack: string; [name: string]: unknown };

/** The most causes of an error in the log. It may be its own. */
const MAX_CAUSES = 8;

/** The fields of Postgres' errors without values. */
const PLACE = ['severity', 'position', 'schema', 'table', 'column', 'dataType', 'constraint', 'routine'] as const;

/** Where Postgres failed. Of its context only functions stay: statements and input in it may have values. */
const placeOf = (error: pg.DatabaseError & { statement?: unknown }) => ({
  statement: error.statement,
  where: error.where?.match(/^(PL\/\w+|SQL) function .*/gm)?.join('\n'),
  ...Object.fromEntries(PLACE.map((field) => [field, error[field]])),
});

/** An error in the log, without fields such as `detail`, in which Postgres repeats the row that it refused. */
export function describeError(error: unknown, causes = MAX_CAUSES): Description {
  try {
    if (!(error instanceof Error)) return { type: typeof error, message: inspect(error), stack: '' };
    const { name, message, code, stack = '', cause } = error as NodeJS.ErrnoException;
    return {
      type: String(name),
      message: String(message),
      at: ofService(String(stack)),
      code: code && String(code),
      ...(error instanceof pg.DatabaseError && placeOf(error)),
      stack: String(stack),
      cause: cause === undefined || causes === 0 ? undefined : describeError(cause, causes - 1),
    };
  } catch {
    // Any property of a value that was thrown may throw, too.
    return { type: typeof error, message: 'a value that cannot be read', stack: '' };
  }
}

/**
 * Writes log lines to a stream, once per turn of the event loop: a write per line would be the largest cost of logging. While the
 * stream has no reader, a bounded number of lines waits; the others are dropped, and a line reports their number afterwards. pino's sonic-boom
 * would wait for the reader at the exit.
 *
 * @param maxWaiting - the most characters of lines that wait for a reader
 */
export function logTo(stream: Writable, maxWaiting = 16 * 2 ** 20) {
  let lines = '';
  let reported = 0;
  // The server goes on without a reader, as after `serve | head`.
  stream.on('error', () => {});
  const output = {
    dropped: 0,
    write(line: string): void {
      if (stream.writableLength + lines.length + line.length > maxWaiting) {
        output.dropped += 1;
        return;
      }
      if (lines === '') setImmediate(output.flush);
      lines += line;
    },
    /** Resolves when the reader has taken all lines. */
    flush(): Promise<void> {
      const text = lines;
      lines = '';
      return new Promise((resolve) => {
        stream.write(text, (error) => {
          // A write fails when the disk is full, for example.
          if (error) output.dropped += text.split('\n').length - 1;
          else if (stream.writableLength === 0 && output.dropped > reported) report();
          resolve();
        });
      });
    },
  };
  const report = () => {
    const dropped = output.dropped - reported;
    reported = output.dropped;
    pino(FORMAT, output).warn({ dropped }, 'log lines were dropped: standard output did not take them');
  };
  return output;
}

export const logOutput = logTo(process.stdout);
process.on('exit', () => void logOutput.flush());
// A terminal that Ctrl-S has stopped would block the event loop. Node.js has no public method to prevent that.
(process.stdout as { _handle?: { setBlocking?(on: boolean): void } })._handle?.setBlocking?.(false);
