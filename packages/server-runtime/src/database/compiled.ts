/** Queries that Kysely builds and compiles once. Their texts depend on nothing but the places of their values. */
import { type CompiledQuery, type Kysely, type KyselyPlugin, type OperationNode, type RawBuilder, sql } from 'kysely';

/** A query of Kysely that has not run. */
export interface Query<Row = unknown> {
  compile(): CompiledQuery<Row>;
  toOperationNode(): OperationNode;
}

/** A query that is compiled once. A page adds its condition and order to the builder. */
export type Compiled<Builder extends Query> = Pick<Builder, keyof Query> & { readonly builder: Builder };

/** A placeholder for a value of a compiled query. An absent value is null. */
export type Value<Values> = <Name extends keyof Values & string>(name: Name) => RawBuilder<Nullable<Values[Name]>>;
type Nullable<Type> = undefined extends Type ? Exclude<Type, undefined> | null : Type;

/** Stands among the parameters of a compiled query for a value with this name. */
export class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** The most combinations of plugins for which a query is kept. Those of the runtime are that of open operations, of others, and of `unscoped`. */
const MAX_PLUGINS = 8;

/** @returns a function like `build`, which runs it once for each combination of Kysely's plugins */
export function compiled<Values extends object, Row>(
  build: (db: Kysely<never>, value: Value<Values>) => Query<Row>,
): (db: Kysely<never>, values: Values) => Query<Row> {
  const cache: { plugins: readonly KyselyPlugin[]; bound(values: Values): Query<Row> }[] = [];
  const make = (db: Kysely<never>) => {
    const query = build(db, (name) => sql`${new Placeholder(name)}`);
    const [once, node] = [query.compile(), query.toOperationNode()];
    return (values: Values) => {
      const parameters = once.parameters.map((each) =>
        each instanceof Placeholder ? values[each.name as keyof Values] : each,
      );
      return { compile: () => ({ ...once, parameters }), toOperationNode: () => node, builder: query };
    };
  };
  return (db, values) => {
    const { plugins } = db.getExecutor();
    const isSame = (others: readonly KyselyPlugin[]) =>
      others.length === plugins.length && others.every((other, index) => other === plugins[index]);
    const same = cache.find((each) => isSame(each.plugins));
    if (same) return same.bound(values);
    const bound = make(db);
    cache.unshift({ plugins, bound });
    cache.splice(MAX_PLUGINS);
    return bound(values);
  };
}
