import type { Refined, Tables } from '@petstore-platform/server-runtime';
import type { Format, Labels, StoreState } from './generated/operations.ts';
import { columns, type GeneratedTables } from './generated/tables.ts';

/** Adds what Postgres does not know: the values of text columns. */
interface BookstoreTables
  extends Refined<
    GeneratedTables,
    {
      books: { format: Format | null };
      stores: { state: StoreState };
      sales: { labels: Labels | null };
    }
  > {}

export const tables: Tables<BookstoreTables> = {
  columns,
  ordered: ['books', 'stores', 'sales'],
  privileges: { books: ['select', 'insert', 'delete'], sales: ['select', 'insert', 'update'], visits: ['select'] },
};
