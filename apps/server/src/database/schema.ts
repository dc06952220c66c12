import type { ColumnType, Generated } from 'kysely';
import type { Plan } from '../generated/plans.ts';

/** The tables whose statements Kysely builds. The others are used in SQL. */
export interface Database {
  api_keys: ApiKeyTable;
}

export interface ApiKeyTable {
  id: Generated<number>;
  name: string;
  plan: Plan;
  /** Only with the enterprise plan. */
  per_minute: number | null;
  per_day: number | null;
  /** SHA-256 of the key. */
  key_hash: Buffer;
  created_at: ColumnType<Date, never, never>;
  revoked_at: Date | null;
}
