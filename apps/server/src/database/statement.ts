import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from './schema.ts';

/** Stands for a value in a statement that is written once. */
class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Runs on a connection, or on any of a pool. */
export type Statement<Values, Row> = (db: Kysely<Database>, values: Values) => Promise<Row[]>;

const names = new Map<string, string>();

/** The name of a statement with this text, by which Postgres prepares it; undefined for any other query. */
export function nameOf(text: string): string | undefined {
  return names.get(text);
}

/**
 * A statement that Kysely compiles once, on first use, and Postgres parses and plans once for a connection, rather than for
 * every execution.
 *
 * @param name - under which a trace shows it; its own
 * @param write - writes it, with `value(name)` where a value goes
 * @example
 * const selectOlder = statement<{ age: number }, Person>('select_older', (value) => sql`select * from person where age > ${value('age')}`);
 * const people = await selectOlder(db, { age: 40 });
 */
export function statement<Values extends object, Row>(
  name: string,
  write: (value: (name: keyof Values & string) => RawBuilder<unknown>) => RawBuilder<Row>,
): Statement<Values, Row> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (db, values) => {
    if (!compiled) {
      compiled = write((name) => sql`${new Parameter(name)}`).compile(db);
      names.set(compiled.sql, name);
    }
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Parameter ? values[parameter.name as keyof Values] : parameter,
    );
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters });
    return rows;
  };
}
