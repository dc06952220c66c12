import type { Tables } from '@repo/server-runtime';
import { columns, defaults, type GeneratedTables } from './generated/tables.ts';

export const tables: Tables<GeneratedTables> = { columns, defaults };
