/** Time limits and retries of a call. Times are in milliseconds, `Infinity` for no limit. */
export interface CallLimits {
  /** Limit for one attempt, from sending the request to the last byte of the body. Default: 10,000. */
  timeout?: number | undefined;
  /** Limit for all attempts and the waits between them. Rejects early if a wait would exceed it. Default: 90,000. */
  totalTimeout?: number | undefined;
  /** Maximum number of retries. All calls of a client also share a retry budget. Default: 2. */
  maxRetries?: number | undefined;
  /** The longest `Retry-After` to wait for. For a longer one, the call rejects at once. Default: 60,000. */
  maxRetryAfter?: number | undefined;
}

/** Options of `fetch` that calls pass on, as far as the `fetch` at hand knows them. */
export interface FetchOptions {
  /** How the HTTP cache of a browser is used, or that of Next.js. */
  cache?: 'default' | 'force-cache' | 'no-cache' | 'no-store' | 'only-if-cached' | 'reload' | undefined;
  /** Lets a request with a body of up to 64 kB outlive the page. */
  keepalive?: boolean | undefined;
  /** The priority among the requests of a page. */
  priority?: 'high' | 'low' | 'auto' | undefined;
  /** Options of Next.js that set how long the response is cached, in seconds, and under which tags. */
  next?: { revalidate?: number | false | undefined; tags?: string[] | undefined } | undefined;
  /** A pool or a proxy of undici, the `fetch` of Node.js. */
  dispatcher?: unknown;
}

/** Options of a single call. The default is the client's option. */
export interface CallOptions extends CallLimits, FetchOptions {
  /** Headers merged over the client's; `undefined` removes one. `Authorization` and `Idempotency-Key` are refused. */
  headers?: { readonly [name: string]: string | undefined } | undefined;
  /** Aborts the call at once: while it sends, reads or waits. It rejects with the signal's reason, as `fetch` does. */
  signal?: AbortSignal | null | undefined;
}

/** Options of a call with an idempotency key. */
export interface IdempotentCallOptions extends CallOptions {
  /**
   * Lets the service recognize a repeated request (`Idempotency-Key`, draft-ietf-httpapi-idempotency-key-header). Pass
   * one to repeat a call of an earlier process safely. Visible ASCII characters. Default: a new UUID for each
   * call, the same for all of its attempts.
   */
  idempotencyKey?: string | undefined;
}

/** Options of `request()`. After a lost connection, it repeats a `GET` or `PUT`, or a call with an `idempotencyKey`, if the operation takes one. */
export interface RequestOptions extends IdempotentCallOptions {
  /** Query parameters: strings, numbers, booleans or arrays of them. */
  query?: { readonly [name: string]: unknown } | undefined;
  /** The body, sent as JSON. */
  body?: unknown;
}
