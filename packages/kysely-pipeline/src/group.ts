/**
 * Statements in one write: Parse (once for each session), Bind and Execute of each, and one Sync at the end. Outside of a transaction, they are
 * one implicit transaction. A group is what pg calls submittable, as pg-cursor is. See README.md for the members of pg that it uses.
 */
import pg from 'pg';
import { MAX_NAMES, type Statement } from './statement.ts';

export interface Result {
  /** The first word of the command, such as INSERT. */
  command: string;
  /** The number of rows that were selected or changed. */
  count: number;
  rows: Record<string, unknown>[];
}

/** The failure of a statement. Postgres has skipped those after it and, outside of a transaction, rolled back all. */
export interface Failure {
  /** The index of the statement; the number of statements if their commit has failed. */
  at: number;
  error: pg.DatabaseError;
}

/** The members of pg's connection that a submittable uses. */
interface Connection {
  stream: { cork(): void; uncork(): void };
  parse(statement: { name: string; text: string }): void;
  describe(portal: { type: 'P'; name: string }): void;
  bind(portal: { portal: string; statement: string; values: readonly unknown[] }): void;
  execute(portal: { portal: string; rows: number }): void;
  close(statement: { type: 'S'; name: string }): void;
  flush(): void;
  sync(): void;
  sendCopyFail(message: string): void;
}

/** SQLSTATE and function of Postgres for a prepared statement whose columns a migration has changed. */
export const isStale = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery';

/** Whether a failure is that of the session, and not of one statement: a lost connection, a shutdown, an ended transaction. */
export const isGone = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) || /^(08|57P|25P0[34]|XX)/.test(error.code ?? '');

/** The most characters of a text in an error. */
const MAX_TEXT = 500;

interface Column {
  name: string;
  parse(text: string): unknown;
}

/** The prepared statements of a session by their names, with the columns of their results; undefined for one that may be out of date. */
type Prepared = Map<string, Column[] | undefined>;
const sessions = new WeakMap<pg.ClientBase, Prepared>();

class Group {
  /** The results so far. A value that its parser refuses makes one an error. */
  readonly results: (Result | Error)[] = [];
  readonly #ending = Promise.withResolvers<Failure | undefined>();
  readonly ended = this.#ending.promise;
  readonly #statements: Statement[];
  readonly #prepared: Prepared;
  readonly #client: pg.ClientBase;
  #next: (() => Statement[]) | undefined;
  /** Set by pg if a query has a time limit: ends its timer. */
  callback?: () => void;
  /** The names that it has closed, for others. */
  readonly #closed: string[] = [];
  /** The columns of the statements that are sent. */
  readonly #sent: Column[][] = [];
  #rows: Record<string, unknown>[] = [];
  #refused: Error | undefined;

  constructor(client: pg.ClientBase, statements: Statement[], next: (() => Statement[]) | undefined) {
    this.#client = client;
    this.#prepared = sessions.get(client) ?? new Map();
    sessions.set(client, this.#prepared);
    this.#statements = statements;
    this.#next = next;
  }

  submit(connection: Connection): undefined {
    connection.stream.cork();
    for (const { name, sql: text, values } of this.#statements.slice(this.#sent.length)) {
      const columns = name ? this.#prepared.get(name) : undefined;
      this.#sent.push(columns ?? this.#prepare(connection, name, text));
      connection.bind({ portal: '', statement: name, values });
      // Not the statement: pg fails to read the types of more than 32,767 parameters.
      if (!columns) connection.describe({ type: 'P', name: '' });
      connection.execute({ portal: '', rows: 0 });
    }
    if (this.#next) connection.flush();
    else connection.sync();
    connection.stream.uncork();
  }

  #prepare(connection: Connection, name: string, text: string): Column[] {
    const columns: Column[] = [];
    // It is no error if Postgres lacks a statement, but PgBouncer ends the connection for one that is prepared again.
    // After failures, there may be more than one too many.
    const surplus = Math.max(0, this.#prepared.size + 1 - MAX_NAMES);
    const closed = this.#prepared.has(name) ? [name] : [...this.#prepared.keys()].slice(0, surplus);
    this.#closed.push(...closed);
    for (const each of closed) {
      this.#prepared.delete(each);
      connection.close({ type: 'S', name: each });
    }
    if (name) this.#prepared.set(name, columns);
    connection.parse({ name, text });
    return columns;
  }

  /** The columns of the statement whose result comes next. */
  get #columns(): Column[] {
    return this.#sent[this.results.length] ?? [];
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    for (const { name, dataTypeID } of fields)
      this.#columns.push({ name, parse: this.#client.getTypeParser(dataTypeID, 'text') });
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    const columns = this.#columns;
    try {
      for (let index = 0; index < fields.length; index++) {
        const [column, text] = [columns[index] as Column, fields[index] as string | null];
        row[column.name] = text === null ? null : column.parse(text);
      }
      this.#rows.push(row);
    } catch (error) {
      // Thrown in pg's handler, it would end the process.
      this.#refused ??= error as Error;
    }
  }

  handleCommandComplete({ text }: { text: string }, connection: Connection): void {
    const [command = '', ...numbers] = text.split(' ');
    this.results.push(this.#refused ?? { command, count: Number(numbers.at(-1) ?? 0), rows: this.#rows });
    this.#rows = [];
    this.#refused = undefined;
    if (!this.#next || this.results.length < this.#statements.length) return;
    const next = this.#next;
    this.#next = undefined;
    try {
      this.#statements.push(...next());
      this.submit(connection);
    } catch (error) {
      // What was sent is rolled back by the end of the session.
      this.#ending.reject(error as Error);
    }
  }

  handleEmptyQuery(connection: Connection): void {
    this.handleCommandComplete({ text: '' }, connection);
  }

  handleError(error: Error, connection: Connection): void {
    if (!(error instanceof pg.DatabaseError)) return void this.#ending.reject(error);
    const at = this.results.length;
    const failed = this.#statements[at];
    // The session may lack them, or have them: for a parameter whose type a migration has changed, or as Postgres has skipped their end.
    const doubtful = isStale(error) ? [...this.#prepared.keys()] : this.#statements.slice(at).map(({ name }) => name);
    for (const name of [...this.#closed, ...doubtful]) if (name) this.#prepared.set(name, undefined);
    if (failed) Object.assign(error, { statement: { name: failed.name, text: failed.sql.slice(0, MAX_TEXT) } });
    if (this.#next) connection.sync();
    this.#next = undefined;
    // pg forgets a query after its error. What follows on the connection waits until Postgres has rolled back.
    this.callback?.();
    this.#ending.resolve({ at, error });
  }

  handleReadyForQuery(): void {
    this.callback?.();
    this.#ending.resolve(undefined);
  }

  // Without these, pg would throw where nothing catches it.
  handleCopyData(): void {}

  handleCopyInResponse(connection: Connection): void {
    connection.sendCopyFail('COPY has no data here');
    // The first one counted as a part of the data.
    if (!this.#next) connection.sync();
  }
}

/**
 * Sends statements on a connection in one write. Those of another call follow when these are done.
 *
 * @param next - called when all are done, for further statements of the same implicit transaction
 * @returns the group, whose `ended` rejects if the connection is lost
 */
export function send(client: pg.ClientBase, statements: Statement[], next?: () => Statement[]): Group {
  // Its statements fail with a lost connection, whose error ends a process that does not listen.
  if (client.listenerCount('error') === 0) client.on('error', () => {});
  const group = new Group(client, statements, next);
  client.query(group as never);
  return group;
}

/** Sends statements, and waits for their results. @throws DatabaseError of the first that fails, with its `statement` */
export async function run(client: pg.ClientBase, ...statements: Statement[]): Promise<Result[]> {
  const { ended, results } = send(client, statements);
  const failure = await ended;
  if (failure) throw failure.error;
  const refused = results.find((result) => result instanceof Error);
  if (refused) throw refused;
  return results as Result[];
}

/** Runs statements, which must not fail. @returns whether the session is lost, as one did */
export const isLostAfter = (client: pg.ClientBase, ...statements: Statement[]): Promise<boolean> =>
  run(client, ...statements)
    .then(() => false)
    .catch(() => true);
