// Generated from openapi/petstore.yaml by `pnpm contract:generate`. Do not edit.

import type { CallOptions } from '../options.ts';
import type { components, operations as contract } from './schema.ts';

/** Whether the animal can be adopted. */
export type PetStatus = components['schemas']['PetStatus'];

/** An animal to add. */
export type NewPet = components['schemas']['NewPet'];

/** An animal of the store. */
export type Pet = components['schemas']['Pet'];

/** A page of animals, in ascending order of `id`. */
export type Pets = components['schemas']['Pets'];

/** What every failure answers. */
export type ErrorBody = components['schemas']['Error'];

export type ListPetsParameters = NonNullable<contract['listPets']['parameters']['query']>;

export type GetPetParameters = NonNullable<contract['getPet']['parameters']['path']>;

/** The operations of the API, by their operationId. */
export interface Operations {
  /**
   * List all animals.
   *
   * Returns animals in the order in which they were added (ascending `id`), at most `limit` at a time. When there
   * are more, the `Link` header points to the next page.
   *
   * `GET /pets`
   */
  listPets(parameters?: ListPetsParameters, options?: CallOptions): Promise<Pets>;

  /**
   * Add an animal.
   *
   * Adds an animal to the store and returns it with the `id` that the service assigned. With an `Idempotency-Key`,
   * sending the same request again is safe: it is carried out once.
   *
   * `POST /pets`
   */
  createPet(body: NewPet, options?: CallOptions): Promise<Pet>;

  /**
   * Get an animal.
   *
   * Returns a single animal. Every response, errors included, carries the `Deprecation`, `Sunset` and `Link`
   * headers that announce the removal.
   *
   * `GET /pets/{petId}`
   *
   * @deprecated Since 20 November 2026; removed on 5 December 2030. Use `listPets` with the `status` filter instead, as in `listPets({ status: 'available' })`.
   */
  getPet(parameters: GetPetParameters, options?: CallOptions): Promise<Pet>;
}

/** Base URLs of the environments. */
export const environments = {
  "production": "https://api.petstore.example/v1",
  "staging": "https://api.staging.petstore.example/v1"
} as const;

/** How each operation is sent. */
export const operations = {
  listPets: { method: 'get', path: '/pets', pathParameters: [], queryParameters: ["limit","status","cursor"], body: false },
  createPet: { method: 'post', path: '/pets', pathParameters: [], queryParameters: [], body: true },
  getPet: { method: 'get', path: '/pets/{petId}', pathParameters: ["petId"], queryParameters: [], body: false },
} as const;
