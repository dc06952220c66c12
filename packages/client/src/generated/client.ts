// Generated from packages/client-runtime by `pnpm contract:generate`. Do not edit.

import { type Init, type Operation, readArguments, readRequest } from './arguments.ts';
import { type Call, callOf } from './call.ts';
import { type CallSite, callSite } from './call-site.ts';
import { buildFetchClient, type FetchOf } from './fetch-client.ts';
import type { FetchClient } from './fetch-types.ts';
import type { Operations } from './operations.ts';
import { operations } from './table.ts';
import type { RequestOptions } from './options.ts';
import { type ClientOptions, readSettings } from './settings.ts';

/** A client of the Petstore API: one method per operation of the contract. */
export interface PetstoreClient extends Operations {
  /**
   * The openapi-fetch client that sends the calls of the methods. Use it with openapi-react-query, swr-openapi and other
   * libraries for openapi-fetch. Its calls have the same API key, checks, retries and deadlines, and take the options of a method
   * in addition to those of openapi-fetch.
   *
   * An HTTP failure resolves to `{ error, response }`, the `error` a {@link PetstoreError}. A call without a response rejects
   * as a method does.
   *
   * @example
   * const { data, error } = await petstore.fetchClient.GET('/pets');
   */
  readonly fetchClient: FetchClient;
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
   * const drafts = await petstore.request<string[]>('GET', '/drafts', { query: { limit: 5 } });
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
 * const items = await petstore.listPets({ limit: 20, status: 'available' });
 */
export function createClient(options: ClientOptions = {}): PetstoreClient {
  return buildClient(operations, options) as PetstoreClient;
}

/** One method for each row of the table. Unstable operations are in a group named by their stability. */
export function buildClient(
  table: { readonly [name: string]: Operation },
  options: ClientOptions,
  fetchOf?: FetchOf,
  base?: Parameters<typeof readSettings>[1],
): object {
  const settings = readSettings(options, base);
  const { fetchClient, send } = buildFetchClient(table, settings, fetchOf);
  /** Starts a call. Sends at once, also if it is not awaited. */
  const start = (site: CallSite, read: () => readonly [string, Operation, Init], pages = false) => {
    const page = async (cursor?: string, landmark?: string) => {
      const [name, operation, init] = read();
      const query = { ...init.params?.query, ...(cursor && { cursor }) };
      return send(site, name, operation, { ...init, params: { ...init.params, query } }, landmark);
    };
    return callOf(page(), pages ? page : undefined);
  };

  const client: Record<string, unknown> = {};
  for (const [name, operation] of Object.entries(table)) {
    if (operation.stability) client[operation.stability] ??= {};
    const owner = operation.stability ? client[operation.stability] : client;
    const read = (args: unknown[]) => [name, operation, readArguments(name, operation, args)] as const;
    // A function in an object literal gets the name of its property, which stack traces show.
    const named = { [name]: (...args: unknown[]) => start(callSite(named[name]), () => read(args), operation.pages) };
    Object.assign(owner as object, named);
  }
  const withOptions = ({ headers, ...more }: ClientOptions) => {
    const given = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined));
    const baseUrl = more.environment ? undefined : options.baseUrl;
    const merged: ClientOptions = { ...options, apiKey: settings.apiKey, baseUrl, ...given, headers };
    const announced = more.onDeprecation ? new Set<string>() : settings.announced;
    return buildClient(table, merged, fetchOf, { ...settings, announced });
  };
  const request = (...args: unknown[]) => start(callSite(request), () => readRequest(args));
  return Object.assign(client, { fetchClient, withOptions, request });
}
