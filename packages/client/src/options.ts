import type { Middleware } from 'openapi-fetch';
import type { PetstoreError } from './error.ts';
import type { Environment } from './generated/operations.ts';
import type { DeprecationNotice } from './headers.ts';

/** How long a call may take and how often it is tried. Times are in milliseconds, `Infinity` for no limit. */
export interface CallLimits {
  /** For one attempt, from sending the request to the last byte of the body. Default: 10,000. */
  timeout?: number | undefined;
  /** For all attempts and the waits between them. A wait that would not end in time is not begun. Default: 90,000. */
  totalTimeout?: number | undefined;
  /** How many times a failed attempt may be repeated. Default: 2. */
  maxRetries?: number | undefined;
  /** The longest `Retry-After` to wait for. When the service asks for more, the call rejects at once. Default: 60,000. */
  maxRetryAfter?: number | undefined;
}

/** Options of a single call. What is not given is as the client has it. */
export interface CallOptions extends CallLimits {
  /** Headers besides the client's, which they replace; `undefined` removes one. `Authorization` is for the API key. */
  headers?: { readonly [name: string]: string | undefined } | undefined;
  /** Aborts the call at once: while it sends, reads or waits. It rejects with the signal's reason, as `fetch` does. */
  signal?: AbortSignal | null | undefined;
}

/** Options of a call that the service does not carry out twice. */
export interface IdempotentCallOptions extends CallOptions {
  /**
   * Lets the service recognize a repeated request (`Idempotency-Key`, draft-ietf-httpapi-idempotency-key-header). Give
   * one to make a call of an earlier process safe to repeat. Visible ASCII characters. Default: a new UUID for each
   * call, the same for all of its attempts.
   */
  idempotencyKey?: string | undefined;
}

/** Options of `request()`. Without an `idempotencyKey`, only a `GET` is repeated after a lost connection. */
export interface RequestOptions extends IdempotentCallOptions {
  /** Query parameters: strings, numbers, booleans or arrays of them. */
  query?: { readonly [name: string]: unknown } | undefined;
  /** The body, sent as JSON. */
  body?: unknown;
}

/** What sends a request: `globalThis.fetch`, or that of undici or node-fetch, as it is or wrapped. */
export type Fetch = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    /** Bytes only when a middleware has encoded the body (`Content-Encoding`). */
    body?: string;
    redirect: 'manual';
    signal: AbortSignal;
  },
) => Promise<
  Pick<Response, 'status' | 'text'> & { headers: Pick<Headers, 'get'> & Iterable<[string, string]>; body?: unknown }
>;

/** Options of `createClient`. */
export interface ClientOptions extends CallLimits {
  /**
   * The API key, sent as `Authorization: Bearer <apiKey>` (RFC 6750), or a function that gives it, called for every
   * attempt. Visible ASCII characters; in no error of this package. Default: the environment variable PETSTORE_API_KEY.
   */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /** The environment to talk to. Default: `'production'`. */
  environment?: Environment | undefined;
  /** Base URL with the version, such as `http://127.0.0.1:3000/v1`. Default: that of {@link environment}. */
  baseUrl?: string | undefined;
  /** Headers to send with every request. */
  headers?: CallOptions['headers'];
  /** Sends the requests, once per attempt. Default: `globalThis.fetch`, looked up at each request. */
  fetch?: Fetch | undefined;
  /**
   * Middleware of openapi-fetch, for tracing, logging and headers. It runs for every attempt, within its deadline:
   * `onRequest` in the order given, `onResponse` and `onError` in the reverse. An exception ends the call.
   */
  middleware?: readonly Middleware[] | undefined;
  /** Called before each wait for another attempt. Exceptions are ignored. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Called once for each operation whose responses announce its removal. Exceptions are ignored. */
  onDeprecation?: ((notice: DeprecationNotice) => void) | undefined;
}

/** An attempt that failed and will be repeated. */
export interface RetryEvent {
  /** The operationId. */
  readonly operation: string;
  /** The number of the attempt that failed, from 1. */
  readonly attempt: number;
  /** Milliseconds until the next one. */
  readonly delay: number;
  /** How it failed. */
  readonly error: PetstoreError;
}
