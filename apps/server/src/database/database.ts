import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from './schema.ts';

/** Longest time in milliseconds that a statement, a lock or a free connection is waited for. Then: 503. */
const TIME_LIMIT = 5_000;

/** Connections that a server opens at most. */
const POOL_SIZE = 10;

/**
 * A pool of connections behind Kysely. `destroy()` closes it.
 *
 * @param limits - `statementTimeout` in milliseconds, 0 for none; `size` in connections
 */
export function openDatabase(
  url: string,
  { statementTimeout = TIME_LIMIT, size = POOL_SIZE }: { statementTimeout?: number; size?: number } = {},
): Kysely<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    application_name: 'petstore-server',
    connectionTimeoutMillis: TIME_LIMIT,
    statement_timeout: statementTimeout,
    lock_timeout: statementTimeout,
    keepAlive: true,
    types: { getTypeParser },
  });
  // A connection that breaks while idle, or inside a transaction, is an event without a listener otherwise: the process
  // would end. Whoever runs a query on it gets the error, the pool opens a new one.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}

/** int8 as a number, never rounded. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === pg.types.builtins.INT8) return safeInteger;
  return pg.types.getTypeParser(oid, format as 'text');
}

function safeInteger(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${value} is outside the range of a JSON integer`);
  return number;
}
