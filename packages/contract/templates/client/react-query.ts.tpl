/**
 * Options of TanStack Query for the operations of the API.
 *
 * @module
 */
import { buildQueries, type QueriesOptions } from '@petstore-platform/client-runtime/react-query';
import type { Operations } from './operations.ts';
import type { Queries } from './queries.ts';
import { operations } from './table.ts';

export type {
  InfinitePage,
  InfiniteQueryOptionsOf,
  ListQuery,
  Mutation,
  MutationOptionsOf,
  NotRetried,
  QueriesOptions,
  Query,
  QueryNames,
  QueryOptionsOf,
} from '@petstore-platform/client-runtime/react-query';
export type * from './queries.ts';

/**
 * Options of TanStack Query for the operations of a client: queries for those that read, mutations for those that change something.
 * Only plain data is cached.
 *
 * @example
 * const queries = {{variable}}Queries({{variable}});
 * const { data, error } = useQuery(queries.{{listCall}});
 */
export function {{variable}}Queries(client: Operations, options?: QueriesOptions): Queries {
  return buildQueries('{{variable}}', operations, client, options) as Queries;
}
