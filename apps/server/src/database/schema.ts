import type { ColumnType, Generated, Selectable } from 'kysely';
import type { PetStatus } from '../generated/operations.ts';
import type { Plan } from '../generated/plans.ts';

/** The tables as Kysely sees them. Which values are allowed is the contract's to say and is checked before they get here. */
export interface Database {
  pets: PetTable;
  api_keys: ApiKeyTable;
}

export interface PetTable {
  id: Generated<number>;
  name: string;
  category_id: number;
  status: PetStatus | null;
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

export type PetRow = Selectable<PetTable>;
