import type { ErrorBody, Failures } from './generated/operations.ts';
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
  declare readonly name: 'PetstoreError';
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

  static {
    // On the prototype, so that the stack trace starts with it and minifiers do not change it.
    Object.defineProperty(PetstoreError.prototype, 'name', { value: 'PetstoreError' });
  }

  constructor(message: string, { response, text = '', cause, ...fields }: PetstoreErrorFields) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, fields);
    // Not enumerable: a logged error stays a few lines long.
    Object.defineProperties(this, { response: { value: response }, text: { value: text } });
  }
}

/** An operationId of the contract. */
export type OperationId = keyof Failures;

/** A status that the contract declares for a failure of an operation. */
export type FailureStatus<Operation extends OperationId> = Exclude<keyof Failures[Operation], 'default'>;

/**
 * Whether a caught value is a {@link PetstoreError}. Unlike `instanceof`, it also holds for an error of another copy
 * of this package or of another realm.
 */
export function isPetstoreError(error: unknown): error is PetstoreError;
/** Whether a caught value is the failure of a call of `operation`. */
export function isPetstoreError<const Operation extends OperationId>(
  error: unknown,
  operation: Operation,
): error is PetstoreError & { readonly operation: Operation };
/**
 * Whether a caught value is the failure that the contract declares for `operation` and `status`, body included. The
 * same status with another body, such as the page of a proxy, is not.
 *
 * @example
 * if (isPetstoreError(error, 'getPet', 404)) return undefined;
 */
export function isPetstoreError<const Operation extends OperationId, const Status extends FailureStatus<Operation>>(
  error: unknown,
  operation: Operation,
  status: Status,
): error is PetstoreError & {
  readonly operation: Operation;
  readonly status: Status;
  readonly body: Failures[Operation][Status];
};
export function isPetstoreError(error: unknown, operation?: string, status?: number): boolean {
  const failure = Object(error) as PetstoreError;
  return (
    failure.name === 'PetstoreError' &&
    (operation === undefined || failure.operation === operation) &&
    (status === undefined || (failure.status === status && failure.body !== undefined))
  );
}
