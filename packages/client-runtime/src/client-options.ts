import type { Middleware as FetchMiddleware } from 'openapi-fetch';
import type { CallError } from './error.ts';
import type { CallLimits, CallOptions } from './options.ts';

/** A `fetch` function: `globalThis.fetch`, or that of undici or node-fetch, plain or wrapped. */
export type Fetch = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    /** The body as text, or as bytes when a middleware has encoded it (`Content-Encoding`). */
    body?: string;
    redirect: 'manual';
    signal: AbortSignal;
  },
) => Promise<
  Pick<Response, 'status' | 'text'> & { headers: Pick<Headers, 'get'> & Iterable<[string, string]>; body?: unknown }
>;

/**
 * The type of openapi-fetch: at least one of `onRequest`, `onResponse` and `onError`. They may replace the request, the response or the
 * exception of a call, or answer it. An HTTP failure is a response.
 */
export type Middleware = FetchMiddleware;

/** A description of the call for `around`. */
export interface CallInfo {
  /** The operationId, or method and path of a `request()`. */
  readonly operationId: string;
  /** Requests sent so far. */
  readonly attempts: number;
}

/** Runs around a whole call, with all of its attempts. `next` starts it, and rejects with its final failure. */
export type Around = (call: CallInfo, next: () => Promise<unknown>) => unknown;

/** An API key, or a function that returns it. `null` sends none. */
export type ApiKey = string | null | (() => string | null | undefined | Promise<string | null | undefined>) | undefined;

/** The options of `createClient` whose documentation names no service. */
export interface CommonOptions<Retried = RetryEvent> extends CallLimits {
  /** Headers to send with every request. */
  headers?: CallOptions['headers'];
  /** Sends the requests, once per attempt. Default: `globalThis.fetch`, looked up at each request. */
  fetch?: Fetch | undefined;
  /**
   * Middleware, for tracing, logging and headers. It runs once per call, outside the retries and within
   * `totalTimeout`: `onRequest` in the order given, `onResponse` and `onError` in the reverse. It does not see the API key. An
   * exception ends the call. For each attempt, use the option `fetch` or `onRetry`.
   */
  middleware?: readonly Middleware[] | undefined;
  /**
   * Runs around each whole call, retries included, for example to open a span that is the parent of the attempts. It must call
   * `next`. The call settles as `next` does, or rejects with an exception of this function.
   */
  around?: Around | undefined;
  /** Called before each retry. Exceptions are ignored. */
  onRetry?: ((event: Retried) => void) | undefined;
}

/** The options of `createClient` of any SDK, whose own type documents the other three. */
export interface ClientOptions extends CommonOptions {
  apiKey?: ApiKey;
  environment?: string | undefined;
  baseUrl?: string | undefined;
}

/** A failed attempt that will be retried. */
export interface RetryEvent<Failure = CallError> extends Pick<CallError, 'operation' | 'method' | 'url' | 'status'> {
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** Duration of the attempt, in milliseconds. */
  readonly duration: number;
  /** The failure of the attempt. */
  readonly error: Failure;
  /** Milliseconds until the next attempt. */
  readonly delay: number;
}
