/**
 * Options of TanStack Query for the operations of the API.
 *
 * @module
 */
import type { DataTag, InfiniteData, QueryFunction } from '@tanstack/react-query';
import type { Call, PagedCall } from './call.ts';
import type { ServiceClient } from './client.ts';
import type { ServiceError } from './error.ts';
import type { Operations } from './generated/operations.ts';
import { operations } from './generated/table.ts';

/** Begins the keys of all queries of an operation, to invalidate them together. */
type Prefix<Name> = readonly ['service', Name];

/** Queries are not retried: the client has retried what is safe, and waited as the service asked. */
type Retry = (count: number, error: ServiceError) => boolean;

/** The cache has no `undefined`: `null` stands for a response without a body. */
type Cached<Data> = Data extends undefined ? null : Data;

/** What `useQuery`, `useSuspenseQuery`, `prefetchQuery` and the like take. */
export interface QueryOptionsOf<Key, Data> {
  /** The service, the operation, its parameters. */
  readonly queryKey: DataTag<Key, Data, ServiceError>;
  /** Sends the request. Its abortion is that of the query. */
  readonly queryFn: QueryFunction<Data, Key extends readonly unknown[] ? Key : never>;
  /** Never. */
  readonly retry: Retry;
}

/** What `useInfiniteQuery` and the like take. */
export interface InfiniteQueryOptionsOf<Key, Page> {
  /** The key of a query, and `'infinite'`. */
  readonly queryKey: DataTag<Key, InfiniteData<Page, string | undefined>, ServiceError>;
  /** Requests a page. */
  readonly queryFn: QueryFunction<Page, Key extends readonly unknown[] ? Key : never, string | undefined>;
  /** None: the first page. */
  readonly initialPageParam: string | undefined;
  /** Its `nextCursor`. */
  readonly getNextPageParam: (page: Page) => string | undefined;
  /** Never. */
  readonly retry: Retry;
}

/** A page of an infinite query. */
export interface InfinitePage<Items> {
  /** The items of the page. */
  readonly items: Items;
  /** The `cursor` of the next page; undefined on the last one. */
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

/** Parameters, body and options of a call in one object. */
type Variables<Row, Args extends readonly unknown[]> = Row extends { readonly parameters: object }
  ? Row extends { readonly body: string }
    ? Member<'parameters', Args[0]> & Member<'body', Args[1]> & Required<Args>[2]
    : Member<'parameters', Args[0]> & Required<Args>[1]
  : Row extends { readonly body: string }
    ? Member<'body', Args[0]> & Required<Args>[1]
    : Required<Args>[0];

type ParametersOf<Row, Args extends readonly unknown[]> = Row extends { readonly parameters: object }
  ? Required<Args>[0]
  : Record<string, never>;

interface Infinite<Name, Parameters, Page> {
  /** Options of an infinite query of all pages. */
  infinite(
    parameters?: Omit<Parameters, 'cursor'>,
  ): InfiniteQueryOptionsOf<readonly [...Prefix<Name>, Omit<Parameters, 'cursor'>, 'infinite'], InfinitePage<Page>>;
}

/** For each operation that reads, a function with its arguments that returns options of a query; for others, of a mutation. */
export type ServiceQueries<Group = Operations> = {
  readonly [Name in keyof Group]: Group[Name] extends (...args: infer Args) => Call<infer Data>
    ? Name extends keyof typeof operations
      ? { readonly key: Prefix<Name> } & ((typeof operations)[Name] extends { readonly method: 'GET' }
          ? ((
              ...args: Args
            ) => QueryOptionsOf<
              readonly [...Prefix<Name>, ParametersOf<(typeof operations)[Name], Args>],
              Cached<Data>
            >) &
              (Group[Name] extends (...args: never) => PagedCall<infer Page>
                ? Infinite<Name, ParametersOf<(typeof operations)[Name], Args>, Page>
                : unknown)
          : () => MutationOptionsOf<Prefix<Name>, Variables<(typeof operations)[Name], Args>, Data>)
      : never
    : ServiceQueries<Group[Name]>;
};

/**
 * Options of TanStack Query for the operations of a client. What is cached is plain data.
 *
 * @example
 * const queries = serviceQueries(api);
 * const { data, error } = useQuery(queries.listItems());
 */
export function serviceQueries(client: Pick<ServiceClient, keyof Operations>): ServiceQueries {
  type Method = (...args: unknown[]) => PagedCall<unknown[]>;
  type Variables = { parameters?: unknown; body?: unknown };
  const retry = () => false;
  const queries: Record<string, Record<string, unknown>> = {};
  for (const [name, row] of Object.entries(operations)) {
    const { method, parameters: places, body: hasBody, stability } = row as { [member: string]: unknown };
    const groupOf = (all: object) => (stability ? Object(all)[stability as string] : all);
    if (stability) queries[stability as string] ??= {};
    const send: Method = (...args) => groupOf(client)[name](...args);
    const key = ['service', name];

    const query = (...args: unknown[]) => {
      const [parameters = {}, options] = places ? args : [undefined, ...args];
      const queryFn = async ({ signal }: { signal: AbortSignal }) => {
        const all = { ...(options as object), signal };
        return (await (places ? send(parameters, all) : send(all))) ?? null;
      };
      return { queryKey: [...key, parameters], queryFn, retry };
    };
    const infinite = (parameters: object = {}) => ({
      queryKey: [...key, parameters, 'infinite'],
      queryFn: async ({ signal, pageParam: cursor }: { signal: AbortSignal; pageParam: string | undefined }) => {
        const { data: items, nextCursor } = await send({ ...parameters, cursor }, { signal }).withResponse();
        return { items, nextCursor };
      },
      initialPageParam: undefined,
      getNextPageParam: ({ nextCursor }: InfinitePage<unknown>) => nextCursor,
      retry,
    });
    const mutation = () => ({
      mutationKey: key,
      mutationFn: ({ parameters, body, ...options }: Variables) =>
        send(...(places ? [parameters] : []), ...(hasBody ? [body] : []), options),
      retry,
    });
    groupOf(queries)[name] = Object.assign(method === 'GET' ? query : mutation, { key, infinite });
  }
  return queries as ServiceQueries;
}
