import type { RateLimit } from './rate-limit.ts';

/** How long a call may take and how often it is tried. */
export interface Limits {
  /**
   * Milliseconds for one attempt, from sending the request to the last byte of the body. `Infinity` for no limit.
   *
   * @default 10_000
   */
  timeout?: number | undefined;

  /**
   * Milliseconds for the whole call: all attempts and the waits between them. `Infinity` for no limit. A wait that
   * would not end in time is not begun: the call rejects at once.
   *
   * @default 90_000
   */
  totalTimeout?: number | undefined;

  /**
   * How many times a failed attempt may be repeated.
   *
   * @default 2
   */
  maxRetries?: number | undefined;

  /**
   * The longest `Retry-After` to wait for, in milliseconds. When the service asks for more, the call rejects at once.
   *
   * @default 60_000
   */
  maxRetryAfter?: number | undefined;
}

/** Options of a single call. Limits that are not given are those of the client. */
export interface CallOptions extends Limits {
  /**
   * Aborts the call at once: while it sends, reads or waits. The call rejects with the signal's reason, as `fetch` does.
   *
   * @example AbortSignal.timeout(5_000)
   */
  signal?: AbortSignal | null | undefined;
}

/** Options of a call that the service does not carry out twice. */
export interface IdempotentCallOptions extends CallOptions {
  /**
   * What the service recognizes a repeated request by (`Idempotency-Key`, draft-ietf-httpapi-idempotency-key-header).
   * Give one to make a call of an earlier process safe to repeat. Visible ASCII characters.
   *
   * @default a new UUID for each call, the same for all of its attempts
   */
  idempotencyKey?: string | undefined;
}

/** What a call brought back besides its data. */
export interface CallResult<T> {
  /** What awaiting the call gives. */
  readonly data: T;
  /** The response; its body has been read. */
  readonly response: Response;
  /** Identifier of the request in the service's logs (`X-Request-Id`). */
  readonly requestId: string | undefined;
  /** What is left of the rate limit. */
  readonly rateLimit: RateLimit | undefined;
  /** How many requests it took; 1 without retries. */
  readonly attempts: number;
}

/**
 * A call under way: a promise of its data. It was sent when the method was called, awaited or not.
 *
 * @example
 * const pet = await petstore.createPet({ name: 'Biscuit', categoryId: 7 });
 */
export interface Call<T> extends Promise<T> {
  /**
   * The data together with the response that carried it. Sends nothing anew.
   *
   * @example
   * const { data, rateLimit } = await petstore.listPets().withResponse();
   */
  withResponse(): Promise<CallResult<T>>;
}

/**
 * A call under way that is a page of a longer list. Awaited, it gives this page; iterated, it gives what is on this
 * and all following pages, each requested when it is needed, with the options of the call.
 *
 * @example
 * for await (const pet of petstore.listPets({ status: 'available' })) console.log(pet.name);
 */
export interface PagedCall<T extends readonly unknown[]> extends Call<T>, AsyncIterable<T[number]> {
  /**
   * This page and all that follow, each requested when it is needed.
   *
   * @example
   * for await (const page of petstore.listPets({ limit: 100 }).pages()) console.log(page.length);
   */
  pages(): AsyncIterableIterator<T>;
}
