/** A value in place of the given one, or nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function may return nothing.
export type Maybe<T> = T | undefined | void;

/** The argument of each function of a {@link Middleware}. */
export interface MiddlewareCall {
  /** The request as it was before the first attempt. */
  readonly request: Request;
  /** The path as in the contract, with its braces. */
  readonly schemaPath: string;
  /** The parameters that the method was given, by location. */
  readonly params: { readonly [place in 'path' | 'query' | 'header' | 'cookie']?: { [name: string]: unknown } };
  /** An identifier of the call, the same for all functions. */
  readonly id: string;
  /** Options of the client. */
  readonly options: { readonly baseUrl: string };
}

interface Functions {
  /** Called before the first attempt. A response ends the call. */
  onRequest(call: MiddlewareCall): Maybe<Request | Response> | Promise<Maybe<Request | Response>>;
  /** Called with the final response. */
  onResponse(call: MiddlewareCall & { readonly response: Response }): Maybe<Response> | Promise<Maybe<Response>>;
  /** Called with an exception. An HTTP failure is a response, and calls `onResponse`. */
  onError(
    call: MiddlewareCall & { readonly error: unknown },
  ): Maybe<Response | Error> | Promise<Maybe<Response | Error>>;
}

/** Functions, at least one, that see each call, and may replace its request, its response or its exception: openapi-fetch's type. */
export type Middleware = { [Name in keyof Functions]: Pick<Functions, Name> & Partial<Functions> }[keyof Functions];

/** A description of the call for `around`. */
export interface CallInfo {
  /** The operationId, or method and path of a `request()`. */
  readonly operationId: string;
  /** Requests sent so far. */
  readonly attempts: number;
}

/** Runs around a whole call, with all of its attempts. `next` starts it, and rejects with its final failure. */
export type Around = (call: CallInfo, next: () => Promise<unknown>) => unknown;
