import type { Middleware } from 'openapi-fetch';
import type { PetstoreError } from './error.ts';
import type { environments } from './generated/table.ts';
import type { DeprecationNotice } from './headers.ts';

/** How long a call may take and how often it is tried. */
export interface CallLimits {
  /**
   * Milliseconds for one attempt, from sending the request to the last byte of the body. `Infinity` for no limit.
   *
   * @default 10_000
   */
  timeout?: number | undefined;

  /**
   * Milliseconds for the whole call: all attempts and the waits between them. `Infinity` for no limit. A wait that
   * would not end in time is not begun: the call rejects at once.
   *
   * @default 90_000
   */
  totalTimeout?: number | undefined;

  /**
   * How many times a failed attempt may be repeated.
   *
   * @default 2
   */
  maxRetries?: number | undefined;

  /**
   * The longest `Retry-After` to wait for, in milliseconds. When the service asks for more, the call rejects at once.
   *
   * @default 60_000
   */
  maxRetryAfter?: number | undefined;
}

/** Headers by name; `undefined` removes one that the client has. `Authorization` is refused: it is for the API key. */
export interface RequestHeaders {
  readonly [name: string]: string | undefined;
}

/** Options of a single call. What is not given is as the client has it. */
export interface CallOptions extends CallLimits {
  /** Headers to send besides the client's; of two with one name, those of the call. */
  headers?: RequestHeaders | undefined;

  /**
   * Aborts the call at once: while it sends, reads or waits. The call rejects with the signal's reason, as `fetch` does.
   *
   * @example AbortSignal.timeout(5_000)
   */
  signal?: AbortSignal | null | undefined;
}

/** Options of a call that the service does not carry out twice. */
export interface IdempotentCallOptions extends CallOptions {
  /**
   * What the service recognizes a repeated request by (`Idempotency-Key`, draft-ietf-httpapi-idempotency-key-header).
   * Give one to make a call of an earlier process safe to repeat. Visible ASCII characters.
   *
   * @default a new UUID for each call, the same for all of its attempts
   */
  idempotencyKey?: string | undefined;
}

/** Options of `request()`. A request other than GET is repeated like one only with an `idempotencyKey`; there is no default. */
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
) => Promise<{
  readonly status: number;
  readonly headers: { get(name: string): string | null } & Iterable<[string, string]>;
  readonly body?: unknown;
  text(): Promise<string>;
}>;

/** Options of `createClient`. */
export interface ClientOptions extends CallLimits {
  /**
   * The API key, sent as `Authorization: Bearer <apiKey>` (RFC 6750), or a function that gives it, called for every
   * attempt. Visible ASCII characters. It never appears in an error of this package.
   *
   * @default the environment variable PETSTORE_API_KEY
   */
  apiKey?: string | (() => string | Promise<string>) | undefined;

  /**
   * The environment to talk to.
   *
   * @default 'production'
   */
  environment?: keyof typeof environments | undefined;

  /**
   * Base URL of the API up to and including its version, with or without a trailing slash. Takes the place of
   * {@link environment}'s.
   *
   * @example 'http://127.0.0.1:3000/v1'
   */
  baseUrl?: string | undefined;

  /** Headers to send with every request. */
  headers?: RequestHeaders | undefined;

  /**
   * What sends the requests: a proxy, a recorder, a test double. Called with a string and a plain init, once per attempt.
   *
   * @default globalThis.fetch, looked up at each request
   * @example (url, init) => undici.fetch(url, { ...init, dispatcher })
   */
  fetch?: Fetch | undefined;

  /**
   * Middleware of openapi-fetch, for tracing, logging and headers. It runs for every attempt, within its deadline:
   * `onRequest` in the order given, `onResponse` and `onError` in the reverse. What it throws ends the call.
   */
  middleware?: readonly Middleware[] | undefined;

  /**
   * Called before each wait for another attempt. Exceptions are ignored.
   *
   * @example ({ error, delay }) => console.warn(`${error.message}; next attempt in ${delay} ms`)
   */
  onRetry?: ((event: RetryEvent) => void) | undefined;

  /**
   * Called once for each operation whose responses announce its removal. Exceptions are ignored.
   *
   * @example ({ operation, sunset }) => console.warn(`${operation} will be removed on ${sunset}`)
   */
  onDeprecation?: ((notice: DeprecationNotice) => void) | undefined;
}

/** An attempt that failed and will be repeated. */
export interface RetryEvent {
  /** The operationId. */
  readonly operation: string;
  /** Which attempt failed, counted from 1. */
  readonly attempt: number;
  /** Milliseconds until the next one. */
  readonly delay: number;
  /** How it failed. */
  readonly error: PetstoreError;
}
