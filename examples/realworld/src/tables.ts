import type { Tables } from '@petstore-platform/server-runtime';
import { columns, type GeneratedTables } from './generated/tables.ts';

export const tables: Tables<GeneratedTables> = { columns };
