// Generated from openapi/petstore.yaml by `pnpm contract:generate`. Do not edit.

import type { Call, CallOptions, IdempotentCallOptions, PagedCall } from '@petstore-platform/client-runtime';

/** An environment of the API. */
export type Environment = 'production' | 'staging';

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

/** The parameters of `listPets`. */
export interface ListPetsParameters {
  /**
   * The maximum number of items to return. 1 to 100.
   *
   * @default 20
   * @example 20
   */
  limit?: number | undefined;

  /**
   * Return only animals with this status. Without it, all animals are returned.
   *
   * @example "available"
   */
  status?: PetStatus | undefined;

  /** Start of the page: the `cursor` in the `Link` header of the previous page. Opaque; do not construct or store it. 1 to 4096 characters. */
  cursor?: string | undefined;
}

/** The parameters of `getPet`. */
export interface GetPetParameters {
  /**
   * The identifier of the animal.
   *
   * @example 1
   */
  petId: number;
}

/** The operations of the API, by their operationId. */
export interface Operations {
  /**
   * List all animals.
   *
   * Returns animals in the order in which they were added (ascending `id`), at most `limit` at a time. If there
   * are more, the `Link` header points to the next page.
   *
   * Await the call for one page, or iterate it with `for await` for the items of this page and all following ones.
   *
   * `GET /pets`
   */
  listPets(parameters?: ListPetsParameters, options?: CallOptions): PagedCall<Pets>;

  /**
   * Add an animal.
   *
   * Adds an animal to the store and returns it with the `id` that the service assigned. With an `Idempotency-Key`,
   * the request can be repeated safely: the animal is added once.
   *
   * `POST /pets`
   */
  createPet(body: NewPet, options?: IdempotentCallOptions): Call<Pet>;

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
  getPet(parameters: GetPetParameters, options?: CallOptions): Call<Pet>;
}

/** The body of each failure that an operation declares, by HTTP status. */
export interface OperationFailures {
  /** The failures of `listPets`. */
  listPets: {
    400: ErrorBody;
    401: ErrorBody;
    429: ErrorBody;
    500: ErrorBody;
    503: ErrorBody;
    default: ErrorBody;
  };

  /** The failures of `createPet`. */
  createPet: {
    400: ErrorBody;
    401: ErrorBody;
    409: ErrorBody;
    413: ErrorBody;
    415: ErrorBody;
    422: ErrorBody;
    429: ErrorBody;
    500: ErrorBody;
    503: ErrorBody;
    default: ErrorBody;
  };

  /** The failures of `getPet`. */
  getPet: {
    401: ErrorBody;
    404: ErrorBody;
    429: ErrorBody;
    500: ErrorBody;
    503: ErrorBody;
    default: ErrorBody;
  };
}

/** The codes of failures by HTTP status, as far as the contract tells. Others may be added. */
export interface FailureCodes {
  /** With the status 400. */
  400: 'invalid_request';
  /** With the status 401. */
  401: 'api_key_missing' | 'api_key_invalid' | 'api_key_expired';
  /** With the status 404. */
  404: 'not_found';
  /** With the status 409. */
  409: 'idempotency_key_in_use' | 'conflict';
  /** With the status 413. */
  413: 'payload_too_large';
  /** With the status 415. */
  415: 'unsupported_media_type';
  /** With the status 422. */
  422: 'idempotency_key_reused';
  /** With the status 429. */
  429: 'rate_limit_exceeded' | 'api_key_banned';
  /** With the status 431. */
  431: 'request_header_fields_too_large';
  /** With the status 500. */
  500: 'internal_error';
  /** With the status 503. */
  503: 'service_unavailable' | 'outcome_unknown';
}
