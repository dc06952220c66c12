import type { DatabaseHandle } from '../database/open.ts';
import { ChangeHandle, type ReadHandle } from '../database/statement.ts';
import type { Handlers, IdempotentOperation, SafeOperation } from '../generated/operations.ts';
import { pets } from '../pets/handlers.ts';
import type { IdempotentHandler } from './idempotency.ts';
import type { RequestContext } from './plugin.ts';

type All = Handlers<RequestContext>;

/**
 * Makes the handler of each operation. One of a safe method can only read; one that declares `Idempotency-Key` is made by
 * `change`. A failure is thrown as an `ApiError`.
 */
export type Resources = {
  [Id in keyof All]: Id extends IdempotentOperation
    ? IdempotentHandler<All[Id]>
    : (db: Id extends SafeOperation ? ReadHandle : ChangeHandle) => All[Id];
};

/** The operations of the contract. A missing one does not compile. */
const resources: Resources = { ...pets };

export function createHandlers(db: DatabaseHandle): All {
  const handle = new ChangeHandle(db);
  const handlers = Object.entries(resources).map(([id, create]) => [id, create(handle)]);
  return Object.fromEntries(handlers) as All;
}
