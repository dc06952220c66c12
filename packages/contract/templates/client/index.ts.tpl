/**
 * The {{Name}} API, typed: one method per operation, retries that are safe, deadlines that hold, and one kind of error.
 *
 * @module
 */
import {
{{!secured}}  type ApiKey,
  buildClient,
  type ClientOf,
  type CommonOptions,
  type FetchClientOf,
  isFailure,
  type RetryEvent as RetryEventOf,
} from '@petstore-platform/client-runtime';
{{?secured}}import type { Credentials } from '@petstore-platform/client-runtime/credentials';
import type { Deprecated } from './deprecated.ts';
import type { Environment, FailureCodes, OperationFailures, Operations } from './operations.ts';
import type { paths } from './schema.ts';
import { type ErrorCode, type FailureBody, {{Name}}Error, sdk } from './sdk.ts';

export type {
  Around,
  Call,
  CallInfo,
  CallLimits,
  CallOptions,
  CallResult,
  Fetch,
  FetchCall,
  FetchCallArguments,
  FetchCallOptions,
  FetchCallResult,
  FetchOptions,
  FieldFailure,
  IdempotentCallOptions,
  Middleware,
  PagedCall,
  PageResult,
  RateLimit,
  RateLimitWindow,
  RequestOptions,
} from '@petstore-platform/client-runtime';
export type * from './operations.ts';
export type { paths } from './schema.ts';
export { type ErrorCode, type FailureBody, type FailureCode, {{Name}}Error } from './sdk.ts';

/** A failed attempt that will be retried. */
export interface RetryEvent extends RetryEventOf<{{Name}}Error> {}

/** The client of openapi-fetch for this API, its options checked. */
export interface FetchClient extends FetchClientOf<paths, Deprecated> {}

/** Options of `createClient`. */
export interface ClientOptions extends CommonOptions<RetryEvent>{{credentials}} {
{{!secured}}  /**
{{!secured}}   * The API key, sent as `Authorization: Bearer <apiKey>` (RFC 6750), or a function that returns it, called for every
{{!secured}}   * attempt. It consists of visible ASCII characters. No error contains it. `null` sends none, for a backend of your own that adds
{{!secured}}   * it. Default: the environment variable {{prefix}}_API_KEY. If the module is also loaded where that is not set, as in a build, give
{{!secured}}   * a function.
{{!secured}}   */
{{!secured}}  apiKey?: ApiKey;
  /** The environment to talk to. Default: the first, which is `'production'` in most contracts. */
  environment?: Environment | undefined;
  /**
   * Base URL with the version, such as `http://127.0.0.1:3000/v1`, or a path on the server of the page, such as `/api`. Default: the
   * URL of the `environment` or, without one, the environment variable {{prefix}}_BASE_URL.
   */
  baseUrl?: string | undefined;
}

/** A client of the {{Name}} API: one method per operation of the contract. */
export interface {{Name}}Client extends Operations, ClientOf<{{Name}}Client, ClientOptions> {
  /**
   * The openapi-fetch client that sends the calls of the methods. Use it with openapi-react-query, swr-openapi and other
   * libraries for openapi-fetch. Its calls have the same API key, checks, retries and deadlines, and take the options of a method
   * in addition to those of openapi-fetch.
   *
   * An HTTP failure resolves to `{ error, response }`, the `error` a {@link {{Name}}Error}. A call without a response rejects
   * as a method does.
   *
   * @example
   * const { data, error } = await {{variable}}.fetchClient.GET({{listPath}});
   */
  readonly fetchClient: FetchClient;
}

/**
 * Creates a client. It holds no connection and needs no closing.
 *
 * Methods take the parameters in one object, then the body, then the options of the call. They send at once and never
 * throw synchronously. A call resolves to the body that the contract defines, or rejects with a {@link {{Name}}Error}.
 * Other rejections: a `TypeError` for an invalid argument (nothing was sent), the reason of the caller's `signal`, and errors
 * of the caller's own `apiKey` function and middleware.
{{?secured}} * A call has the credentials that its operation takes, as far as the client has them.
 *
{{?secured}} * @throws TypeError if an option is invalid
{{!secured}} * @throws TypeError if an option is invalid, or there is no API key
 *
 * @example
 * const {{variable}} = createClient({ apiKey: 'YOUR_API_KEY' });
 * const items = await {{variable}}.{{listCall}};
 */
export function createClient(options: ClientOptions = {}): {{Name}}Client {
  return buildClient(sdk, options as object) as {{Name}}Client;
}

/** A failure that an operation declares for a status. Editors offer the codes of the status; new ones may be added. */
export interface DeclaredFailure<
  Operation extends keyof OperationFailures,
  Status extends keyof OperationFailures[Operation],
> extends {{Name}}Error {
  /** The `operationId`. */
  readonly operation: Operation;
  /** The HTTP status. */
  readonly status: Status & number;
  /** The kind of failure. New codes may be added. */
  readonly code: Status extends keyof FailureCodes ? FailureCodes[Status] | (string & {}) : ErrorCode;
  /** The body of the response. */
  readonly body: Extract<OperationFailures[Operation][Status], FailureBody>;
}

/**
 * Whether a caught value is a {@link {{Name}}Error}. Unlike `instanceof`, it also recognizes an error of another copy of this
 * package or of another realm.
 *
 * @param operation - matches failures of this operation only
 * @param status - matches only the failure that the contract declares for the operation and this status, body included. The
 *   same status with another body, such as the page of a proxy, does not match.
 */
export function is{{Name}}Error<
  const Operation extends keyof OperationFailures = never,
  const Status extends Exclude<keyof OperationFailures[Operation], 'default'> = never,
>(
  error: unknown,
  operation?: Operation,
  status?: Status,
): error is [Status] extends [never]
  ? {{Name}}Error & ([Operation] extends [never] ? unknown : { readonly operation: Operation })
  : DeclaredFailure<Operation, Status> {
  return isFailure('{{Name}}Error', error, operation, status);
}
