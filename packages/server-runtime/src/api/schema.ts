import type { Scope } from '../database/tenants.ts';

export interface Schema {
  /** @throws Error for a column that the table does not have */
  typeOf(table: string, column: string): string;
  /** Whether rows of a table become visible in the order of their ids, so that insertions take its lock. @param table - in quotes */
  isOrdered(table: string): boolean;
  /** Undefined in a service whose rows have no owners. */
  scope: Scope | undefined;
}
