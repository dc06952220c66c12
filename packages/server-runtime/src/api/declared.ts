/** The types of the declarations of `list`, `get` and `create`. The compiler prints the names of the exported ones in its errors. */
import type { Expression, Insertable, RawBuilder, Selectable } from 'kysely';
import type { RowJson } from '../database/row-json.ts';
import type { FieldsOf, ItemOf, JsonOf, ParametersOf } from './api.ts';
import type { FailureOf } from './idempotency.ts';

type InJson<Value> = Value extends Date ? string : Value extends Buffer ? never : Value;

/** The columns of a table, with their values in JSON. */
export type RowOf<Tables, Table extends keyof Tables> = {
  [Column in keyof Selectable<Tables[Table]>]: InJson<Selectable<Tables[Table]>[Column]>;
};

/**
 * The names of a type that maps each name to itself. With `Extract`, the compiler prints these names in its errors, instead of `NamesIn`.
 */
type NamesIn<Names> = Extract<Names[keyof Names], string>;

/** The columns that can store a value. A value that may be absent needs a column that may be null. */
type ColumnFor<Tables, Table extends keyof Tables, Value> = Table extends unknown
  ? NamesIn<{
      [Column in keyof RowOf<Tables, Table>]: undefined extends Value
        ? [Exclude<Value, undefined> | null] extends [RowOf<Tables, Table>[Column]]
          ? Column
          : never
        : [Value] extends [RowOf<Tables, Table>[Column]]
          ? Column
          : never;
    }>
  : never;

type ColumnOf<Tables, Table extends keyof Tables, Value> = Table extends unknown
  ? NamesIn<{
      [Column in keyof Selectable<Tables[Table]>]: [Selectable<Tables[Table]>[Column]] extends [Value] ? Column : never;
    }>
  : never;

/** The names. If there are none, a sentence for the compiler to print in its error. */
type Or<Names, Sentence> = [Names] extends [never] ? Sentence : Names;
type NoColumn<Table, Field, Value> =
  `no column of ${Table & string} holds all values of ${Field & string}${undefined extends Value ? ', and null where it is absent' : ''}`;

/** Each field of the request needs its column here, or `false` where it deliberately has none. */
export type EachFieldNeedsAColumnOrFalse<Request, Table extends keyof Tables, Tables> = {
  [Field in keyof FieldsOf<Request>]-?:
    | Or<ColumnFor<Tables, Table, FieldsOf<Request>[Field]>, NoColumn<Table, Field, FieldsOf<Request>[Field]>>
    | false;
};

/** Each parameter but `limit` and `cursor` needs a column here, which equals its value or, for a prefix, begins with it; or `false`. */
export type EachParameterNeedsAColumnOrFalse<Request, Table extends keyof Tables, Tables> = {
  [Field in keyof ParametersOf<Request>]-?:
    | Or<ColumnFor<Tables, Table, Exclude<ParametersOf<Request>[Field], undefined>>, NoColumn<Table, Field, never>>
    | (ParametersOf<Request>[Field] extends string | undefined
        ? { column: ColumnOf<Tables, Table, string | null>; match: 'prefix' }
        : never)
    | false;
};

/** Refuses values for names that are not fields of the request. */
export type NoOther<Request, Values> = NoOtherField<FieldsOf<Request>, Values>;

/** Columns that an insertion must give, as they are neither null nor generated. */
type RequiredColumn<Table> = {
  [Column in keyof Insertable<Table>]-?: undefined extends Insertable<Table>[Column] ? never : Column;
}[keyof Insertable<Table>];
type Uncovered<Table, Values> = Exclude<RequiredColumn<Table>, Values[keyof Values]>;

/** The property `filters`, which is required only for an operation with parameters. */
export type Filters<Request, Table extends keyof Tables, Tables> = keyof ParametersOf<Request> extends never
  ? { filters?: Record<never, never> }
  : { filters: EachParameterNeedsAColumnOrFalse<Request, Table, Tables> };

/** The JSON of a value, from the columns of a table. */
type JsonFrom<Tables, Table extends keyof Tables, Value> = Table extends unknown
  ? RowJson<Value, RowOf<Tables, Table>>
  : never;

export interface ListOf<Response, Table extends keyof Tables, Tables> {
  from: Table;
  /**
   * One unique column of numbers, or two columns of numbers, texts or times that are unique together. None may be null. Texts are sorted by
   * code points (`collate "C"`). A client that reads pages in ascending order misses a row that is added before its place, such as one with
   * a time from the request. Numbers from Postgres, and times with the default `clock_timestamp()`, always ascend.
   */
  order:
    | ColumnOf<Tables, Table, number>
    | readonly [ColumnOf<Tables, Table, number | string | Date>, ColumnOf<Tables, Table, number | string | Date>];
  /** Default: ascending. */
  direction?: 'asc' | 'desc';
  item: JsonFrom<Tables, Table, ItemOf<Response>>;
  /** Names the list in its cursors. Default: the operationId. */
  cursor?: string;
}

export interface GetOf<Request, Response, Table extends keyof Tables, Tables> {
  from: Table;
  /** A unique column. */
  by: ColumnOf<Tables, Table, number | string>;
  key(request: Request): number | string;
  item: JsonFrom<Tables, Table, JsonOf<Response>>;
  /** The message of the 404. */
  missing(request: Request): string;
}

export interface CreateOf<Request, Response, Table extends keyof Tables, Tables, Values> {
  into: Table;
  /** See {@link EachFieldNeedsAColumnOrFalse}. */
  values: Values;
  item: JsonFrom<Tables, Table, JsonOf<Response>>;
  /** The message of the 409 for a row that a constraint refuses. */
  conflict?: FailureOf<Request>;
  /**
   * The most requests that share a statement. Default: 128. Each `Idempotency-Key` takes a lock until the commit, and Postgres has room
   * for 64 locks times `max_connections`.
   */
  batch?: number;
}

/** Each column that must be given and that no field gives needs its value here. */
type EachColumnWithoutAFieldNeedsAValue<
  Request,
  Table extends keyof Tables,
  Tables,
  Column extends keyof Insertable<Tables[Table]>,
> = {
  [Name in Column]: (request: Request) => Insertable<Tables[Table]>[Name];
};

/** The property `also`, which is required if an insertion needs columns that no field gives. */
export type Also<Request, Table extends keyof Tables, Tables, Values> = [Uncovered<Tables[Table], Values>] extends [
  never,
]
  ? { also?: Partial<EachColumnWithoutAFieldNeedsAValue<Request, Table, Tables, keyof Insertable<Tables[Table]>>> }
  : {
      also: EachColumnWithoutAFieldNeedsAValue<Request, Table, Tables, Uncovered<Tables[Table], Values>> &
        Partial<EachColumnWithoutAFieldNeedsAValue<Request, Table, Tables, keyof Insertable<Tables[Table]>>>;
    };

/** The columns of any table, with their values in JSON. */
type AnyColumn<Tables> = { [Table in keyof Tables]: keyof RowOf<Tables, Table> & string }[keyof Tables];
type ValueOf<Tables, Column extends string> = {
  [Table in keyof Tables]: Column extends keyof Selectable<Tables[Table]> ? Selectable<Tables[Table]>[Column] : never;
}[keyof Tables];

/** A field that may be absent is absent for null. */
type Written<Value> = undefined extends Value ? Exclude<Value, undefined> | null : Value;

/** The columns of any table whose values fit a field. */
type ColumnsAs<Tables, Value, Table extends keyof Tables = keyof Tables> = Table extends unknown
  ? NamesIn<{
      [Column in keyof RowOf<Tables, Table>]: [RowOf<Tables, Table>[Column]] extends [Written<Value>] ? Column : never;
    }>
  : never;

type Computed<Tables, Value> = (
  column: <Name extends AnyColumn<Tables>>(name: Name) => RawBuilder<ValueOf<Tables, Name>>,
) => Expression<Written<Value> | (string extends Value ? Date : never)>;

/** Each field of the schema needs its source here: a column, an expression on columns or, for an object, its fields. */
export type EachFieldNeedsAColumn<Tables, Fields> = {
  [Field in keyof Fields]-?:
    | Or<
        ColumnsAs<Tables, Fields[Field]>,
        `no column of any table holds only values of ${Field & string}: narrow one in tables.ts, or compute it`
      >
    | PartsOf<Tables, Exclude<Fields[Field], undefined>>
    | Computed<Tables, Fields[Field]>;
};
type PartsOf<Tables, Value> = Value extends readonly unknown[]
  ? never
  : Value extends object
    ? string extends keyof Value
      ? never
      : EachFieldNeedsAColumn<Tables, Value>
    : never;

/** Refuses names that are not fields. The compiler prints the value as its error. */
export type NoOtherField<Fields, Given> = {
  [Field in Exclude<keyof Given, keyof Fields>]: `${Field & string} is no field of the contract: remove it`;
};

/** The columns that a definition of JSON reads from a row. */
export type Reads<Fields, Sources> = Flat<ReadsOf<Fields, Sources>>;
type Flat<Row> = Row extends infer Whole ? { [Column in keyof Whole]: Whole[Column] } : never;
type ReadsOf<Fields, Sources> = UnionToIntersection<
  {
    [Field in keyof Sources & keyof Fields]: Sources[Field] extends string
      ? { [Column in Sources[Field]]: Written<Fields[Field]> }
      : Sources[Field] extends (...args: never) => unknown
        ? unknown
        : ReadsOf<Exclude<Fields[Field], undefined>, Sources[Field]>;
  }[keyof Sources & keyof Fields]
>;

type UnionToIntersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  each: infer Intersection,
) => void
  ? Intersection
  : never;
