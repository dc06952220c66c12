import type { Refined, Tables } from '@petstore-platform/server-runtime';
import type { PetStatus } from './generated/operations.ts';
import { columns, type GeneratedTables } from './generated/tables.ts';

/** The tables with the types of text columns that Postgres does not know. */
interface PetstoreTables extends Refined<GeneratedTables, { pets: { status: PetStatus | null } }> {}

export const tables: Tables<PetstoreTables> = {
  columns,
  // Pets become visible in the order of their ids, so that a client that reads pages misses none.
  ordered: ['pets'],
  // `/readyz` checks that the server has these, which its operations need.
  privileges: { pets: ['select', 'insert'] },
};
