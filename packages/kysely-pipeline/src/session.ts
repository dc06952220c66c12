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
      if (reason !== 'set') this.#closing.add(name);
    },
  });
  /** It is no error if Postgres lacks a statement that is closed, but PgBouncer ends the connection for one that is prepared again. */
  readonly #closing = new Set<string>();

  /** The statements to close before a further one is prepared. */
  toClose(): string[] {
    const names = [...this.#closing];
    this.#closing.clear();
    return names;
  }

  /** After an error, a session may have or lack a statement. */
  forget(name: string): void {
    this.prepared.delete(name);
  }

  /** A migration has changed the columns of more than one statement. */
  forgetAll(): void {
    this.prepared.clear();
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
