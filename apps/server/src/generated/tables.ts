// Generated from migrations.ts by `pnpm tables`. Do not edit.

import type { GeneratedAlways } from 'kysely';

/** The tables, as the migrations leave them. */
export interface GeneratedTables {
  pets: {
    id: GeneratedAlways<number>;
    name: string;
    category_id: number;
    status: string | null;
  };
}

/** The types of the columns in Postgres. */
export const columns = {
  pets: { id: 'bigint', name: 'text', category_id: 'bigint', status: 'text' },
} as const;
