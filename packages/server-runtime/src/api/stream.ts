import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext } from '../contract.ts';
import type { RequestDb } from '../database/statement.ts';
import { ApiError } from '../errors.ts';
import type { Incoming } from '../http/incoming.ts';
import { FILES, type FileStreams } from '../http/multipart.ts';
import type { RequestState } from '../http/request-state.ts';
import type { Handler, HandlerResult } from './handler.ts';
import { fingerprintOf } from './idempotency.ts';
import type { OperationParts } from './operation-parts.ts';
import { HandlerContext, QueryResponse } from './query-response.ts';
import type { Run } from './read.ts';
import { encoded, isStream, withBodies } from './response-body.ts';
import type { AnyRequest } from './transaction.ts';
import { type WriteOptions, write } from './write.ts';

/**
 * The handler of an operation whose bodies flow. It reads, and changes by `write` alone, once for each key, with a fingerprint that covers
 * the bytes that it has read. No transaction is open while a client sends or reads.
 */
export function stream(operation: string, run: Run, options: WriteOptions<never>, parts: OperationParts) {
  const { response, scope } = parts;
  const change = async (request: { change: Run }, ...args: [db: never, tools: never]) =>
    request.change(request as never, ...args);
  const bindWrite = write(operation, change as unknown as Run, options, parts);
  return (db: RequestDb): Handler => {
    const writer = bindWrite(db) as (request: unknown, context: RequestContext) => Promise<HandlerResult>;
    const handle = async (request: AnyRequest & { body?: object }, context: RequestContext): Promise<HandlerResult> => {
      const { body } = request;
      const files = filesOf(body);
      const source = sourceOf(body);
      const reader = db.reader<never>(scope && { scope, caller: context.caller }, { caller: context.caller.id });
      const written = new WeakSet<HandlerResult>();
      const tools = Object.assign(new HandlerContext(context.caller, context.state), {
        async write(run: (db: never, tools: never) => ReturnType<Run>): Promise<HandlerResult> {
          const { fingerprint } = context;
          const whole = fingerprint && source ? fingerprintOf([fingerprint, source.digest]) : fingerprint;
          const change = withBodies((_request, ...args) => run(...args), response, true);
          const result = await writer({ ...request, body: undefined, change }, { ...context, fingerprint: whole });
          written.add(result);
          return result;
        },
      });
      const { signal } = tools;
      try {
        const result = await run({ ...request, ...(files && { files }) } as never, reader as never, tools as never);
        if (result instanceof QueryResponse) throw new Error(`${operation}: a stream answers with { status, body }`);
        if (!isStream(result.body)) return written.has(result) ? result : encoded(result, response, false);
        if (response.media?.[result.status]) return result;
        throw new Error(`${operation}: the body of the status ${result.status} is JSON, which does not flow`);
      } catch (error) {
        // The client failed, not the handler; the handler may have wrapped the error.
        if (signal.aborted) throw signal.reason;
        throw source?.errored instanceof ApiError ? source.errored : error;
      }
    };
    return Object.assign(handle as unknown as Handler, { isStream: true as const });
  };
}

const filesOf = (body: unknown): FileStreams | undefined => Object(body)[FILES];

/** The body as it arrives. Undefined if it is in memory. */
const sourceOf = (body: unknown) => (body instanceof Readable ? (body as Incoming) : filesOf(body));

export interface StreamContext extends RequestContext {
  state: RequestState;
  /** Aborts when the server begins to drain: a response without an end ends now. */
  ending: AbortSignal;
  isHead: boolean;
  lastEventId: string | undefined;
  /** Calls back when the response has ended, or the client is gone. */
  onEnd(run: () => void): void;
}

/** Calls a handler of streams once the request is counted. The server does not work on the request meanwhile: its client sends or reads. */
export const whileClientSends =
  (handler: Handler) =>
  async (
    input: object,
    context: RequestContext,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<HandlerResult> => {
    const { state } = request.raw;
    await state.counted();
    request.server.requests.rest(state);
    // Until the end, a response may be made of the body. The rest of it is dropped.
    reply.raw.on('close', () => sourceOf((input as { body?: unknown }).body)?.destroy());
    const lastEventId = request.headers['last-event-id'];
    const whole: StreamContext = {
      ...context,
      state,
      ending: request.server.requests.ending,
      isHead: request.method === 'HEAD',
      lastEventId: lastEventId === undefined ? undefined : `${lastEventId}`,
      onEnd: (run) => void reply.raw.on('close', run),
    };
    return handler(input as never, whole);
  };
