/**
 * Options of TanStack Query for the operations of an SDK.
 *
 * @module
 */
import type { PagedCall } from './call.ts';
import type { Operation } from './operation.ts';
import type { InfinitePage, QueriesOptions } from './query-options.ts';

// Their file is no entry, because declarations would name the types by it, and an app does not depend on this package.
export type * from './query-options.ts';

type Method = (...args: unknown[]) => PagedCall<unknown[]>;
type Context = { signal: AbortSignal; pageParam?: string };

/** One function for each row of the table, grouped as the methods of the client. All keys begin with the service and the name of the client. */
export function buildQueries(
  service: string,
  table: { readonly [name: string]: Operation },
  client: object,
  { name: clientName = `${Object(client).fetchClient?.baseUrl}` }: QueriesOptions = {},
): object {
  const retry = () => false;
  const queries: Record<string, object> = {};
  for (const [name, { method, parameters: places, body: hasBody, pages, stability }] of Object.entries(table)) {
    const groupOf = (all: object) => (stability ? Object(all)[stability] : all);
    if (stability) queries[stability] ??= {};
    const send: Method = (...args) => groupOf(client)[name](...args);
    const key = [service, clientName, name];

    const query = (...args: unknown[]) => {
      const parameters = (places && args.shift()) || {};
      const queryFn = async ({ signal }: Context) =>
        (await send(...(places ? [parameters] : []), { ...Object(args[0]), signal })) ?? null;
      return { queryKey: [...key, parameters], queryFn, retry };
    };
    const infinite = (parameters = {}) => ({
      queryKey: [...key, parameters, 'infinite'],
      queryFn: async ({ signal, pageParam: cursor }: Context) => {
        const { data: items, nextCursor } = await send({ ...parameters, cursor }, { signal }).withResponse();
        return { items, nextCursor };
      },
      initialPageParam: undefined,
      getNextPageParam: ({ nextCursor }: InfinitePage<unknown>) => nextCursor,
      retry,
    });
    const mutation = () => ({
      mutationKey: key,
      mutationFn: ({ parameters, body, ...options }: { parameters?: unknown; body?: unknown }) =>
        send(...(places ? [parameters] : []), ...(hasBody ? [body] : []), options),
      retry,
    });
    groupOf(queries)[name] = Object.assign(method === 'GET' ? query : mutation, { key }, pages && { infinite });
  }
  return queries;
}
