// Generated from openapi/petstore.yaml by `pnpm contract:generate`. Do not edit.

/**
 * The schemas of the API as Standard Schema, for forms.
 *
 * @module
 */
import { type StandardSchema, standardSchema } from '@petstore-platform/client-runtime/schemas';
import type * as types from './operations.ts';
import * as validators from './validators.ts';

export type { Issue, StandardSchema } from '@petstore-platform/client-runtime/schemas';

/** Availability for adoption. */
export const PetStatus: StandardSchema<types.PetStatus> = /* @__PURE__ */ standardSchema(validators.PetStatus, 'petstore');

/** Availability for adoption. */
export type PetStatus = types.PetStatus;

/** An animal to add. */
export const NewPet: StandardSchema<types.NewPet> = /* @__PURE__ */ standardSchema(validators.NewPet, 'petstore');

/** An animal to add. */
export type NewPet = types.NewPet;

/** An animal of the store. */
export const Pet: StandardSchema<types.Pet> = /* @__PURE__ */ standardSchema(validators.Pet, 'petstore');

/** An animal of the store. */
export type Pet = types.Pet;

/** A page of animals, in ascending order of `id`. */
export const Pets: StandardSchema<types.Pets> = /* @__PURE__ */ standardSchema(validators.Pets, 'petstore');

/** A page of animals, in ascending order of `id`. */
export type Pets = types.Pets;
