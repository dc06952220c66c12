import type { Words } from './client-sdk.ts';
import { CLIENT_RUNTIME } from './names.ts';
import { quoted } from './values.ts';

/** Types of the runtime that an SDK exports: those of its documentation, and all that a compiler may infer for an export of an app. */
const TYPES = `
  Around Call CallInfo CallLimits CallOptions CallResult Fetch FetchCall FetchCallArguments FetchCallOptions
  FetchCallResult FetchOptions FieldFailure IdempotentCallOptions Middleware PagedCall PageResult RateLimit RateLimitWindow
  RequestOptions`;

const listed = (names: string) =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => `  ${name},\n`)
    .join('');

/** The credential in the options of a client. */
const apiKey = (prefix: string) => `  /**
   * The API key, sent as \`Authorization: Bearer <apiKey>\` (RFC 6750), or a function that returns it, called for every
   * attempt. It consists of visible ASCII characters. No error contains it. \`null\` sends none, for a backend of your own that adds
   * it. Default: the environment variable ${prefix}_API_KEY. If the module is also loaded where that is not set, as in a build, give
   * a function.
   */
  apiKey?: ApiKey;
`;

/** The main entry. */
export function clientIndex({ variable, Name, prefix, list }: Words, isSecured: boolean): string {
  return `/**
 * The ${Name} API, typed: one method per operation, retries that are safe, deadlines that hold, and one kind of error.
 *
 * @module
 */
import {
${isSecured ? '' : '  type ApiKey,\n'}  buildClient,
  type ClientOf,
  type CommonOptions,
  type FetchClientOf,
  isFailure,
  type RetryEvent as RetryEventOf,
} from '${CLIENT_RUNTIME}';
${isSecured ? `import type { Credentials } from '${CLIENT_RUNTIME}/credentials';\n` : ''}import type { Deprecated } from './deprecated.ts';
import type { Environment, FailureCodes, OperationFailures, Operations } from './operations.ts';
import type { paths } from './schema.ts';
import { type ErrorCode, type FailureBody, ${Name}Error, sdk } from './sdk.ts';

export type {
${listed(TYPES)}} from '${CLIENT_RUNTIME}';
export type * from './operations.ts';
export type { paths } from './schema.ts';
export { type ErrorCode, type FailureBody, type FailureCode, ${Name}Error } from './sdk.ts';

/** A failed attempt that will be retried. */
export interface RetryEvent extends RetryEventOf<${Name}Error> {}

/** The client of openapi-fetch for this API, its options checked. */
export interface FetchClient extends FetchClientOf<paths, Deprecated> {}

/** Options of \`createClient\`. */
export interface ClientOptions extends CommonOptions<RetryEvent>${isSecured ? ', Credentials' : ''} {
${isSecured ? '' : apiKey(prefix)}  /** The environment to talk to. Default: the first, which is \`'production'\` in most contracts. */
  environment?: Environment | undefined;
  /**
   * Base URL with the version, such as \`http://127.0.0.1:3000/v1\`, or a path on the server of the page, such as \`/api\`. Default: the
   * URL of the \`environment\` or, without one, the environment variable ${prefix}_BASE_URL.
   */
  baseUrl?: string | undefined;
}

/** A client of the ${Name} API: one method per operation of the contract. */
export interface ${Name}Client extends Operations, ClientOf<${Name}Client, ClientOptions> {
  /**
   * The openapi-fetch client that sends the calls of the methods. Use it with openapi-react-query, swr-openapi and other
   * libraries for openapi-fetch. Its calls have the same API key, checks, retries and deadlines, and take the options of a method
   * in addition to those of openapi-fetch.
   *
   * An HTTP failure resolves to \`{ error, response }\`, the \`error\` a {@link ${Name}Error}. A call without a response rejects
   * as a method does.
   *
   * @example
   * const { data, error } = await ${variable}.fetchClient.GET(${list.path});
   */
  readonly fetchClient: FetchClient;
}

/**
 * Creates a client. It holds no connection and needs no closing.
 *
 * Methods take the parameters in one object, then the body, then the options of the call. They send at once and never
 * throw synchronously. A call resolves to the body that the contract defines, or rejects with a {@link ${Name}Error}.
 * Other rejections: a \`TypeError\` for an invalid argument (nothing was sent), the reason of the caller's \`signal\`, and errors
 * of the caller's own \`apiKey\` function and middleware.
${isSecured ? ' * A call has the credentials that its operation takes, as far as the client has them.\n' : ''} *
 * @throws TypeError if an option is invalid${isSecured ? '' : ', or there is no API key'}
 *
 * @example
 * const ${variable} = createClient({ apiKey: 'YOUR_API_KEY' });
 * const items = await ${variable}.${list.call};
 */
export function createClient(options: ClientOptions = {}): ${Name}Client {
  return buildClient(sdk, options as object) as ${Name}Client;
}

/** A failure that an operation declares for a status. Editors offer the codes of the status; new ones may be added. */
export interface DeclaredFailure<
  Operation extends keyof OperationFailures,
  Status extends keyof OperationFailures[Operation],
> extends ${Name}Error {
  /** The \`operationId\`. */
  readonly operation: Operation;
  /** The HTTP status. */
  readonly status: Status & number;
  /** The kind of failure. New codes may be added. */
  readonly code: Status extends keyof FailureCodes ? FailureCodes[Status] | (string & {}) : ErrorCode;
  /** The body of the response. */
  readonly body: Extract<OperationFailures[Operation][Status], FailureBody>;
}

/**
 * Whether a caught value is a {@link ${Name}Error}. Unlike \`instanceof\`, it also recognizes an error of another copy of this
 * package or of another realm.
 *
 * @param operation - matches failures of this operation only
 * @param status - matches only the failure that the contract declares for the operation and this status, body included. The
 *   same status with another body, such as the page of a proxy, does not match.
 */
export function is${Name}Error<
  const Operation extends keyof OperationFailures = never,
  const Status extends Exclude<keyof OperationFailures[Operation], 'default'> = never,
>(
  error: unknown,
  operation?: Operation,
  status?: Status,
): error is [Status] extends [never]
  ? ${Name}Error & ([Operation] extends [never] ? unknown : { readonly operation: Operation })
  : DeclaredFailure<Operation, Status> {
  return isFailure('${Name}Error', error, operation, status);
}
`;
}

/** The entry for TanStack Query. */
export function clientReactQuery({ variable, list }: Words): string {
  return `/**
 * Options of TanStack Query for the operations of the API.
 *
 * @module
 */
import { buildQueries, type QueriesOptions } from '${CLIENT_RUNTIME}/react-query';
import type { Operations } from './operations.ts';
import type { Queries } from './queries.ts';
import { operations } from './table.ts';

export type {
${listed('InfinitePage InfiniteQueryOptionsOf ListQuery Mutation MutationOptionsOf NotRetried QueriesOptions Query QueryNames QueryOptionsOf')}} from '${CLIENT_RUNTIME}/react-query';
export type * from './queries.ts';

/**
 * Options of TanStack Query for the operations of a client: queries for those that read, mutations for those that change something.
 * Only plain data is cached.
 *
 * @example
 * const queries = ${variable}Queries(${variable});
 * const { data, error } = useQuery(queries.${list.call});
 */
export function ${variable}Queries(client: Operations, options?: QueriesOptions): Queries {
  return buildQueries(${quoted(variable)}, operations, client, options) as Queries;
}
`;
}

/** The entry for the tests of an app. */
export function clientTesting({ variable, Name, list }: Words): string {
  return `/**
 * A client that answers from handlers, for the tests of an app.
 *
 * @module
 */
import {
  buildTestClient,
  type TestHandlers as HandlersOf,
  type ListItem as ItemOf,
  pageResponse as page,
} from '${CLIENT_RUNTIME}/testing';
import type { ClientOptions, ${Name}Client } from './index.ts';
import { type FailureCode, sdk } from './sdk.ts';

export { MissingHandlerError } from '${CLIENT_RUNTIME}/testing';

/**
 * One handler for each operation that the code under test calls, grouped as in the client. A handler takes the arguments of the
 * method and returns its data, or a \`Response\`.
 */
export type TestHandlers<Client = Omit<${Name}Client, 'withOptions' | 'fetchClient'>> = HandlersOf<Client>;

/** The items of the API's lists. */
export type ListItem<Client = Omit<${Name}Client, 'fetchClient'>> = ItemOf<Client>;

/**
 * Creates a client that answers from handlers, without server or network. Everything else is real: arguments are checked and
 * serialized, paging, errors and \`withResponse()\` work. Failures are retried, and a \`Retry-After\` is waited for,
 * only if \`maxRetries\` is given.
 *
 * An exception of a handler acts as a failed connection: the call rejects with a \`network_error\` whose \`cause\` it is. A call
 * without a handler rejects with a {@link MissingHandlerError}.
 *
 * @example
 * const ${variable} = createTestClient({
 *   ${list.name}: () => errorResponse(503, 'service_unavailable', 'The service is temporarily unavailable'),
 * });
 */
export function createTestClient(handlers: TestHandlers, options: Omit<ClientOptions, 'fetch'> = {}): ${Name}Client {
  return buildTestClient(sdk, handlers, options as object) as ${Name}Client;
}

/** An error response of the service, with headers such as \`{ 'Retry-After': '30' }\`. */
export function errorResponse(
  status: number,
  code: FailureCode,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return sdk.failures.response(status, code, message, { 'Content-Type': 'application/json', ...headers });
}

/** A page of a list that is followed by the page at \`nextCursor\`. */
export function pageResponse<Item extends ListItem>(items: readonly Item[], nextCursor: string): Response {
  return page(items, nextCursor);
}
`;
}
