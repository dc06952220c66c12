// Generated from openapi/petstore.yaml by `pnpm contract:generate`. Do not edit.

import type { JsonText } from '../json-text.ts';
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

export interface ListPetsRequest {
  query: NonNullable<contract['listPets']['parameters']['query']> &
    Required<Pick<NonNullable<contract['listPets']['parameters']['query']>, 'limit'>>;
}

export type ListPetsResponse = { status: 200; headers?: { "Link"?: string }; body: Pets | JsonText<Pets> };

export interface CreatePetRequest {
  headers: NonNullable<contract['createPet']['parameters']['header']>;
  body: NewPet;
}

export type CreatePetResponse = { status: 201; body: Pet | JsonText<Pet> };

export interface GetPetRequest {
  path: NonNullable<contract['getPet']['parameters']['path']>;
}

export type GetPetResponse = { status: 200; headers?: { "Link"?: string }; body: Pet | JsonText<Pet> };

/**
 * One handler per operation of the contract. A failure is thrown as an `ApiError`.
 *
 * @typeParam Context - what the server gives to every handler besides the request
 */
export interface Handlers<Context> {
  /**
   * List all animals.
   *
   * Returns animals in the order in which they were added (ascending `id`), at most `limit` at a time. When there
   * are more, the `Link` header points to the next page.
   *
   * `GET /pets`
   */
  listPets(request: ListPetsRequest, context: Context): Promise<ListPetsResponse>;

  /**
   * Add an animal.
   *
   * Adds an animal to the store and returns it with the `id` that the service assigned. With an `Idempotency-Key`,
   * sending the same request again is safe: it is carried out once.
   *
   * `POST /pets`
   */
  createPet(request: CreatePetRequest, context: Context): Promise<CreatePetResponse>;

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
  getPet(request: GetPetRequest, context: Context): Promise<GetPetResponse>;
}
