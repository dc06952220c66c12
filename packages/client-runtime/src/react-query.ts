/**
 * Options of TanStack Query for the operations of the API.
 *
 * @module
 */
import type { DataTag, InfiniteData, QueryFunction } from '@tanstack/react-query';
import type { Operation } from './arguments.ts';
import type { Call, PagedCall } from './call.ts';
import type { ServiceError } from './error.ts';
import type { Operations } from './generated/operations.ts';
import { operations } from './generated/table.ts';

/** Queries are not retried: the client has retried what is safe, and waited as the service asked. */
type Retry = (count: number, error: ServiceError) => boolean;

/** The cache has no `undefined`: `null` stands for a response without a body. */
type Cached<Data> = Data extends undefined ? null : Data;

/** What `useQuery`, `useSuspenseQuery`, `prefetchQuery` and the like take. */
export interface QueryOptionsOf<Key extends readonly unknown[], Data> {
  /** The service, the operation and its parameters. */
  readonly queryKey: DataTag<Key, Data, ServiceError>;
  /** Sends the request. Ends with the query's signal. */
  readonly queryFn: QueryFunction<Data, Key>;
  /** Never. */
  readonly retry: Retry;
}

/** What `useInfiniteQuery` and the like take. */
export interface InfiniteQueryOptionsOf<Key extends readonly unknown[], Page> {
  /** The key of the list, and `'infinite'`. */
  readonly queryKey: DataTag<Key, InfiniteData<Page, string | undefined>, ServiceError>;
  /** Requests a page. Ends with the query's signal. */
  readonly queryFn: QueryFunction<Page, Key, string | undefined>;
  /** The first page. */
  readonly initialPageParam: string | undefined;
  /** The cursor of the next page; undefined after the last one. */
  readonly getNextPageParam: (page: Page) => string | undefined;
  /** Never. */
  readonly retry: Retry;
}

/** A page of an infinite query. */
export interface InfinitePage<Items> {
  /** The items of the page. */
  readonly items: Items;
  /** The cursor of the next page; undefined on the last one. */
  readonly nextCursor: string | undefined;
}

/** What `useMutation` takes. */
export interface MutationOptionsOf<Key extends readonly unknown[], Variables, Data> {
  /** The service and the operation. */
  readonly mutationKey: Key;
  /** Sends the request. */
  readonly mutationFn: (variables: Variables) => Promise<Data>;
  /** Never. */
  readonly retry: Retry;
}

type Member<Name extends string, Value> = undefined extends Value
  ? { readonly [Key in Name]?: Value }
  : { readonly [Key in Name]: Value };

/** The arguments of a method as members of one object, the options beside the parameters and the body. */
type VariablesOf<Row, Args extends readonly unknown[]> = Row extends {
  readonly parameters: object;
  readonly body: string;
}
  ? Member<'parameters', Args[0]> & Member<'body', Args[1]> & Required<Args>[2]
  : Row extends { readonly parameters: object }
    ? Member<'parameters', Args[0]> & Required<Args>[1]
    : Row extends { readonly body: string }
      ? Member<'body', Args[0]> & Required<Args>[1]
      : Required<Args>[0];

type ParametersOf<Row, Args extends readonly unknown[]> = Row extends { readonly parameters: object }
  ? Required<Args>[0]
  : Readonly<Record<string, never>>;

/** For an operation that reads: with the arguments of its method, options of a query. */
type Query<Name, Parameters, Args extends readonly unknown[], Data> = (
  ...args: Args
) => QueryOptionsOf<readonly ['service', Name, Parameters], Cached<Data>>;

/** For a list: with its parameters, options of an infinite query. */
type Infinite<Name, Parameters, Page> = {
  infinite(
    parameters?: Parameters,
  ): InfiniteQueryOptionsOf<readonly ['service', Name, Parameters, 'infinite'], InfinitePage<Page>>;
};

/** For each operation, a function that returns options, and the `key` that all its queries begin with. */
export type ServiceQueries<Group = Operations, Rows = typeof operations> = {
  readonly [Name in keyof Group]: Group[Name] extends (...args: infer Args) => Call<infer Data>
    ? { readonly key: readonly ['service', Name] } & (Rows[Name & keyof Rows] extends { readonly method: 'GET' }
        ? Query<Name, ParametersOf<Rows[Name & keyof Rows], Args>, Args, Data> &
            (Group[Name] extends (...args: never) => PagedCall<infer Page>
              ? Infinite<Name, Omit<ParametersOf<Rows[Name & keyof Rows], Args>, 'cursor'>, Page>
              : unknown)
        : () => MutationOptionsOf<readonly ['service', Name], VariablesOf<Rows[Name & keyof Rows], Args>, Data>)
    : ServiceQueries<Group[Name], Rows>;
};

/**
 * Options of TanStack Query for the operations of a client: queries for those that read, mutations for those that change something.
 * Only plain data is cached.
 *
 * @example
 * const queries = serviceQueries(api);
 * const { data, error } = useQuery(queries.listItems());
 */
export function serviceQueries(client: Operations): ServiceQueries {
  return buildQueries(operations, client) as ServiceQueries;
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
    const key = ['service', name];

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
