/**
 * A client that answers from handlers, for the tests of an app.
 *
 * @module
 */
import {
  buildTestClient,
  type TestHandlers as HandlersOf,
  type ListItem as ItemOf,
  pageResponse as page,
} from '@petstore-platform/client-runtime/testing';
import type { ClientOptions, {{Name}}Client } from './index.ts';
import { type FailureCode, sdk } from './sdk.ts';

export { MissingHandlerError } from '@petstore-platform/client-runtime/testing';

/**
 * One handler for each operation that the code under test calls, grouped as in the client. A handler takes the arguments of the
 * method and returns its data, or a `Response`.
 */
export type TestHandlers<Client = Omit<{{Name}}Client, 'withOptions' | 'fetchClient'>> = HandlersOf<Client>;

/** The items of the API's lists. */
export type ListItem<Client = Omit<{{Name}}Client, 'fetchClient'>> = ItemOf<Client>;

/**
 * Creates a client that answers from handlers, without server or network. Everything else is real: arguments are checked and
 * serialized, paging, errors and `withResponse()` work. Failures are retried, and a `Retry-After` is waited for,
 * only if `maxRetries` is given.
 *
 * An exception of a handler acts as a failed connection: the call rejects with a `network_error` whose `cause` it is. A call
 * without a handler rejects with a {@link MissingHandlerError}.
 *
 * @example
 * const {{variable}} = createTestClient({
 *   {{listName}}: () => errorResponse(503, 'service_unavailable', 'The service is temporarily unavailable'),
 * });
 */
export function createTestClient(handlers: TestHandlers, options: Omit<ClientOptions, 'fetch'> = {}): {{Name}}Client {
  return buildTestClient(sdk, handlers, options as object) as {{Name}}Client;
}

/** An error response of the service, with headers such as `{ 'Retry-After': '30' }`. */
export function errorResponse(
  status: number,
  code: FailureCode,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return sdk.failures.response(status, code, message, { 'Content-Type': 'application/json', ...headers });
}

/** A page of a list that is followed by the page at `nextCursor`. */
export function pageResponse<Item extends ListItem>(items: readonly Item[], nextCursor: string): Response {
  return page(items, nextCursor);
}
