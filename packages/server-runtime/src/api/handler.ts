import type { ContractTypes, RequestContext } from '../contract.ts';
import type { RequestDb } from '../database/statement.ts';
import type { Tables } from '../database/tables.ts';
import type { Tenants } from '../database/tenants.ts';

export interface HandlerResult {
  status: number;
  /** The media type, if it is not the first that the contract has for this status. */
  type?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** The handler of an operation, without the types of its contract. */
export interface Handler {
  (request: never, context: RequestContext): Promise<HandlerResult>;
  /** Whether it reads bodies as they arrive: see `whileClientSends`. */
  isStream?: true;
}

declare const operation: unique symbol;

/** An operation. Bound to a database, it handles requests. */
export interface Implementation<Id extends string = string> {
  (db: RequestDb): Handler;
  privileges?: Tables['privileges'];
  columns?: Tables['columns'];
  /** The tables whose rows have owners. */
  tenants?: Tenants | undefined;
  /** Only `operationsOf` creates this property, so that each operation keeps its promises. */
  readonly [operation]: Id;
}

export type Implementations<Types extends ContractTypes> = {
  [Id in keyof Types['handlers'] & string]: Implementation<Id>;
};
