import pg from 'pg';
import type { DatabaseHandle } from './open.ts';

/**
 * Runs the form of a statement for a plain table `pets`, or that for shards of Citus. A server that runs while
 * `petstore-server distribute` takes the table over changes its form at the first refused statement.
 */
export function eitherForm<Input, Result>(
  plain: (db: DatabaseHandle, input: Input) => Promise<Result>,
  distributed: (db: DatabaseHandle, input: Input) => Promise<Result>,
): (db: DatabaseHandle, input: Input) => Promise<Result> {
  const detect = async (db: DatabaseHandle) => {
    const { rows } = await db.pool.query(`select to_regclass('pets_visible') is not null as distributed`);
    db.distributed = rows[0]?.distributed === true;
    return db.distributed;
  };
  return async (db, input) => {
    if (db.distributed ?? (await detect(db))) return distributed(db, input);
    return plain(db, input).catch(async (error) => {
      if (error instanceof pg.DatabaseError && (await detect(db))) return distributed(db, input);
      throw error;
    });
  };
}
