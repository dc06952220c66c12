import type { DataTag, InfiniteData, QueryFunction } from '@tanstack/react-query';
import type { Call } from './call.ts';

/** The names of an SDK, of which its queries are made. */
export interface QueryNames {
  /** The service, which begins all keys. */
  readonly service: string;
  /** The class of its errors. */
  readonly error: unknown;
}

/** Options of all queries of a client. */
export interface QueriesOptions {
  /**
   * Tells clients of one `QueryClient` apart, such as those of two accounts. It is in all keys, so it is no secret. A server and a browser
   * that share a cache give the same one. Default: the client's base URL.
   */
  readonly name?: string | undefined;
}

/** The part that all options share. */
export interface NotRetried<Failure> {
  /** Always returns false, because the client has retried what is safe, and waited as the service asked. */
  readonly retry: (count: number, error: Failure) => boolean;
}

/** The options of `useQuery`, `useSuspenseQuery`, `prefetchQuery` and similar functions. */
export interface QueryOptionsOf<Key extends readonly unknown[], Data, Failure> extends NotRetried<Failure> {
  /** The service, the name of the client, the operation and its parameters. */
  readonly queryKey: DataTag<Key, Data, Failure>;
  /** Sends the request. Ends with the query's signal. */
  readonly queryFn: QueryFunction<Data, Key>;
}

/** The options of `useInfiniteQuery` and similar functions. */
export interface InfiniteQueryOptionsOf<Key extends readonly unknown[], Page, Failure> extends NotRetried<Failure> {
  /** The key of the list, followed by `'infinite'`. */
  readonly queryKey: DataTag<Key, InfiniteData<Page, string | undefined>, Failure>;
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
export interface MutationOptionsOf<Key extends readonly unknown[], Variables, Data, Failure>
  extends NotRetried<Failure> {
  /** The service, the name of the client and the operation. */
  readonly mutationKey: Key;
  /** Sends the request. */
  readonly mutationFn: (variables: Variables) => Promise<Data>;
}

type Method = (...args: never) => Call<unknown>;
/** The data of a query. The cache cannot hold `undefined`, so `null` stands for a response without a body. */
type DataOf<M extends Method> = Awaited<ReturnType<M>> extends undefined ? null : Awaited<ReturnType<M>>;

/** Options of an operation's queries, by the arguments of its method. */
export interface Query<Names extends QueryNames, Name, M extends Method, Filters> {
  (
    ...args: Parameters<M>
  ): QueryOptionsOf<readonly [Names['service'], string, Name, Filters], DataOf<M>, Names['error']>;
  /** The common beginning of the keys of all queries of the operation. */
  readonly key: readonly [Names['service'], string, Name];
}

/** Options of the queries of an operation that returns a list. */
export interface ListQuery<Names extends QueryNames, Name, M extends Method, Filters>
  extends Query<Names, Name, M, Filters> {
  /** Options of an infinite query. */
  infinite(
    parameters?: Omit<Filters, 'cursor'>,
  ): InfiniteQueryOptionsOf<
    readonly [Names['service'], string, Name, Omit<Filters, 'cursor'>, 'infinite'],
    InfinitePage<DataOf<M>>,
    Names['error']
  >;
}

/** Options of an operation that changes something. Its arguments are members of one object, the options beside them. */
export interface Mutation<Names extends QueryNames, Name, M extends Method, Variables> {
  (): MutationOptionsOf<readonly [Names['service'], string, Name], Variables, Awaited<ReturnType<M>>, Names['error']>;
  /** The key of all mutations of the operation. */
  readonly key: readonly [Names['service'], string, Name];
}
