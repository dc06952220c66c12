import { sql } from 'kysely';
import { write } from '../api.ts';

const startExport = write('startExport', (_, db, { row }) =>
  row(
    db
      .insertInto('exports')
      .defaultValues()
      .returning(['id', sql<string>`'/v1/exports/' || id`.as('location')]),
    {
      headers: { Location: 'location' },
    },
  ),
);

export const reports = { startExport };
