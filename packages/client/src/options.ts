import type { Middleware } from 'openapi-fetch';
import type { PetstoreError } from './error.ts';
import type { Environment } from './generated/operations.ts';
import type { DeprecationNotice } from './headers.ts';

/** Time limits and retries of a call. Times are in milliseconds, `Infinity` for no limit. */
export interface CallLimits {
  /** Limit for one attempt, from sending the request to the last byte of the body. Default: 10,000. */
  timeout?: number | undefined;
  /** Limit for all attempts and the waits between them. Rejects early if a wait would exceed it. Default: 90,000. */
  totalTimeout?: number | undefined;
  /** Maximum number of retries. Default: 2. */
  maxRetries?: number | undefined;
  /** The longest `Retry-After` to wait for. For a longer one, the call rejects at once. Default: 60,000. */
  maxRetryAfter?: number | undefined;
}

/** Options of a single call. The default is the client's option. */
export interface CallOptions extends CallLimits {
  /** Headers merged over the client's; `undefined` removes one. `Authorization` and `Idempotency-Key` are refused. */
  headers?: { readonly [name: string]: string | undefined } | undefined;
  /** Aborts the call at once: while it sends, reads or waits. It rejects with the signal's reason, as `fetch` does. */
  signal?: AbortSignal | null | undefined;
}

/** Options of a call with an idempotency key. */
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

/** A `fetch` function: `globalThis.fetch`, or that of undici or node-fetch, plain or wrapped. */
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
   * The API key, sent as `Authorization: Bearer <apiKey>` (RFC 6750), or a function that returns it, called for every
   * attempt. Visible ASCII characters. No error contains it. Default: the environment variable PETSTORE_API_KEY.
   */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /** The environment to talk to. Default: `'production'`. */
  environment?: Environment | undefined;
  /** Base URL with the version, such as `http://127.0.0.1:3000/v1`. Default: the URL of the {@link environment}. */
  baseUrl?: string | undefined;
  /** Headers to send with every request. */
  headers?: CallOptions['headers'];
  /** Sends the requests, once per attempt. Default: `globalThis.fetch`, looked up at each request. */
  fetch?: Fetch | undefined;
  /**
   * Middleware of openapi-fetch, for tracing, logging and headers. It runs once per call, outside the retries and within
   * `totalTimeout`: `onRequest` in the order given, `onResponse` and `onError` in the reverse. It does not see the API key. An
   * exception ends the call. For each attempt, use {@link fetch} or {@link onRetry}.
   */
  middleware?: readonly Middleware[] | undefined;
  /** Called before each retry. Exceptions are ignored. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Called once for each operation whose responses announce its removal. Exceptions are ignored. */
  onDeprecation?: ((notice: DeprecationNotice) => void) | undefined;
}

/** A failed attempt that will be retried. */
export interface RetryEvent extends Pick<PetstoreError, 'operation'> {
  /** The number of the attempt that failed, from 1. */
  readonly attempt: number;
  /** Milliseconds until the next attempt. */
  readonly delay: number;
  /** The failure of the attempt. */
  readonly error: PetstoreError;
}
