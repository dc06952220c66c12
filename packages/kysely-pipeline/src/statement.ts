import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import pg from 'pg';

/** The most statements that keep a name, in the process and in each session. Texts that vary would fill the memory of Postgres. */
export const MAX_NAMES = 500;

/** A statement with its values as they are sent. */
export interface Statement {
  /** Prepared statements of a session have different names. At most 63 bytes. An empty one is parsed each time. */
  name: string;
  sql: string;
  values: readonly (string | Buffer | null)[];
}

const names = new LRUCache<string, string>({
  max: MAX_NAMES,
  memoMethod: (sql) => `q_${hash('sha256', sql).slice(0, 16)}`,
});

const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): string | Buffer | null } }).utils;

/**
 * A statement that is ready to be sent.
 *
 * @param name - default: one from the text
 * @throws DatabaseError for a text with a lone surrogate or a NUL, as Postgres refuses its bytes (SQLSTATE 22021), and what `toPostgres` of a
 *   value throws
 */
export const prepare = (sql: string, parameters: readonly unknown[] = [], name = names.memo(sql)): Statement => ({
  name,
  sql,
  values: parameters.map((value) => prepareValue(checked(value))),
});

export const BEGIN = prepare('begin');
export const COMMIT = prepare('commit');
export const ROLLBACK = prepare('rollback');

/** Whether a statement controls a transaction. */
export const isControl = (sql: string): boolean =>
  /^\s*(begin|start|commit|end|rollback|abort|savepoint|release)\b/i.test(sql);

/** Settings by name. Null is the session's own value. */
export type Settings = Readonly<Record<string, string | null>>;

/**
 * Statements that change settings until the end of a transaction. Citus tells its workers of a command, and of no function. A command would
 * take a list for one name, of which settings with a dot are none.
 *
 * @param before - the settings that hold so far; those that hold no longer are reset. Default: it is not known, so that all are sent
 */
export function settingsOf(settings: Settings = {}, before?: Settings): Statement[] {
  const names = Object.keys({ ...before, ...settings });
  const changed = before ? names.filter((name) => (before[name] ?? null) !== (settings[name] ?? null)) : names;
  return changed.map((name) => {
    const value = settings[name] ?? null;
    if (!name.includes('.')) return prepare('select set_config($1, $2, true)', [name, value]);
    const text = value === null ? 'default' : pg.escapeLiteral(`${checked(value)}`);
    return { name: '', sql: `set local ${name.split('.').map(pg.escapeIdentifier).join('.')} to ${text}`, values: [] };
  });
}

/** A value without a text that Postgres lacks: Node.js would replace a lone surrogate, and a NUL ends a text. */
export function checked(value: unknown): unknown {
  if (Array.isArray(value)) value.forEach(checked);
  if (typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'))) return value;
  const message = 'invalid byte sequence for encoding "UTF8": a lone surrogate or NUL';
  throw Object.assign(new pg.DatabaseError(message, 0, 'error'), { code: '22021' });
}
