/**
 * A client of an SDK that answers from handlers, for the tests of an app.
 *
 * @module
 */
import type { PendingCall } from './attempt.ts';
import type { Call, PagedCall } from './call.ts';
import { buildClient } from './client.ts';
import type { ClientOptions, Fetch } from './client-options.ts';
import { eventResponse, type ServerEvent } from './events.ts';
import type { Init, Operation } from './operation.ts';
import type { Sdk } from './sdk.ts';

/**
 * One handler for each operation that the code under test calls, grouped as in the client. A handler takes the arguments of the
 * method and returns its data, or a `Response`; for events, those of a connection, after which the iteration ends.
 */
export type TestHandlers<Client> = {
  readonly [Name in keyof Client]?: Client[Name] extends (...args: infer Args) => Call<infer Data>
    ? (...args: Required<Args>) => Data | Response | Promise<Data | Response>
    : Client[Name] extends (...args: infer Args) => AsyncIterable<infer Event>
      ? (...args: Required<Args>) => Response | Iterable<Event> | AsyncIterable<Event>
      : TestHandlers<Client[Name]>;
};

/** The items of the API's lists. */
export type ListItem<Client> = {
  [Name in keyof Client]: Client[Name] extends (...args: never) => infer Result
    ? Result extends PagedCall<infer Page>
      ? Page[number]
      : never
    : ListItem<Client[Name]>;
}[keyof Client];

/** The rejection of a call without a handler. It is no error of the SDK's class, because the app might handle that. */
export class MissingHandlerError extends Error {
  /** `'MissingHandlerError'`. */
  override readonly name: string = 'MissingHandlerError';
}

/** The client of an SDK that answers from handlers, without server or network. */
export function buildTestClient(sdk: Sdk, handlers: object, options: Omit<ClientOptions, 'fetch'> = {}): object {
  const formatOf: Sdk['formatOf'] = (operation, call) => {
    const init = sdk.formatOf?.(operation, call) ?? call;
    const flow = (call: PendingCall) => {
      // A `fetch` of the call comes first.
      if (!init.fetch) call.fetch = answerOf(call.operation, operation, init, handlers);
      init.flow?.(call);
    };
    return { ...init, flow };
  };
  const limits = options.maxRetries ? {} : { maxRetries: 0, maxRetryAfter: 0 };
  return buildClient({ ...sdk, formatOf }, { apiKey: 'test', ...limits, ...options });
}

/** The `fetch` of a call, which answers from its handler. */
function answerOf(name: string, operation: Operation, init: Init, handlers: object): Fetch {
  const { params: sent, values: params = sent, body, ...options } = init;
  const listed = operation.idempotencyKey !== 'given';
  const group = operation.stability ? Object(handlers)[operation.stability] : handlers;
  const handler: ((...args: unknown[]) => unknown) | undefined = group?.[listed ? name : 'request'];
  if (!handler) throw new MissingHandlerError(`createTestClient has no handler for ${listed ? name : 'request'}`);
  // Absent parameters become `{}`, so that handlers can destructure them: `({ status }) => …`.
  const { parameters, body: hasBody, method, path } = operation;
  const all = parameters && Object.assign({}, ...Object.values(params ?? {}));
  const args = listed
    ? [all, hasBody && (body ?? {}), options]
    : [method, path, { query: params?.query, body, ...options }];
  return async () => {
    const answer = await handler(...args.filter((argument) => argument !== undefined));
    // A body can be read only once, but a handler may return the same response again.
    if (answer instanceof Response) return answer.clone();
    if (operation.events) return eventResponse(answer as AsyncIterable<ServerEvent>);
    if (typeof answer === 'string' || answer instanceof Blob)
      return new Response(answer instanceof Blob || operation.result !== 'any' ? answer : JSON.stringify(answer));
    return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer);
  };
}

/** A page of a list that is followed by the page at `nextCursor`. */
export function pageResponse(items: readonly unknown[], nextCursor: string): Response {
  const next = new URLSearchParams({ cursor: nextCursor });
  return Response.json(items, { headers: { Link: `<?${next}>; rel="next"` } });
}
