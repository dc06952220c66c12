// Generated from migrations.ts by `pnpm tables`. Do not edit.

import type { Generated, GeneratedAlways } from 'kysely';

/** The tables, as the migrations leave them. */
export interface GeneratedTables {
  books: {
    id: GeneratedAlways<number>;
    title: string;
    store_id: number;
    format: string | null;
  };
  sales: {
    id: GeneratedAlways<number>;
    sold_at: Date;
    due: string;
    price: string;
    buyer_name: string;
    buyer_city: string | null;
    titles: string[];
    labels: unknown | null;
    cashier: string | null;
  };
  stores: {
    id: GeneratedAlways<number>;
    name: string;
    city: string;
    capacity: number | null;
    state: Generated<string>;
    opened_at: Generated<Date>;
  };
  visits: {
    id: GeneratedAlways<number>;
    note: string;
  };
}

/** The types of the columns in Postgres. */
export const columns = {
  books: { id: 'bigint', title: 'text', store_id: 'bigint', format: 'text' },
  sales: { id: 'bigint', sold_at: 'timestamptz', due: 'date', price: 'numeric', buyer_name: 'text', buyer_city: 'character varying', titles: 'text[]', labels: 'jsonb', cashier: 'text' },
  stores: { id: 'bigint', name: 'text', city: 'text', capacity: 'integer', state: 'text', opened_at: 'timestamptz' },
  visits: { id: 'bigint', note: 'text' },
} as const;
