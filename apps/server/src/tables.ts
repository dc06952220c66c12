import type { Refined, Tables } from '@petstore-platform/server-runtime';
import type { PetStatus } from './generated/operations.ts';
import { columns, type GeneratedTables } from './generated/tables.ts';

/** The tables with the types of text columns that Postgres does not know. */
interface PetstoreTables extends Refined<GeneratedTables, { pets: { status: PetStatus | null } }> {}

export const tables: Tables<PetstoreTables> = {
  columns,
  ordered: ['pets'],
  privileges: { pets: ['select', 'insert'] },
};
