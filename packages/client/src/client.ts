import createFetchClient from 'openapi-fetch';
import { type Operations, operations } from './generated/operations.ts';
import { type Operation, readArguments } from './internal/arguments.ts';
import { type Answer, send } from './internal/send.ts';
import { readSettings } from './internal/settings.ts';
import type { ClientOptions } from './options.ts';

/** A client of the Petstore API: one method per operation of the contract. */
export interface PetstoreClient extends Operations {}

// The generated interface types the calls; openapi-fetch only needs to know that there may be a body.
type Paths = Record<
  string,
  Record<Operation['method'], { requestBody?: { content: { 'application/json': unknown } } }>
>;

/**
 * Creates a client. It holds no connection and needs no closing.
 *
 * Methods take the parameters in one object, then the body, then the options of the call. They never throw
 * synchronously: a call resolves to the body that the contract promises, or rejects with
 *
 * - a {@link PetstoreError} when the service or the network failed,
 * - a `TypeError` when an argument cannot be sent (nothing was sent),
 * - the reason of the caller's `signal` when that aborted the call.
 *
 * @throws TypeError if an option is invalid
 *
 * @example
 * const petstore = createClient({ apiKey: 'YOUR_API_KEY' });
 * const pets = await petstore.listPets({ status: 'available' });
 */
export function createClient(options: ClientOptions): PetstoreClient {
  const { apiKey, baseUrl, fetch } = readSettings(options);
  const http = createFetchClient<Paths>({
    baseUrl,
    headers: { Accept: 'application/json', Authorization: `Bearer ${apiKey}` },
    // The API does not redirect; following one could turn a POST into a GET.
    redirect: 'manual',
  });

  async function call(name: string, operation: Operation, args: unknown[]): Promise<unknown> {
    const { params, body, signal } = readArguments(name, operation, args);
    let answer: Answer | undefined;
    try {
      signal?.throwIfAborted();
      await http.request(operation.method, operation.path, {
        params,
        body,
        signal: signal ?? null,
        // The answer goes around openapi-fetch, which would throw a bare SyntaxError on HTML and give undefined on
        // an empty body. 'stream' keeps it from reading the body again.
        parseAs: 'stream',
        fetch: async (request) => {
          answer = await send(request, { operation: name, apiKey, fetch });
          return answer.response;
        },
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
    return answer?.data;
  }

  const methods = Object.entries<Operation>(operations).map(([name, operation]) => ({
    [name]: async (...args: unknown[]) => call(name, operation, args),
  }));
  return Object.assign({}, ...methods) as PetstoreClient;
}
