import type { Scope } from '../database/tenants.ts';

export interface Schema {
  /** @throws Error for a column that the table does not have */
  typeOf(table: string, column: string): string;
  /** Whether lists may page through a table, so that insertions take its lock. */
  isListed(table: string): boolean;
  /** Undefined in a service whose rows have no owners. */
  scope: Scope | undefined;
}
