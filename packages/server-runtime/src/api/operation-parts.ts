import type { Settings, Statement } from '@petstore-platform/kysely-pipeline';
import type { Operation } from '../contract.ts';
import type { Scope } from '../database/tenants.ts';

/** What the runtime knows about an operation: its response, headers, column types and locks. */
export interface OperationParts {
  response: Operation['response'];
  /** The headers that a handler gets. */
  named: readonly string[];
  /** @throws Error for a column that the table does not have */
  typeOf(table: string, column: string): string;
  /** Whether rows of a table become visible in the order of their ids. @param table - in quotes */
  isOrdered(table: string): boolean;
  /** The locks of insertions into ordered tables. @param settings - those of the statement */
  locksOf(tables: readonly string[], settings: Settings | undefined): Statement[];
  /** Undefined in a service whose rows have no owners. */
  scope: Scope | undefined;
}
