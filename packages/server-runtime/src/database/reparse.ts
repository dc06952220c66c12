import type pg from 'pg';

/** The members of pg's connection that its types lack. */
export interface Connection {
  parse(statement: { name?: string }): void;
  close(statement: { type: 'S'; name: string }): void;
  parsedStatements: Record<string, unknown>;
  submittedNamedStatements: Record<string, unknown>;
}

export const connectionOf = (client: pg.ClientBase) => (client as unknown as { connection: Connection }).connection;

/**
 * Makes a client close each statement before it prepares it again. After an error, Postgres lacks the statement, but PgBouncer has its
 * name, and would close the connection. It is no error if the statement is missing.
 */
export function closeBeforeReparse(client: pg.ClientBase): void {
  const connection = connectionOf(client);
  const { parse, close } = connection;
  const names = new Set<string>();
  Object.assign(connection, {
    parse(statement: { name?: string }) {
      const { name } = statement;
      if (name && names.has(name)) connection.close({ type: 'S', name });
      if (name) names.add(name);
      parse.call(connection, statement);
    },
    close(statement: { type: 'S'; name: string }) {
      names.delete(statement.name);
      close.call(connection, statement);
    },
  });
}
