import type pg from 'pg';
import type { DatabaseHandle } from '../database/open.ts';

/** A real database that can be made unavailable and counts its statements. */
export interface FlakyDatabase {
  db: DatabaseHandle;
  away: boolean;
  statements: number;
  close(): Promise<void>;
}

type Callback = (error: Error | undefined, client?: pg.PoolClient) => void;

export function flaky(db: DatabaseHandle): FlakyDatabase {
  const { pool } = db;
  const database = { db, away: false, statements: 0, close: () => db.close() };
  const connect = pool.connect.bind(pool) as (callback?: Callback) => Promise<pg.PoolClient>;
  // pg calls it with a callback for a query, and without one where it wants a promise.
  pool.connect = ((callback?: Callback) => {
    if (!database.away) {
      database.statements += 1;
      return connect(callback);
    }
    const error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
    return callback ? callback(error) : Promise.reject(error);
  }) as typeof pool.connect;
  return database;
}
