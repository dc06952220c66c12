import type { ContractTypes, HandlerOf, OperationId, RequestContext } from '../contract.ts';
import type { ChangeHandle, ReadHandle } from '../database/statement.ts';

/** What a handler returns. */
export interface HandlerResult {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** The handler of an operation, without the types of its contract. */
export type Handler = (request: never, context: RequestContext) => Promise<HandlerResult>;

declare const idempotent: unique symbol;

/** Makes the handler of an operation that declares `Idempotency-Key`. Only `change` returns it. */
export type IdempotentHandler<Handler> = ((db: ChangeHandle) => Handler) & { readonly [idempotent]: true };

/**
 * Makes the handler of each operation. One of a safe method can only read; one that declares `Idempotency-Key` is made by
 * `change`.
 */
export type Resources<Types extends ContractTypes> = {
  [Id in OperationId<Types>]: Id extends Types['idempotent']
    ? IdempotentHandler<HandlerOf<Types, Id>>
    : (db: Id extends Types['safe'] ? ReadHandle : ChangeHandle) => HandlerOf<Types, Id>;
};
