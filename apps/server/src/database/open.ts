import { Socket } from 'node:net';
import { type ColumnType, type Generated, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Plan } from '../generated/plans.ts';

/** Milliseconds to wait for a statement, a lock or a connection before a 503. */
const TIME_LIMIT = 5_000;

export interface DatabaseOptions {
  /** Connections at most. Default: 10. */
  size?: number;
  /** Longest time in milliseconds for a statement or a lock, 0 for none. Default: 5,000. */
  timeLimit?: number;
}

/** The tables whose statements Kysely builds. The others are used in SQL. */
export interface Database {
  api_keys: ApiKeyTable;
}

export interface ApiKeyTable {
  id: Generated<number>;
  name: string;
  plan: Plan;
  /** Only with the enterprise plan. */
  per_minute: number | null;
  per_day: number | null;
  /** SHA-256 of the key. */
  key_hash: Buffer;
  created_at: ColumnType<Date, never, never>;
  revoked_at: Date | null;
}

/** A pool of connections, used through Kysely or directly. */
export interface DatabaseHandle {
  kysely: Kysely<Database>;
  pool: pg.Pool;
  /** Another connection, on which rows are sent to the nodes of Citus. Undefined: `pets` is not distributed. */
  shards?: DatabaseHandle;
  /** How often a connection broke: Postgres may have crashed, and lost commits that did not wait for the disk. */
  breaks: number;
  /** Closes the connections, each as soon as its statement ends. */
  close(): Promise<void>;
}

export function openDatabase(url: string, options: DatabaseOptions = {}): DatabaseHandle {
  const { size = 10, timeLimit = TIME_LIMIT } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    application_name: 'petstore-server',
    connectionTimeoutMillis: timeLimit || TIME_LIMIT,
    // A machine that is gone reports no timeout.
    ...(timeLimit > 0 && { stream: () => impatientSocket(timeLimit + 500) }),
    onConnect: async (client) => {
      const { rows } = await client.query(CONFIGURE, [sessionSettings(timeLimit)]);
      if (rows[0]?.visible) db.shards ??= openDatabase(url, { ...options, size: 1 });
    },
    idleTimeoutMillis: timeLimit || TIME_LIMIT,
    keepAlive: true,
    types: { getTypeParser: (oid, format) => (oid === INT8 ? safeInteger : pg.types.getTypeParser(oid, format)) },
  });
  // Without listeners, a connection that breaks while idle or in a transaction would end the process. Its queries fail anyway,
  // and the pool replaces it.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => (db.breaks += 1)));
  const kysely = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const close = async () => void (await Promise.all([pool.end(), db.shards?.close()]));
  const db: DatabaseHandle = { kysely, pool, breaks: 0, close };
  return db;
}

/** A statement, because PgBouncer refuses startup parameters. Skips settings that this version of Postgres lacks. */
const CONFIGURE = `
  select set_config(name, value, false), to_regclass('pets_visible') as visible
  from pg_settings join json_each_text($1) as wanted (name, value) using (name)
  -- Citus has no generic plans for several shards.
  where name <> 'plan_cache_mode' or to_regclass('pets_visible') is null`;

/** Ends the session, and with it the locks, of a server that freezes or disappears, soon after the time limit. */
function sessionSettings(timeLimit: number): Record<string, unknown> {
  return {
    statement_timeout: timeLimit,
    lock_timeout: timeLimit,
    idle_in_transaction_session_timeout: timeLimit && timeLimit + 1_000,
    // From Postgres 17: also while Postgres waits for the client.
    transaction_timeout: timeLimit && timeLimit + 1_000,
    tcp_user_timeout: timeLimit * 2,
    tcp_keepalives_idle: 5,
    tcp_keepalives_interval: 1,
    tcp_keepalives_count: 5,
    // A migration reads and alters in one transaction.
    ...(timeLimit === 0 && { 'citus.multi_shard_modify_mode': 'sequential' }),
    // Planning a small batch takes longer than running it.
    plan_cache_mode: 'force_generic_plan',
  };
}

/** A socket that is destroyed after some time without data. The pool ends its idle connections before that. */
function impatientSocket(milliseconds: number): Socket {
  const socket = new Socket();
  return socket.setTimeout(milliseconds, () => socket.destroy());
}

const { INT8 } = pg.types.builtins;

/** int8 as a number, never rounded. */
function safeInteger(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${value} is outside the range of a JSON integer`);
  return number;
}
