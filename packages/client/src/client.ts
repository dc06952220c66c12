import { type Operation, type Outgoing, readArguments, readRequest } from './arguments.ts';
import { type Call, callOf } from './call.ts';
import type { Operations } from './generated/operations.ts';
import { operations } from './generated/table.ts';
import type { ClientOptions, Fetch, RequestOptions } from './options.ts';
import { perform } from './retry.ts';
import { readSettings } from './settings.ts';

/** A client of the Petstore API: one method per operation of the contract. */
export interface PetstoreClient extends Operations {
  /**
   * Creates a client with other options. Options that are absent or undefined are inherited. Headers are merged as for a call,
   * everything else is replaced.
   *
   * @throws TypeError if an option is invalid
   */
  withOptions(options: ClientOptions): PetstoreClient;
  /**
   * Sends a request for which this version has no method, with the same retries, deadlines and errors. Resolves to the JSON
   * of the response, or undefined without a body.
   *
   * @param path - below the base URL, beginning with `/`, its values encoded
   *
   * @example
   * const photos = await petstore.request<string[]>('GET', '/pets/42/photos', { query: { limit: 5 } });
   */
  request<T = unknown>(method: string, path: string, options?: RequestOptions): Call<T>;
}

/**
 * Creates a client. It holds no connection and needs no closing.
 *
 * Methods take the parameters in one object, then the body, then the options of the call. They send at once and never
 * throw synchronously. A call resolves to the body that the contract defines, or rejects with a {@link PetstoreError}.
 * Other rejections: a `TypeError` for an invalid argument (nothing was sent), the reason of the caller's `signal`, and errors
 * of the caller's own `apiKey` function and middleware.
 *
 * @throws TypeError if an option is invalid, or there is no API key
 *
 * @example
 * const petstore = createClient({ apiKey: 'YOUR_API_KEY' });
 * const pets = await petstore.listPets({ status: 'available' });
 */
export function createClient(options: ClientOptions = {}): PetstoreClient {
  return buildClient(operations, options) as PetstoreClient;
}

/** One method for each row of the table. Unstable operations are in a group named by their stability. */
export function buildClient(
  table: { readonly [name: string]: Operation },
  options: ClientOptions,
  /** Replaces `fetch` for one call. */
  fetchOf?: (name: string, args: readonly unknown[]) => Fetch,
  base?: Parameters<typeof readSettings>[1],
): object {
  const settings = readSettings(options, base);
  /** Starts a call. Sends at once, also if it is not awaited. */
  const start = (name: string, args: unknown[], read: (args: unknown[]) => Outgoing, pages = false) => {
    const send = async (args: unknown[], landmark?: string) => {
      const call = { ...read(args), landmark };
      return perform(fetchOf ? { ...call, fetch: fetchOf(name, args) } : call);
    };
    const pageAt = (cursor: string, landmark: string | undefined) =>
      send([{ ...(args[0] as object), cursor }, ...args.slice(1)], landmark);
    return callOf(send(args), pages ? pageAt : undefined);
  };

  const client: Record<string, unknown> = {};
  for (const [name, operation] of Object.entries(table)) {
    if (operation.stability) client[operation.stability] ??= {};
    const owner = operation.stability ? client[operation.stability] : client;
    const read = (args: unknown[]) => readArguments(name, operation, args, settings);
    Object.assign(owner as object, { [name]: (...args: unknown[]) => start(name, args, read, operation.pages) });
  }
  const withOptions = ({ headers, ...more }: ClientOptions) => {
    const given = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined));
    const baseUrl = more.environment ? undefined : options.baseUrl;
    const merged: ClientOptions = { ...options, apiKey: settings.apiKey, baseUrl, ...given, headers };
    const announced = more.onDeprecation ? undefined : settings.announced;
    return buildClient(table, merged, fetchOf, { headers: settings.headers, announced });
  };
  const request = (...args: unknown[]) => start('request', args, (args) => readRequest(args, settings));
  return Object.assign(client, { withOptions, request });
}
