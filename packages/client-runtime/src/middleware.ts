/** A value in place of the given one, or nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function may return nothing.
export type Maybe<T> = T | undefined | void;

/** What a {@link Middleware} is told of a call. */
export interface MiddlewareCall {
  /** Before its first attempt. */
  readonly request: Request;
  /** The path as in the contract, with its braces. */
  readonly schemaPath: string;
  /** What the method was given, by place. */
  readonly params: { readonly [place in 'path' | 'query' | 'header' | 'cookie']?: { [name: string]: unknown } };
  /** The same for all functions of a call. */
  readonly id: string;
  /** Options of the client. */
  readonly options: { readonly baseUrl: string };
}

/** Functions that see each call, and may replace its request, its response or its exception. */
export interface Middleware {
  /** Called before the first attempt. A response ends the call. */
  onRequest?(call: MiddlewareCall): Maybe<Request | Response> | Promise<Maybe<Request | Response>>;
  /** Called with the final response. */
  onResponse?(call: MiddlewareCall & { readonly response: Response }): Maybe<Response> | Promise<Maybe<Response>>;
  /** Called with an exception: not with an HTTP failure, which is a response. */
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
