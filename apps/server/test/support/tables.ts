import type { Generated } from 'kysely';
import type { PetStatus } from '../../src/generated/operations.ts';

/** Tables that only tests access through Kysely. */
declare module '../../src/database/open.ts' {
  interface Database {
    pets: PetTable;
    rate_limits: RateLimitTable;
    idempotency_keys: IdempotencyKeyTable;
  }
}

interface PetTable {
  id: Generated<number>;
  name: string;
  category_id: number;
  status: PetStatus | null;
}

interface RateLimitTable {
  /** `key:<id>`; of earlier versions also `address:<address>`. */
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
  /** Reserved by the last statement, and included in the counts. */
  spare: Generated<number>;
  returned: Generated<number>;
  returned_minute: Generated<number>;
}

interface IdempotencyKeyTable {
  api_key_id: number;
  key: string;
  /** SHA-256 of the request's body. */
  fingerprint: Buffer;
  /** The body of its answer. */
  answer: unknown;
  created_at: Date;
}
