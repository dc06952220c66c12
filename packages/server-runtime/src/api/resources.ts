import type { ContractTypes, OperationId, RequestContext } from '../contract.ts';
import type { Columns } from '../database/columns.ts';
import type { Index } from '../database/indexes.ts';
import type { Privilege } from '../database/nodes.ts';
import type { Handle } from '../database/statement.ts';
import type { Storage } from './storage.ts';

export interface HandlerResult {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** The handler of an operation, without the types of its contract. */
export type Handler = (request: never, context: RequestContext) => Promise<HandlerResult>;

declare const lane: unique symbol;

/** An operation bound to the service's storages. Bound to a database, it handles requests. */
export interface Bound {
  (db: Handle): Handler;
  indexes?: readonly Index[];
  /** The privileges that its changes need, if the definition shows them. */
  privileges?: readonly Privilege[];
}

export interface Implementation<Id extends string = string> {
  (distributed: readonly Storage[]): Bound;
  /** The table of `list`, `get` and `create`. */
  table?: string | undefined;
  /** The columns of all tables. */
  columns?: Columns;
  /** Storages have to know all lists before they compose a change. */
  isList?: boolean;
  /** Only lanes create this property, so that each operation keeps the promises of a lane. */
  readonly [lane]: Id;
}

export type Implementations<Types extends ContractTypes> = { [Id in OperationId<Types>]: Implementation<Id> };
