// Generated from packages/client-runtime by `pnpm contract:generate`. Do not edit.

// biome-ignore lint/suspicious/noConfusingVoidType: a function may return nothing.
type Maybe<T> = T | undefined | void;

/** What a {@link Middleware} is told of a call. */
export interface MiddlewareCall {
  readonly request: Request;
  /** The path as in the contract, with its braces. */
  readonly schemaPath: string;
  readonly params: { readonly [place in 'path' | 'query' | 'header' | 'cookie']?: { [name: string]: unknown } };
  /** The same for all functions of a call. */
  readonly id: string;
  readonly options: { readonly baseUrl: string };
}

/** Functions that see each call, and may replace its request, its response or its exception. */
export interface Middleware {
  onRequest?(call: MiddlewareCall): Maybe<Request | Response> | Promise<Maybe<Request | Response>>;
  onResponse?(call: MiddlewareCall & { readonly response: Response }): Maybe<Response> | Promise<Maybe<Response>>;
  /** The exception: not an HTTP failure, which is a response. */
  onError?(
    call: MiddlewareCall & { readonly error: unknown },
  ): Maybe<Response | Error> | Promise<Maybe<Response | Error>>;
}

/** A call as `around` sees it. */
export interface CallInfo {
  /** The operationId, or method and path of a `request()`. */
  readonly operationId: string;
  /** Requests sent so far. */
  readonly attempts: number;
}

/** Runs around a whole call, with all of its attempts. `next` starts it, and rejects with its final failure. */
export type Around = (call: CallInfo, next: () => Promise<unknown>) => unknown;
