// Generated from openapi/petstore.yaml by `pnpm contract:generate`. Do not edit.

import type { JsonText } from '@petstore-platform/server-runtime';

/** Availability for adoption. */
export type PetStatus = "available" | "pending" | "sold";

/** An animal to add. */
export interface NewPet {
  /**
   * The animal's name. 1 to 255 characters.
   *
   * @example "Biscuit"
   */
  name: string;

  /**
   * Identifier of the category the animal belongs to. Opaque to this service.
   *
   * @example 7
   */
  categoryId: number;

  /** Availability for adoption. */
  status?: PetStatus | undefined;
}

/** An animal of the store. */
export interface Pet {
  /**
   * Unique identifier, assigned by the service on creation.
   *
   * @example 1
   */
  id: number;

  /**
   * The animal's name. 1 to 255 characters.
   *
   * @example "Biscuit"
   */
  name: string;

  /**
   * Identifier of the category the animal belongs to.
   *
   * @example 7
   */
  categoryId: number;

  /** Absent if it was not given at creation. */
  status?: PetStatus | undefined;
}

/** A page of animals, in ascending order of `id`. */
export interface Pets extends Array<Pet> {}

/** The body of every error response. */
export interface ErrorBody {
  /**
   * Machine-readable error code. New codes may be added; handle an unknown code by its `status`.
   *
   * @example "invalid_request"
   */
  code: "invalid_request" | "unauthorized" | "api_key_missing" | "api_key_invalid" | "api_key_expired" | "payment_required" | "forbidden" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "conflict" | "idempotency_key_in_use" | "gone" | "precondition_failed" | "payload_too_large" | "uri_too_long" | "unsupported_media_type" | "expectation_failed" | "unprocessable_content" | "idempotency_key_reused" | "locked" | "precondition_required" | "rate_limit_exceeded" | "api_key_banned" | "request_header_fields_too_large" | "unavailable_for_legal_reasons" | "internal_error" | "not_implemented" | "bad_gateway" | "service_unavailable" | "outcome_unknown" | "gateway_timeout" | (string & {});

  /**
   * Human-readable description. It may change; do not parse it.
   *
   * @example "name is required"
   */
  message: string;

  /**
   * The HTTP status code. 400 to 599.
   *
   * @example 400
   */
  status: number;

  /**
   * Which values fail, for forms: each failure of the first part of the request that fails, of path, query, body and
   * header. Not every error has it. At most 20 items.
   */
  errors?: FieldError[] | undefined;
}

/** A value of a request that fails. */
export interface FieldError {
  /**
   * Where it is, as a JSON Pointer (RFC 6901) that begins with `/path`, `/query`, `/header` or `/body`.
   *
   * @example "/body/name"
   */
  pointer: string;

  /**
   * Human-readable description, without the name of the value. It may change; do not parse it.
   *
   * @example "is required"
   */
  message: string;
}

export interface Schemas {
  "PetStatus": PetStatus;
  "NewPet": NewPet;
  "Pet": Pet;
  "Pets": Pets;
  "Error": ErrorBody;
  "FieldError": FieldError;
}

/** RFC 9110 section 9.2.1. */
export type SafeOperation = 'listPets' | 'getPet';

export interface ListPetsRequest {
  query: {
    limit: number;
    status?: PetStatus | undefined;
    cursor?: string | undefined;
  };
}

export type ListPetsResponse = { status: 200; headers?: { "Link"?: string }; body: Pets | JsonText<Pets> };

export interface CreatePetRequest {
  headers: {
    'idempotency-key'?: string | undefined;
  };
  body: NewPet;
}

export type CreatePetResponse = { status: 201; body: Pet | JsonText<Pet> };

export interface GetPetRequest {
  path: {
    petId: number;
  };
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
   * Returns animals in the order in which they were added (ascending `id`), at most `limit` at a time. If there
   * are more, the `Link` header points to the next page.
   *
   * `GET /pets`
   */
  listPets(request: ListPetsRequest, context: Context): Promise<ListPetsResponse>;

  /**
   * Add an animal.
   *
   * Adds an animal to the store and returns it with the `id` that the service assigned. With an `Idempotency-Key`,
   * the request can be repeated safely: the animal is added once.
   *
   * `POST /pets`
   */
  createPet(request: CreatePetRequest, context: Context): Promise<CreatePetResponse>;

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
  getPet(request: GetPetRequest, context: Context): Promise<GetPetResponse>;
}
