import type { ColumnType, Generated } from 'kysely';
import type { PetStatus } from '../generated/operations.ts';
import type { Plan } from '../generated/plans.ts';

/** The tables as Kysely sees them. Which values are allowed is the contract's to say and is checked before they get here. */
export interface Database {
  pets: PetTable;
  api_keys: ApiKeyTable;
  rate_limits: RateLimitTable;
  idempotency_keys: IdempotencyKeyTable;
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

export interface RateLimitTable {
  /** `key:<id>` or `address:<address>`. */
  subject: string;
  /** Minutes since the Unix epoch; the counts of any other minute are 0. */
  minute: number;
  minute_count: number;
  /** Days since the Unix epoch. */
  day: number;
  day_count: number;
  /** Requests refused in that minute that count towards a ban. */
  rejected: number;
  /** The first refusal of that minute, Unix time in milliseconds; 0 without one. */
  refused_at: Generated<number>;
  /** Unix time in milliseconds, 0 when there was no ban. */
  banned_until: number;
  per_minute: number;
  per_day: number;
  requested: number;
  admitted: number;
  /** Reserved by the last statement, and counted with what is admitted. */
  spare: Generated<number>;
  returned: Generated<number>;
  returned_minute: Generated<number>;
}

export interface IdempotencyKeyTable {
  api_key_id: number;
  key: string;
  /** SHA-256 of the request's body. */
  fingerprint: Buffer;
  /** The body of its answer. */
  answer: unknown;
  created_at: Date;
}
