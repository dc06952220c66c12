import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { MAX_NAMES } from './statement.ts';

/** A column of a result: its name, and the parser of its type. */
export interface Column {
  name: string;
  read(text: string): unknown;
}

/** The prepared statements of a session. */
export class Session {
  /** By name, with the columns of their results. */
  readonly prepared = new LRUCache<string, { columns: Column[] }>({
    max: MAX_NAMES,
    dispose: (_, name, reason) => {
      if (reason === 'evict') this.#closing.push(name);
    },
  });
  #closing: string[] = [];
  /**
   * Names that a session may have or lack after an error. They are closed before they are prepared again: it is no error if Postgres lacks
   * the statement, but PgBouncer would end the connection for a name that it has.
   */
  readonly #unsure = new Set<string>();

  /** The statements to close before a name is prepared. Nothing is closed the first time: a pooler with the session of another client has to refuse it. */
  toClose(name: string): string[] {
    const names = this.#closing;
    this.#closing = [];
    if (this.#unsure.delete(name)) names.push(name);
    return names;
  }

  forget(name: string): void {
    this.prepared.delete(name);
    this.#unsure.add(name);
  }

  /** Forgets all: a migration has changed the columns of more than one statement. */
  forgetAll(): void {
    for (const name of [...this.prepared.keys()]) this.forget(name);
  }
}

const sessions = new WeakMap<pg.ClientBase, Session>();

export function sessionOf(client: pg.ClientBase): Session {
  const known = sessions.get(client);
  if (known) return known;
  const session = new Session();
  sessions.set(client, session);
  return session;
}
