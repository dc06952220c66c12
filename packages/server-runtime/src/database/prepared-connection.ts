import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { type Known, knownOf, NAMED } from './nodes.ts';
import type { Own } from './tenants.ts';

/** The members of pg's connection that its types lack. */
interface Connection {
  parse(statement: { name?: string }): void;
  close(statement: { type: 'S'; name: string }): void;
  parsedStatements: Record<string, unknown>;
  submittedNamedStatements: Record<string, unknown>;
}

const connectionOf = (client: pg.ClientBase) => (client as unknown as { connection: Connection }).connection;

/**
 * Makes a client close each statement before it prepares it again. After an error, Postgres lacks the statement, but PgBouncer has its
 * name, and would close the connection. It is no error if the statement is missing. The first time nothing is closed: a pooler that gives
 * the session of another client has to refuse the name.
 */
export function closeBeforeReparse(client: pg.ClientBase): void {
  const connection = connectionOf(client);
  const { parse, close } = connection;
  const names = new Set<string>();
  connection.parse = (statement) => {
    const { name } = statement;
    if (name && names.has(name)) connection.close({ type: 'S', name });
    if (name) names.add(name);
    parse.call(connection, statement);
  };
  connection.close = (statement) => {
    names.delete(statement.name);
    close.call(connection, statement);
  };
}

/** The statements that a session has prepared, and those that it has to forget. */
const sessions = new WeakMap<object, { prepared: LRUCache<string, true>; old: string[] }>();

function sessionOf(client: pg.PoolClient) {
  const session = sessions.get(client);
  if (session) return session;
  const old: string[] = [];
  const prepared = new LRUCache<string, true>({ max: NAMED, dispose: (_, name) => void old.push(name) });
  sessions.set(client, { prepared, old });
  return { prepared, old };
}

/** Checks a statement. May resolve to a further check, which is made when the statement is sent. */
type Allow = (statement: Known) => Promise<() => void> | undefined;

/** Runs Kysely's statements on a connection. Each is prepared, under a name from its text. */
export class PreparedConnection implements DatabaseConnection {
  readonly client: pg.PoolClient;
  readonly #allow: Allow;
  readonly #own: Own | undefined;

  constructor(client: pg.PoolClient, allow: Allow, own?: Own) {
    this.client = client;
    this.#allow = allow;
    this.#own = own;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { parameters } = this.#own ? this.#own.scope.bind(query, this.#own.caller) : query;
    const statement = knownOf(query);
    const allowed = this.#allow(statement);
    if (allowed !== undefined) (await allowed)();
    const { prepared, old } = sessionOf(this.client);
    if (!prepared.get(statement.name)) prepared.set(statement.name, true);
    const connection = connectionOf(this.client);
    for (const name of old.splice(0)) {
      // Poolers know this message of the protocol, unlike `deallocate`. It is no error if the statement is missing.
      connection.close({ type: 'S', name });
      delete connection.parsedStatements[name];
      delete connection.submittedNamedStatements[name];
    }
    const config = { name: statement.name, text: query.sql, values: parameters.map(parameterOf) };
    const { command, rowCount, rows } = await this.run(statement, config).catch(async (error) => {
      if (error instanceof pg.DatabaseError && error.code !== STALE) throw error;
      // If a value could not be sent, pg has closed the statement, but takes it for prepared when this is answered.
      await this.client.query('').catch(() => {});
      // A migration makes further statements stale, which would take an attempt each.
      if (error.code === STALE) prepared.clear();
      else prepared.delete(statement.name);
      throw error;
    });
    return CHANGES.has(command) ? { numAffectedRows: BigInt(rowCount ?? 0), rows } : { rows };
  }

  protected run(_statement: Known, config: pg.QueryConfig): Promise<pg.QueryResult> {
    return this.client.query(config);
  }

  // biome-ignore lint/correctness/useYield: never called
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Rows are not streamed');
  }
}

/**
 * A parameter as it is sent. Times are those of JSON, in UTC, so that a statement has the same result if requests share it. A lone surrogate
 * is refused, as Postgres would refuse its bytes: Node.js would send another character.
 */
function parameterOf(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(parameterOf);
  if (typeof value !== 'string' || value.isWellFormed()) return value;
  const message = 'invalid byte sequence for encoding "UTF8": a lone surrogate';
  throw Object.assign(new pg.DatabaseError(message, 0, 'error'), { code: '22021' });
}

/** SQLSTATE of a prepared statement whose columns a migration has changed. */
export const STALE = '0A000';

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);
