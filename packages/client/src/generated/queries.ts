// Generated from openapi/petstore.yaml by `pnpm contract:generate`. Do not edit.

import type { IdempotentCallOptions } from '@petstore-platform/client-runtime';
import type { ListQuery, Mutation, Query, QueryNames } from '@petstore-platform/client-runtime/react-query';
import type { PetstoreError } from './sdk.ts';

import type * as types from './operations.ts';

/** The names of this SDK. */
export interface Names extends QueryNames {
  readonly service: 'petstore';
  readonly error: PetstoreError;
}

/** Options of TanStack Query for each operation. */
export interface Queries {
  /**
   * List all animals.
   *
   * Returns animals in the order in which they were added (ascending `id`), at most `limit` at a time. If there
   * are more, the `Link` header points to the next page.
   *
   * `GET /pets`
   */
  readonly listPets: ListQuery<Names, 'listPets', types.Operations['listPets'], types.ListPetsParameters>;

  /**
   * Add an animal.
   *
   * Adds an animal to the store and returns it with the `id` that the service assigned. With an `Idempotency-Key`,
   * the request can be repeated safely: the animal is added once.
   *
   * `POST /pets`
   */
  readonly createPet: Mutation<Names, 'createPet', types.Operations['createPet'], { readonly body: types.NewPet } & IdempotentCallOptions>;

  /**
   * Get an animal.
   *
   * Returns a single animal. Every response, including errors, has the `Deprecation`, `Sunset` and `Link` headers,
   * which announce the removal.
   *
   * `GET /pets/{petId}`
   *
   * @deprecated Since 20 November 2026; removed on 5 December 2030. Use `listPets` with the `status` filter instead, as in `listPets({ status: 'available' })`.
   */
  readonly getPet: Query<Names, 'getPet', types.Operations['getPet'], types.GetPetParameters>;
}
