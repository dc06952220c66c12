import type { Refined, Tables } from '@petstore-platform/server-runtime';
import type { InvoiceState, Line } from './generated/operations.ts';
import { columns, defaults, type GeneratedTables } from './generated/tables.ts';

interface InvoicesTables
  extends Refined<
    GeneratedTables,
    { customers: { metadata: Record<string, unknown> }; invoices: { state: InvoiceState; lines: Line[] } }
  > {}

export const tables: Tables<InvoicesTables> = { columns, defaults, ordered: ['invoices'] };
