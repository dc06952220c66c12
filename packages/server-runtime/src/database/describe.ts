import pg from 'pg';
import type { Handle } from './statement.ts';

/** Postgres' description of a select. */
export interface Described {
  /** The types of its parameters. */
  types: string[];
  /** Whether requests may share its result: it calls no volatile function and locks no row. */
  isShareable: boolean;
}

/** SQLSTATEs of a parameter without a type, and of a text that cannot be a part of another one. */
const ALONE = ['42P18', '0A000'];

/**
 * Describes a select, which does not run. Postgres plans a step of `with` as a part of the statement around it, unless it has volatile
 * functions, those of views and operators included, or locks rows. Poolers keep the session for the transaction.
 */
export async function describe({ db }: Handle, text: string): Promise<Described> {
  const client = await db.pool.connect();
  try {
    await client.query('begin read only');
    await client.query(`prepare runtime_described as with "$own" as (${text}) select from "$own"`);
    const { rows } = await client.query<{ types: string[] }>(
      `select parameter_types::text[] as types from pg_prepared_statements where name = 'runtime_described'`,
    );
    const types = rows[0]?.types ?? [];
    const values = types.length > 0 ? `(${types.map(() => 'null').join()})` : '';
    const explained = await client.query<{ 'QUERY PLAN': string }>(
      `explain (costs off) execute runtime_described${values}`,
    );
    return { types, isShareable: !explained.rows.some((row) => row['QUERY PLAN'].endsWith('CTE $own')) };
  } catch (error) {
    if (error instanceof pg.DatabaseError && ALONE.includes(error.code ?? '')) return { types: [], isShareable: false };
    throw error;
  } finally {
    // One message, so that a pooler sends both to the same session.
    await client.query('rollback; deallocate runtime_described').catch(() => {});
    client.release();
  }
}
