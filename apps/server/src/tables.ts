import type { Refined, Tables } from '@repo/server-runtime';
import type { PetStatus } from './generated/operations.ts';
import { columns, defaults, type GeneratedTables } from './generated/tables.ts';

/** With what Postgres does not know: the values of text columns. */
interface PetstoreTables extends Refined<GeneratedTables, { pets: { status: PetStatus | null } }> {}

export const tables: Tables<PetstoreTables> = { columns, defaults };
