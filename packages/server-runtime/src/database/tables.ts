import type { ColumnType, Generated, GeneratedAlways, SelectType } from 'kysely';

/** The privileges on a table that `/readyz` looks at. */
export type Privilege = 'select' | 'insert' | 'update' | 'delete';

/** Tables as they are after the migrations: one value, which carries their types for Kysely. */
export interface Tables<Types extends object = object> {
  /** The types of the columns in Postgres, by table. */
  columns: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /**
   * The tables whose rows become visible in the order of their ids, so that a client that reads pages by id misses none that was added
   * meanwhile. Insertions into one follow each other: each holds a lock until its commit. Default: none.
   */
  ordered?: readonly (keyof Types & string)[];
  /** The privileges that the operations need on a table, for `/readyz`. Default: all four. */
  privileges?: Readonly<Partial<Record<keyof Types & string, readonly Privilege[]>>>;
  /** Never set: it only carries the types. */
  readonly types?: Types;
}

/** The tables whose rows belong to somebody, each with its column of the owner, which is a text. */
export type TenantsOf<Tables> = {
  readonly [Table in keyof Tables]?: {
    [Column in keyof Tables[Table]]: SelectType<Tables[Table][Column]> extends string ? Column : never;
  }[keyof Tables[Table]] &
    string;
};

/** Tables of which nobody sets the owner. */
export type WithFixedOwner<Tables, Tenants> = {
  [Table in keyof Tables]: Table extends keyof Tenants
    ? {
        [Column in keyof Tables[Table]]: Column extends Tenants[Table]
          ? ColumnType<SelectType<Tables[Table][Column]>, never, never>
          : Tables[Table][Column];
      }
    : Tables[Table];
};

/** Generated types of tables, with columns whose values the service knows better than Postgres. Their defaults stay. */
export type Refined<Tables, Known extends NoOtherColumn<Tables, Known>> = {
  [Table in keyof Tables]: Table extends keyof Known
    ? {
        [Column in keyof Tables[Table]]: Column extends keyof Known[Table]
          ? Of<Known[Table][Column], Tables[Table][Column]>
          : Tables[Table][Column];
      }
    : Tables[Table];
};
/** Refuses names that are no columns. The compiler prints the value as its error. */
type NoOtherColumn<Tables, Known> = {
  [Table in keyof Known]: Table extends keyof Tables
    ? {
        [Column in Exclude<
          keyof Known[Table],
          keyof Tables[Table]
        >]: `${Table & string} has no column ${Column & string}`;
      }
    : `there is no table ${Table & string}`;
};
/** The value in a column that is like another. */
type Of<Value, Column> =
  Column extends ColumnType<unknown, infer Insert, unknown>
    ? [Insert] extends [never]
      ? GeneratedAlways<Value>
      : Generated<Value>
    : Value;
