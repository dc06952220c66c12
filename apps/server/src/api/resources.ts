import type { ChangeHandle, ReadHandle } from '../database/statement.ts';
import type { Handlers, IdempotentOperation, SafeOperation } from '../generated/operations.ts';
import type { ApiKey } from '../keys/keys.ts';

/** Passed to a handler beside its request. */
export interface RequestContext {
  /** The path of the operation with its base path, as in `/v1/pets`. */
  path: string;
  apiKey: ApiKey;
  /** Of a request with an `Idempotency-Key`: see `fingerprintOf`. */
  fingerprint: string | undefined;
}

/** The handlers of the contract's operations. A failure is thrown as an `ApiError`. */
export type ApiHandlers = Handlers<RequestContext>;

declare const idempotent: unique symbol;

/** Makes the handler of an operation that declares `Idempotency-Key`. Only `change` returns it. */
export type IdempotentHandler<Handler> = ((db: ChangeHandle) => Handler) & { readonly [idempotent]: true };

/**
 * Makes the handler of each operation. One of a safe method can only read; one that declares `Idempotency-Key` is made by
 * `change`.
 */
export type Resources = {
  [Id in keyof ApiHandlers]: Id extends IdempotentOperation
    ? IdempotentHandler<ApiHandlers[Id]>
    : (db: Id extends SafeOperation ? ReadHandle : ChangeHandle) => ApiHandlers[Id];
};
