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

/**
 * A statement that Kysely compiles once, on first use, rather than for every execution.
 *
 * @param write - writes it, with `value(name)` where a value goes
 * @example
 * const selectOlder = statement<{ age: number }, Person>((value) => sql`select * from person where age > ${value('age')}`);
 * const people = await selectOlder(db, { age: 40 });
 */
export function statement<Values extends object, Row>(
  write: (value: (name: keyof Values & string) => RawBuilder<unknown>) => RawBuilder<Row>,
): Statement<Values, Row> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (db, values) => {
    compiled ??= write((name) => sql`${new Parameter(name)}`).compile(db);
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Parameter ? values[parameter.name as keyof Values] : parameter,
    );
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters });
    return rows;
  };
}
