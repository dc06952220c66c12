/**
 * Statements in one write: Parse (once for each session), Bind and Execute of each, and one Sync at the end. Outside of a transaction, they are
 * one implicit transaction. A group is what pg calls submittable, as pg-cursor is. See README.md for the members of pg that it uses.
 */
import pg from 'pg';
import { type Column, type Session, sessionOf } from './session.ts';
import { ROLLBACK, type Statement } from './statement.ts';

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
  describe(statement: { type: 'S'; name: string }): void;
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

class Group {
  /** The results so far. A value that its parser refuses makes one an error. */
  readonly results: (Result | Error)[] = [];
  readonly ended: Promise<Failure | undefined>;
  readonly #statements: Statement[];
  readonly #session: Session;
  readonly #client: pg.ClientBase;
  readonly #end: (failure: Failure | undefined) => void;
  readonly #fail: (error: Error) => void;
  #next: (() => Statement[]) | undefined;
  #sent = 0;
  #columns: Column[] = [];
  #rows: Record<string, unknown>[] = [];
  #refused: Error | undefined;
  /** The statements that this group prepares, by index. */
  readonly #parsed = new Set<number>();

  constructor(client: pg.ClientBase, statements: Statement[], next: (() => Statement[]) | undefined) {
    const { promise, resolve, reject } = Promise.withResolvers<Failure | undefined>();
    this.ended = promise;
    this.#end = resolve;
    this.#fail = reject;
    this.#client = client;
    this.#session = sessionOf(client);
    this.#statements = statements;
    this.#next = next;
  }

  submit(connection: Connection): undefined {
    const { prepared } = this.#session;
    connection.stream.cork();
    for (; this.#sent < this.#statements.length; this.#sent++) {
      const { name, sql: text, values } = this.#statements[this.#sent] as Statement;
      if (name === '') connection.parse({ name, text });
      else if (!prepared.get(name)) {
        for (const old of this.#session.toClose()) connection.close({ type: 'S', name: old });
        prepared.set(name, { columns: [] });
        this.#parsed.add(this.#sent);
        connection.parse({ name, text });
        connection.describe({ type: 'S', name });
      }
      connection.bind({ portal: '', statement: name, values });
      connection.execute({ portal: '', rows: 0 });
    }
    if (this.#next) connection.flush();
    else connection.sync();
    connection.stream.uncork();
    this.#begin();
  }

  /** The columns of the statement whose result comes next. */
  #begin(): void {
    const statement = this.#statements[this.results.length];
    this.#columns = (statement && this.#session.prepared.peek(statement.name)?.columns) ?? [];
    this.#rows = [];
    this.#refused = undefined;
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    for (const { name, dataTypeID } of fields)
      this.#columns.push({ name, read: this.#client.getTypeParser(dataTypeID, 'text') });
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    try {
      for (let index = 0; index < fields.length; index++) {
        const [column, text] = [this.#columns[index] as Column, fields[index] as string | null];
        row[column.name] = text === null ? null : column.read(text);
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
    this.#begin();
    if (!this.#next || this.results.length < this.#statements.length) return;
    const next = this.#next;
    this.#next = undefined;
    try {
      this.#statements.push(...next());
      this.submit(connection);
    } catch (error) {
      // What was sent is rolled back by the end of the session.
      this.#fail(error as Error);
    }
  }

  handleEmptyQuery(connection: Connection): void {
    this.handleCommandComplete({ text: '' }, connection);
  }

  handleError(error: Error, connection: Connection): void {
    if (!(error instanceof pg.DatabaseError)) {
      this.#fail(error);
      return;
    }
    const at = this.results.length;
    const failed = this.#statements[at];
    for (const index of this.#parsed)
      if (index >= at) this.#session.forget((this.#statements[index] as Statement).name);
    // The session may lack it, or have it for a parameter whose type a migration has changed.
    if (failed) this.#session.forget(failed.name);
    if (isStale(error)) this.#session.forgetAll();
    if (failed) Object.assign(error, { statement: { name: failed.name, text: failed.sql.slice(0, MAX_TEXT) } });
    if (this.#next) connection.sync();
    this.#next = undefined;
    // pg forgets a query after its error. What follows on the connection waits until Postgres has rolled back.
    this.#end({ at, error });
  }

  handleReadyForQuery(): void {
    this.#end(undefined);
  }

  handlePortalSuspended(): void {}

  // Without these, pg would throw where nothing catches it.
  handleCopyData(): void {}

  handleCopyInResponse(connection: Connection): void {
    connection.sendCopyFail('COPY has no data here');
    // The first one counted as a part of the data.
    if (!this.#next) connection.sync();
  }
}

export type { Group };

/**
 * Sends statements on a connection in one write. Those of another call follow when these are done.
 *
 * @param next - called when all are done, for further statements of the same implicit transaction
 * @returns the group, whose `ended` rejects if the connection is lost
 */
export function send(client: pg.ClientBase, statements: Statement[], next?: () => Statement[]): Group {
  const group = new Group(client, statements, next);
  client.query(group as never);
  return group;
}

/** Sends statements, and waits for their results. @throws DatabaseError of the first that fails, with its `statement` */
export async function run(client: pg.ClientBase, ...statements: Statement[]): Promise<Result[]> {
  const { ended, results } = send(client, statements);
  const failure = await ended;
  if (failure) throw failure.error;
  return results.map((result) => {
    if (result instanceof Error) throw result;
    return result;
  });
}

/** Ends a transaction after a failure. @returns whether the session is lost */
export const endFailed = (client: pg.ClientBase): Promise<boolean> =>
  run(client, ROLLBACK).then(
    () => false,
    () => true,
  );
