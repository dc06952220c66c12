import type { Call } from './call.ts';
import type { PetstoreClient } from './client.ts';
import type { ErrorBody, Operations } from './generated/operations.ts';
import { environments, operations } from './generated/table.ts';
import { buildClient } from './internal/build-client.ts';
import type { Operation } from './internal/operation.ts';
import { readSettings } from './internal/settings.ts';
import { system } from './internal/system.ts';
import type { ClientOptions } from './options.ts';

/** The methods of all operations, those in the groups `experimental` and `beta` included. */
type Methods = MethodsOf<Operations>;
type MethodsOf<T> = {
  [Name in keyof T as T[Name] extends (...args: never) => unknown ? Name : never]: T[Name];
} & (T extends { readonly experimental: infer Group } ? MethodsOf<Group> : unknown) &
  (T extends { readonly beta: infer Group } ? MethodsOf<Group> : unknown);

/** What an operation answers: its data, or a `Response` for whatever else a service may answer. */
type Handler<Method> = Method extends (...args: infer Args) => Call<infer Data>
  ? (...args: Required<Args>) => Data | Response | Promise<Data | Response>
  : never;

/** One handler per operation that the code under test calls. It takes the arguments of the method. */
export type TestHandlers = { readonly [Name in keyof Methods]?: Handler<Methods[Name]> };

/**
 * Creates a client that answers from handlers, for the tests of an app: no server, no network. All else is real:
 * arguments are checked and made JSON, paging, errors and `withResponse()` work. Failures are not repeated unless
 * `maxRetries` is given.
 *
 * A handler that throws is a connection that fails: the call rejects with a `network_error` whose cause is what was
 * thrown. So does a call of an operation without a handler.
 *
 * @example
 * const petstore = createTestClient({
 *   listPets: ({ status }) => [{ id: 1, name: 'Biscuit', categoryId: 7, status }],
 *   getPet: ({ petId }) => errorResponse(404, 'not_found', `There is no animal ${petId}`),
 * });
 */
export function createTestClient(
  handlers: TestHandlers,
  options: Omit<Partial<ClientOptions>, 'fetch'> = {},
): PetstoreClient {
  const settings = readSettings({ apiKey: 'test', maxRetries: 0, ...options }, environments);
  const byName = new Map(Object.entries(handlers as Record<string, (...args: unknown[]) => unknown>));
  const fetch: typeof settings.fetch = async (_, { operation, args }) => {
    const handler = byName.get(operation);
    if (!handler) throw new Error(`createTestClient has no handler for ${operation}`);
    const { parameters, body }: Operation = operations[operation as keyof typeof operations];
    // What was left out is there for a handler to take apart: `({ status }) => …`.
    const length = [parameters, body, 'options'].filter(Boolean).length;
    const answer = await handler(...Array.from({ length }, (_, index) => args[index] ?? {}));
    // Its body can be read once, but a handler may answer with the same one again.
    if (answer instanceof Response) return answer.clone();
    return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer);
  };
  return buildClient(operations, { ...settings, fetch }, system) as unknown as PetstoreClient;
}

/**
 * A failure as the service answers it.
 *
 * @param headers - such as `{ 'Retry-After': '30' }`
 */
export function errorResponse(
  status: number,
  code: ErrorBody['code'],
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ code, message, status } satisfies ErrorBody, { status, headers });
}

/** A page of a list with another one after it, which the client asks for by `nextCursor`. */
export function pageResponse(items: readonly unknown[], nextCursor: string): Response {
  const next = new URLSearchParams({ cursor: nextCursor });
  return Response.json(items, { headers: { Link: `<?${next}>; rel="next"` } });
}
