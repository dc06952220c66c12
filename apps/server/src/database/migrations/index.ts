import type { Migration } from 'kysely/migration';
import * as pets from './001-pets.ts';
import * as apiKeys from './002-api-keys.ts';
import * as rateLimits from './003-rate-limits.ts';
import * as idempotencyKeys from './004-idempotency-keys.ts';
import * as clock from './005-clock.ts';
import * as reservations from './006-reservations.ts';

/** All migrations; their names sort in the order in which they run and never change. */
export const migrations: Record<string, Migration> = {
  '001-pets': pets,
  '002-api-keys': apiKeys,
  '003-rate-limits': rateLimits,
  '004-idempotency-keys': idempotencyKeys,
  '005-clock': clock,
  '006-reservations': reservations,
};
