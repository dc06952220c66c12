import type { Socket } from 'node:net';
import { prepare, type Statement } from '@petstore-platform/kysely-pipeline';
import { type ColumnType, type Generated, type JSONColumnType, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { connectionString } from '../database-url.ts';
import { type ArrayType, itemsOf, readerOf, SELECT_ARRAYS } from './types.ts';

// The zone of the process would be that of times in columns without one.
pg.defaults.parseInputDatesAsUTC = true;

/** The oldest version of Postgres that is tested. */
const OLDEST = 15;

/** Milliseconds to wait for a statement, a lock or a connection before a 503. */
const TIME_LIMIT = 5_000;

/** Milliseconds for which an idle connection is kept: opening one and preparing its statements takes 10 to 30. */
const IDLE_TIME = 60_000;

/** The tables whose statements Kysely builds. The others are used in SQL. */
export interface Database {
  api_keys: ApiKeyTable;
  api_key_changes: ApiKeyChangeTable;
  kysely_migration: { name: string; timestamp: string };
}

export interface ApiKeyTable {
  id: Generated<number>;
  name: string;
  plan: string;
  /** Set only with the enterprise plan. */
  per_minute: number | null;
  per_day: number | null;
  /** SHA-256 of the key. */
  key_hash: Buffer;
  created_at: ColumnType<Date, never, never>;
  revoked_at: Date | null;
  owner: string | null;
  scopes: Generated<string[]>;
  expires_at: Date | null;
  /** The key that `rotate` has issued in its place. */
  successor: number | null;
}

/** Append-only. */
export interface ApiKeyChangeTable {
  id: Generated<number>;
  api_key_id: number;
  changed_at: Generated<Date>;
  action: string;
  /** The columns that have changed. */
  before: JSONColumnType<Record<string, unknown> | null>;
  after: ColumnType<Record<string, unknown> | null, never, never>;
  role: Generated<string>;
  changed_by: Generated<string | null>;
}

export interface DatabaseHandle {
  kysely: Kysely<Database>;
  pool: pg.Pool;
  /** Takes a session back to its beginning, after statements that may have changed it. Prepared statements stay. */
  restore(): readonly Statement[];
  /** Closes the connections, each as soon as its statement ends. */
  close(): Promise<void>;
}

export interface Session {
  /** The command that runs it, which is the `application_name` of its sessions. */
  command: string;
}

/**
 * @param size - connections at most
 * @param timeLimit - longest time in milliseconds for a statement or a lock, 0 for none
 */
export function openDatabase(
  session: Session,
  url: string,
  { size = 10, timeLimit = TIME_LIMIT } = {},
): DatabaseHandle {
  let restore: readonly Statement[] = [];
  const arrays = new Map<number, number>();
  const socketOf = (client: pg.ClientBase) => (client as pg.Client).connection.stream as Socket;
  const silence = timeLimit && timeLimit + 500;
  const watch = watcherOf(silence);
  const pool = new pg.Pool({
    Client: clientOf(() => connectionString(url)),
    max: size,
    application_name: session.command,
    connectionTimeoutMillis: timeLimit || TIME_LIMIT,
    onConnect: async (client) => {
      watch(socketOf(client));
      restore = restoreOf(await configure(client, timeLimit));
      const types = await client.query<ArrayType>(SELECT_ARRAYS);
      for (const [list, item] of itemsOf(types.rows)) arrays.set(list, item);
    },
    idleTimeoutMillis: IDLE_TIME,
    keepAlive: true,
    keepAliveInitialDelayMillis: TIME_LIMIT,
    types: { getTypeParser: readerOf(arrays) as typeof pg.types.getTypeParser },
  });
  // Without listeners, a connection that breaks while idle or in a transaction would end the process. Its queries fail anyway,
  // and the pool replaces it.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('acquire', (client) => socketOf(client).setTimeout(silence));
  pool.on('release', (_, client) => socketOf(client).setTimeout(0));
  // Its statements have no names: a migration changes the tables of prepared ones, and commands run each once.
  const kysely = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return { kysely, pool, restore: () => restore, close: () => pool.end() };
}

/** Ends the connections of a machine that is gone, which reports no timeout: the idle ones lead there, too. Their keepalives notice it later. */
function watcherOf(silence: number) {
  const sockets = new Set<Socket>();
  return (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.setTimeout(silence, () => {
      for (const each of sockets) if (each === socket || each.timeout === 0) each.destroy();
    });
  };
}

/** Configures a session. @returns its settings */
async function configure(client: pg.ClientBase, timeLimit: number): Promise<{ name: string; value: string }[]> {
  // The role's own limit ends any statement that takes longer. On a busy machine, it may end even this one, which is tried again.
  const limit = () => client.query(`set statement_timeout = ${timeLimit}`);
  await limit().catch(limit).catch(limit);
  const values = Object.entries(settings).map(([name, [value]]) => ({
    [name]: typeof value === 'function' ? value(timeLimit) : value,
  }));
  const { rows } = await client.query(CONFIGURE, [JSON.stringify(Object.assign({}, ...values))]);
  if (rows[0]?.version < OLDEST) throw new Error(`Postgres ${rows[0].version} is older than ${OLDEST}`);
  return rows;
}

/** Asks for the connection string again for each connection: its file may have a new password. */
function clientOf(ask: () => string): typeof pg.Client {
  let last = ask();
  return class extends pg.Client {
    constructor(config: pg.ClientConfig = {}) {
      try {
        last = ask();
      } catch {
        // The last URL is used while the file is being replaced.
      }
      try {
        super({ ...config, connectionString: last });
      } catch (cause) {
        // The file of a certificate may be missing while it is being replaced.
        throw new Error(`No SSL connection: ${(cause as Error).message}`, { cause });
      }
    }
  };
}

/**
 * Sets the settings by a statement, because PgBouncer refuses startup parameters. It skips those that this version of Postgres lacks. Citus
 * has no generic plan for a statement on several shards.
 */
const CONFIGURE = `
  select name, set_config(name, value, false) as value, current_setting('server_version_num')::integer / 10000 as version
  from pg_settings join json_each_text($1) as wanted (name, value) using (name)
  where name <> 'plan_cache_mode' or not exists (select from pg_settings where name = 'citus.version')`;

const restoreOf = (configured: { name: string; value: string }[]): Statement[] => {
  const quoted = configured.map(({ name, value }) => [name, value].map(pg.escapeLiteral));
  const settings = quoted.map(([name, value]) => `set_config(${name}, ${value}, false)`);
  const all = ['close all', 'reset role', 'reset all', 'discard temp', 'unlisten *'];
  return [...all, `select pg_advisory_unlock_all(), ${settings}`].map((sql) => prepare(sql));
};

/** A limit that ends the session only after the error of the statement has arrived. */
const later = (timeLimit: number) => timeLimit && timeLimit + 1_000;

/**
 * The settings of a session, whatever the defaults of its role: each value, or how it follows from the time limit in milliseconds
 * (0: none, for a migration), and the reason, for the README.
 */
type Settings = Record<string, [value: string | number | ((timeLimit: number) => unknown), reason: string]>;

export const settings: Settings = {
  statement_timeout: [(limit) => limit, 'A request fails with 503 instead of waiting longer.'],
  lock_timeout: [(limit) => limit, 'A request fails with 503 instead of waiting longer for a lock.'],
  idle_in_transaction_session_timeout: [later, 'Frees the locks of a server that freezes or disappears.'],
  transaction_timeout: [later, 'Frees the locks of a server whose request arrives in part. From Postgres 17.'],
  tcp_user_timeout: [
    (limit) => limit * 2,
    'Ends the session of a machine that no longer acknowledges what Postgres sends.',
  ],
  tcp_keepalives_idle: [5, 'Ends the session of a machine that is gone while nothing is sent.'],
  tcp_keepalives_interval: [1, 'Seconds between two of these probes.'],
  tcp_keepalives_count: [5, 'Probes without an answer until the session ends.'],
  idle_session_timeout: [0, 'An end looks like a crash of Postgres, after which limits discard reservations.'],
  jit: ['off', 'Compiling a list takes ten times as long as running it.'],
  plan_cache_mode: ['force_generic_plan', 'Planning a small batch takes longer than running it.'],
  enable_incremental_sort: [
    'off',
    'A page would be sorted from all rows of its filter, though an index has them in order.',
  ],
  default_transaction_isolation: ['read committed', 'Higher levels fail where servers wait for each other.'],
  DateStyle: ['ISO', 'Dates are read in this format only.'],
  IntervalStyle: ['iso_8601', 'A duration is written as in JSON Schema.'],
  'citus.propagate_set_commands': ['local', 'The policies of the shards of Citus look at the owner.'],
  TimeZone: ['UTC', 'The day of a time is the same for all sessions.'],
};
