import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from '../../src/database/schema.ts';

/** A real database that can be switched away, and that counts the statements it is asked for. */
export interface FlakyDatabase {
  db: Kysely<Database>;
  away: boolean;
  statements: number;
  close(): Promise<void>;
}

export function flakyDatabase(url: string): FlakyDatabase {
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({ connectionString: url });
  // Ends with its database.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const flaky = {
    away: false,
    statements: 0,
    db: new Kysely<Database>({
      dialect: new PostgresDialect({
        pool: {
          async connect() {
            if (flaky.away)
              throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
            flaky.statements += 1;
            return pool.connect();
          },
          end: () => pool.end(),
        } as unknown as pg.Pool,
      }),
    }),
    close: () => flaky.db.destroy(),
  };
  return flaky;
}
