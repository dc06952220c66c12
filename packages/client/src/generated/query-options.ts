// Generated from packages/client-runtime by `pnpm contract:generate`. Do not edit.

import type { DataTag, InfiniteData, QueryFunction } from '@tanstack/react-query';
import type { Call } from './call.ts';
import type { PetstoreError } from './error.ts';

/** The part that all options share. */
export interface NotRetried {
  /** Always returns false, because the client has retried what is safe, and waited as the service asked. */
  readonly retry: (count: number, error: PetstoreError) => boolean;
}

/** The options of `useQuery`, `useSuspenseQuery`, `prefetchQuery` and similar functions. */
export interface QueryOptionsOf<Key extends readonly unknown[], Data> extends NotRetried {
  /** The service, the operation and its parameters. */
  readonly queryKey: DataTag<Key, Data, PetstoreError>;
  /** Sends the request. Ends with the query's signal. */
  readonly queryFn: QueryFunction<Data, Key>;
}

/** The options of `useInfiniteQuery` and similar functions. */
export interface InfiniteQueryOptionsOf<Key extends readonly unknown[], Page> extends NotRetried {
  /** The key of the list, followed by `'infinite'`. */
  readonly queryKey: DataTag<Key, InfiniteData<Page, string | undefined>, PetstoreError>;
  /** Requests a page. Ends with the query's signal. */
  readonly queryFn: QueryFunction<Page, Key, string | undefined>;
  /** The cursor of the first page; undefined for the beginning of the list. */
  readonly initialPageParam: string | undefined;
  /** The cursor of the next page; undefined after the last one. */
  readonly getNextPageParam: (page: Page) => string | undefined;
}

/** A page of an infinite query. */
export interface InfinitePage<Items> {
  /** The items of the page. */
  readonly items: Items;
  /** The cursor of the next page; undefined on the last one. */
  readonly nextCursor: string | undefined;
}

/** The options of `useMutation`. */
export interface MutationOptionsOf<Key extends readonly unknown[], Variables, Data> extends NotRetried {
  /** The service and the operation. */
  readonly mutationKey: Key;
  /** Sends the request. */
  readonly mutationFn: (variables: Variables) => Promise<Data>;
}

type Method = (...args: never) => Call<unknown>;
/** The data of a query. The cache cannot hold `undefined`, so `null` stands for a response without a body. */
type DataOf<M extends Method> = Awaited<ReturnType<M>> extends undefined ? null : Awaited<ReturnType<M>>;

/** Options of an operation's queries, by the arguments of its method. */
export interface Query<Name, M extends Method, Filters> {
  (...args: Parameters<M>): QueryOptionsOf<readonly ['petstore', Name, Filters], DataOf<M>>;
  /** The common beginning of the keys of all queries of the operation. */
  readonly key: readonly ['petstore', Name];
}

/** Options of the queries of an operation that returns a list. */
export interface ListQuery<Name, M extends Method, Filters> extends Query<Name, M, Filters> {
  /** Options of an infinite query. */
  infinite(
    parameters?: Omit<Filters, 'cursor'>,
  ): InfiniteQueryOptionsOf<readonly ['petstore', Name, Omit<Filters, 'cursor'>, 'infinite'], InfinitePage<DataOf<M>>>;
}

/** Options of an operation that changes something. Its arguments are members of one object, the options beside them. */
export interface Mutation<Name, M extends Method, Variables> {
  (): MutationOptionsOf<readonly ['petstore', Name], Variables, Awaited<ReturnType<M>>>;
  /** The key of all mutations of the operation. */
  readonly key: readonly ['petstore', Name];
}
