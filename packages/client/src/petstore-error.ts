import type { ErrorBody } from './generated/operations.ts';
import type { RateLimit } from './rate-limit.ts';

/**
 * What went wrong, for programs: a `code` of the contract, or one of this package's own three.
 *
 * - `network_error`: no response, or the connection broke while its body arrived. `cause` tells why.
 * - `timeout`: no complete response within `timeout` or `totalTimeout`.
 * - `unexpected_response`: a response that the contract does not know, such as the HTML page of a proxy.
 */
export type ErrorCode = ErrorBody['code'] | 'network_error' | 'timeout' | 'unexpected_response';

/** The fields of a {@link PetstoreError}. */
export interface PetstoreErrorFields {
  /** The operationId of the call. */
  readonly operation: string;
  /** HTTP status, 0 if there was no response. */
  readonly status: number;
  readonly code: ErrorCode;
  /** The body that the contract promises for the status; undefined if another one or none came. */
  readonly body?: ErrorBody | undefined;
  /** Identifier of the request in the service's logs (`X-Request-Id`). Quote it when you ask for help. */
  readonly requestId?: string | undefined;
  /** What is left of the rate limit. */
  readonly rateLimit?: RateLimit | undefined;
  /** Seconds to wait before the next request (`Retry-After`, RFC 9110, section 10.2.3). */
  readonly retryAfter?: number | undefined;
  /** How many requests were sent. */
  readonly attempts: number;
  /** The response; its body has been read into {@link text}. Undefined if there was none. */
  readonly response?: Response | undefined;
  /** The body as far as it arrived, JSON or not; empty if there was none. */
  readonly text?: string | undefined;
  /** What `fetch` threw, for `network_error` and `timeout`. */
  readonly cause?: unknown;
}

/**
 * The rejection of every call that reached for the network and did not bring back what the contract promises.
 * `message` is one line for the log: operation, status, code, the service's message and the request id.
 *
 * @example
 * try {
 *   await petstore.createPet({ name: 'Biscuit', categoryId: 7 });
 * } catch (error) {
 *   if (isPetstoreError(error) && error.status === 429) console.log(`Try again in ${error.retryAfter} seconds`);
 *   else throw error;
 * }
 */
export class PetstoreError extends Error implements PetstoreErrorFields {
  declare readonly operation: string;
  declare readonly status: number;
  declare readonly code: ErrorCode;
  declare readonly body: ErrorBody | undefined;
  declare readonly requestId: string | undefined;
  declare readonly rateLimit: RateLimit | undefined;
  declare readonly retryAfter: number | undefined;
  declare readonly attempts: number;
  declare readonly response: Response | undefined;
  declare readonly text: string;

  // On the prototype, so that the stack trace starts with it and minifiers do not change it.
  override get name(): 'PetstoreError' {
    return 'PetstoreError';
  }

  constructor(message: string, { response, text = '', cause, ...fields }: PetstoreErrorFields) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, fields);
    // Not enumerable: a logged error stays a few lines long.
    Object.defineProperties(this, { response: { value: response }, text: { value: text } });
  }
}
