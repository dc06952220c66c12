import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseTraceParent } from '@opentelemetry/core';
import type { Decision } from '@petstore-platform/quota';
import type { Identity } from '../api-keys/keys.ts';
import type { Issue } from '../caller.ts';
import type { Operation } from '../contract.ts';
import { type ApiError, unavailable } from '../errors.ts';

/** Reasons why a handler need not go on. A repetition of its request runs again. */
export const GONE = unavailable('The client closed the connection');
/** Also for a handler that does not look at its signal, and goes on. */
export const SLOW = unavailable('The request took too long', { code: 'outcome_unknown' });
export const ENDING = unavailable('The server is shutting down');

/** The state of one request, from its arrival to the end of its response. */
export class RequestState {
  readonly id: string;
  readonly began = performance.now();
  /** Undefined for bytes that are no HTTP request. */
  readonly request: IncomingMessage | undefined;
  readonly response: ServerResponse | undefined;
  /** The failure to send. In steps 1 to 4 it is sent after step 5, unless that refuses the request (429). */
  failure: ApiError | undefined;
  operation: Operation | undefined = undefined;
  /** Undefined before authentication, and for a request without credentials. */
  identity: Identity | undefined = undefined;
  /** Proves the identity anew. Only a response without an end has it. */
  authenticateAgain: (() => Promise<Identity | undefined>) | undefined = undefined;
  fingerprint: string | undefined = undefined;
  /** Undefined where no operation takes tokens. */
  issue: Issue | undefined = undefined;
  /** The result of the rate limit. Undefined if it was not counted. */
  decision: Decision | undefined = undefined;
  /** Set while a read runs beside the statement that counts it. Resolves to the refusal, if the request is over its limit. */
  counting: Promise<ApiError | undefined> | undefined = undefined;
  status = 0;
  /** Address of the client, if it is to be logged. */
  address: string | undefined = undefined;
  /** The span that is traced for it. */
  trace: Trace | undefined = undefined;
  #abort: AbortController | undefined;
  #reason: ApiError | undefined;
  /** Whether the server works on it. It rests while the client sends or reads. */
  isWorking = false;
  /** Whether its handler has begun. */
  isHandled = false;

  readonly #clientHeader: string;

  constructor(id: string, clientHeader: string, request?: IncomingMessage, response?: ServerResponse) {
    this.id = id;
    this.#clientHeader = clientHeader;
    this.request = request;
    this.response = response;
  }

  /** Waits for the statement that counts the request. @throws ApiError 429 if it is over its limit */
  async counted(): Promise<void> {
    const refusal = await this.counting;
    this.counting = undefined;
    if (refusal) throw refusal;
  }

  /**
   * Aborts when the client is gone, or the server ends before the response. Node.js reports a client that is gone as one that has ended its
   * side, so a client that ends it with its request counts as gone here. It is made when it is asked for.
   */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.request?.socket.readableEnded) this.#reason ??= GONE;
    if (this.#reason) this.#abort.abort(this.#reason);
    return this.#abort.signal;
  }

  abort(reason: ApiError): void {
    this.#reason ??= reason;
    this.#abort?.abort(reason);
  }

  /** The SDK that sent it, as in `js/1.2.0`. Undefined without the header, `other` for any other value. */
  get client(): string | undefined {
    const client = this.request?.headers[this.#clientHeader];
    return client === undefined || CLIENT.test(String(client)) ? (client as string | undefined) : 'other';
  }

  /** The ids in the `traceparent` of its caller. */
  get parent(): Partial<Trace> {
    return parseTraceParent(String(this.request?.headers.traceparent)) ?? {};
  }

  get milliseconds(): number {
    return performance.now() - this.began;
  }
}

interface Trace {
  traceId: string;
  spanId: string;
}

const CLIENT = /^js\/\d{1,4}\.\d{1,4}\.\d{1,4}(-[a-z\d.]{1,16})?$/;

declare module 'node:http' {
  interface IncomingMessage {
    state: RequestState;
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
    /** Whether the client chooses between media types of the response. */
    hasChoice?: boolean;
    /** Its handler reads the body while the client sends it. */
    isStream?: true | undefined;
  }
}
