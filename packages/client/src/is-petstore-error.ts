import type { Failures } from './generated/operations.ts';
import type { PetstoreError } from './petstore-error.ts';

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
