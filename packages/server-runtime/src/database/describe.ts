import type { OperationNode } from 'kysely';
import { wordsIn } from './nodes.ts';
import type { Handle } from './statement.ts';

/** The types of a statement's parameters, and whether it calls a function that has another result each time, or locks rows. */
export interface Described {
  types: string[];
  isVolatile: boolean;
}

/** Describes a statement, which does not run. Poolers keep the session for the transaction. */
export async function describe({ db }: Handle, query: OperationNode, text: string): Promise<Described> {
  const client = await db.pool.connect();
  try {
    await client.query('begin read only');
    await client.query(`prepare runtime_described as ${text}`);
    const { rows } = await client.query<Described>(
      `select parameter_types::text[] as types,
        exists (select from pg_proc where provolatile = 'v' and proname = any($1)) as "isVolatile"
      from pg_prepared_statements where name = 'runtime_described'`,
      [wordsIn(query)],
    );
    await client.query('deallocate runtime_described');
    return rows[0] ?? { types: [], isVolatile: true };
  } finally {
    const isOpen = await client.query('rollback').then(
      () => true,
      () => false,
    );
    client.release(!isOpen);
  }
}
