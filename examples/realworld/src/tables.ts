import type { Tables } from '@petstore-platform/server-runtime';
import { columns, defaults, type GeneratedTables } from './generated/tables.ts';

export const tables: Tables<GeneratedTables> = { columns, defaults };
