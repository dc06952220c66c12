import { readArguments, readRequest } from './arguments.ts';
import { type Call, callOf } from './call.ts';
import { type CallSite, callSite } from './call-site.ts';
import type { ClientOptions } from './client-options.ts';
import { buildFetchClient } from './fetch-client.ts';
import type { Init, Operation } from './operation.ts';
import type { RequestOptions } from './options.ts';
import type { Sdk } from './sdk.ts';
import { readSettings } from './settings.ts';

/** Members of every client. */
export interface ClientOf<Client, Options> {
  /**
   * Creates a client with other options. Options that are absent or undefined are inherited. Headers are merged as for a call,
   * everything else is replaced.
   *
   * @throws TypeError if an option is invalid
   */
  withOptions(options: Options): Client;
  /**
   * Sends a request for which this version has no method, with the same retries, deadlines and errors. Resolves to the JSON
   * of the response, or undefined without a body.
   *
   * @param path - below the base URL, beginning with `/`, its values encoded
   *
   * @example
   * const drafts = await api.request<string[]>('GET', '/drafts', { query: { limit: 5 } });
   */
  request<T = unknown>(method: string, path: string, options?: RequestOptions): Call<T>;
}

/** The client of an SDK: its operations, {@link ClientOf} and `fetchClient`. */
export function buildClient(sdk: Sdk, options: ClientOptions): object {
  const build = (current: ClientOptions, base?: Parameters<typeof readSettings>[2]): object => {
    const inner = (options: ClientOptions) => {
      const settings = readSettings(sdk, options, base);
      const { fetchClient, send } = buildFetchClient(settings);
      const withOptions = ({ headers, ...more }: ClientOptions) => {
        const changes = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined));
        const baseUrl = more.environment ? undefined : current.baseUrl;
        return build({ ...current, baseUrl, ...changes, headers }, settings);
      };
      return Object.assign(methodsOf(sdk.operations, send), { fetchClient, withOptions });
    };
    return sdk.wrap?.(inner, current) ?? inner(current);
  };
  return build(options);
}

/** One method for each row of the table, and `request()`. Unstable operations are in a group named by their stability. */
function methodsOf(table: Sdk['operations'], send: ReturnType<typeof buildFetchClient>['send']): object {
  /** Starts a call. Sends at once, also if it is not awaited. */
  const start = (site: CallSite, read: (cursor?: string) => [string, Operation, Init], pages?: boolean) => {
    const page = async (cursor?: string, seen?: Set<unknown>) => send(site, ...read(cursor), seen);
    return callOf(page(), pages && page);
  };

  const request = (...args: unknown[]) => start(callSite(request), () => readRequest(args));
  const client: Record<string, unknown> = { request };
  for (const [name, operation] of Object.entries(table)) {
    const { stability, pages } = operation;
    if (stability) client[stability] ??= {};
    // A function in an object literal gets the name of its property, which stack traces show.
    const named = {
      [name]: (...args: unknown[]) =>
        start(
          callSite(named[name]),
          (cursor) => [name, operation, readArguments(name, operation, args, cursor)],
          pages,
        ),
    };
    Object.assign(stability ? (client[stability] as object) : client, named);
  }
  return client;
}
