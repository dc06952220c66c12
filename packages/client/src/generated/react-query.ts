// Generated from packages/client-runtime by `pnpm contract:generate`. Do not edit.

/**
 * Options of TanStack Query for the operations of the API.
 *
 * @module
 */
import type { Operation } from './arguments.ts';
import type { PagedCall } from './call.ts';
import type { Operations } from './operations.ts';
import type { Queries } from './queries.ts';
import { operations } from './table.ts';
import type { InfinitePage } from './query-options.ts';

export type * from './queries.ts';
export type * from './query-options.ts';

/**
 * Options of TanStack Query for the operations of a client: queries for those that read, mutations for those that change something.
 * Only plain data is cached.
 *
 * @example
 * const queries = petstoreQueries(api);
 * const { data, error } = useQuery(queries.listPets({ limit: 20, status: 'available' }));
 */
export function petstoreQueries(client: Operations): Queries {
  return buildQueries(operations, client) as Queries;
}

type Method = (...args: unknown[]) => PagedCall<unknown[]>;
type Context = { signal: AbortSignal; pageParam?: string };

/** One function for each row of the table, grouped as the methods of the client. */
export function buildQueries(table: { readonly [name: string]: Operation }, client: object): object {
  const retry = () => false;
  const queries: Record<string, object> = {};
  for (const [name, { method, parameters: places, body: hasBody, pages, stability }] of Object.entries(table)) {
    const groupOf = (all: object) => (stability ? Object(all)[stability] : all);
    if (stability) queries[stability] ??= {};
    const send: Method = (...args) => groupOf(client)[name](...args);
    const key = ['petstore', name];

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
