/** The types of what `list`, `get` and `create` declare. An error of the compiler prints the names of those that are exported. */
import type { Expression, Insertable, RawBuilder, Selectable } from 'kysely';
import type { RowJson } from '../database/row-json.ts';

export type BodyOf<Request> = Request extends { body?: infer Body } ? NonNullable<Body> : unknown;
export type PathOf<Request> = Request extends { path: infer Path } ? Path : unknown;
export type QueryOf<Request> = Request extends { query: infer Query } ? Omit<Query, 'limit' | 'cursor'> : unknown;
/** Headers but `Idempotency-Key`, which is the platform's. */
export type HeadersOf<Request> = Request extends { headers: infer Headers }
  ? Omit<Headers, 'idempotency-key'>
  : unknown;
/** Everything that a request says but what is the platform's. */
type FieldsOf<Request> = ParametersOf<Request> & BodyOf<Request>;
type ParametersOf<Request> = PathOf<Request> & QueryOf<Request> & HeadersOf<Request>;

export type JsonOf<Response> = Exclude<Response extends { body: infer Body } ? Body : never, string>;
export type ItemOf<Response> = JsonOf<Response> extends (infer Item)[] ? Item : never;

/** A value of a column in JSON. */
type InJson<Value> = Value extends Date ? string : Value extends Buffer ? never : Value;

/** The columns of a table, with their values in JSON. */
export type RowOf<Table> = { [Column in keyof Selectable<Table>]: InJson<Selectable<Table>[Column]> };

/** The columns that can store a value. For one that may be absent: those that may be null. */
type ColumnFor<Table, Value> = {
  [Column in keyof RowOf<Table> & string]: undefined extends Value
    ? [Exclude<Value, undefined> | null] extends [RowOf<Table>[Column]]
      ? Column
      : never
    : [Value] extends [RowOf<Table>[Column]]
      ? Column
      : never;
}[keyof RowOf<Table> & string];

/** The columns that a filter can compare with a value. */
type FilterFor<Table, Value> = ColumnFor<Table, Exclude<Value, undefined>>;

/** The columns whose values all have a type. */
type ColumnOf<Table, Value> = {
  [Column in keyof Selectable<Table> & string]: [Selectable<Table>[Column]] extends [Value] ? Column : never;
}[keyof Selectable<Table> & string];

/** The rows that have the value of the parameter in the column, or a text that begins with it. */
type Filter<Table, Value> =
  | FilterFor<Table, Value>
  | (Exclude<Value, undefined> extends string ? { column: ColumnOf<Table, string | null>; match: 'prefix' } : never);

/** Each field of the request needs its column here, or `false` where it deliberately has none. */
export type ColumnOfEachField<Request, Table extends keyof Tables, Tables> = {
  [Field in keyof FieldsOf<Request>]-?: ColumnFor<Tables[Table], FieldsOf<Request>[Field]> | false;
};

/** Each parameter but `limit` and `cursor` needs the column that it filters here, or `false`. */
export type FilterOfEachParameter<Request, Table extends keyof Tables, Tables> = {
  [Field in keyof ParametersOf<Request>]-?: Filter<Tables[Table], ParametersOf<Request>[Field]> | false;
};

/** What is no field of the request. */
export type NoOther<Request, Values> = { [Field in Exclude<keyof Values, keyof FieldsOf<Request>>]: never };

/** Columns that an insertion must give, as they are neither null nor generated. */
type RequiredColumn<Table> = {
  [Column in keyof Insertable<Table>]-?: undefined extends Insertable<Table>[Column] ? never : Column;
}[keyof Insertable<Table>];
type Uncovered<Table, Values> = Exclude<RequiredColumn<Table>, Values[keyof Values]>;

/** With a property that is required only where there is something to say. */
export type Filters<Request, Table extends keyof Tables, Tables> = keyof ParametersOf<Request> extends never
  ? { filters?: Record<never, never> }
  : { filters: FilterOfEachParameter<Request, Table, Tables> };

export interface ListOf<Response, Table extends keyof Tables, Tables> {
  from: Table;
  /**
   * A unique number, or two columns that are unique together, of numbers, texts or times, none of which is null. Texts are in the
   * order of their code points (`collate "C"`).
   */
  order:
    | ColumnOf<Tables[Table], number>
    | readonly [ColumnOf<Tables[Table], number | string | Date>, ColumnOf<Tables[Table], number | string | Date>];
  /** Default: ascending. */
  direction?: 'asc' | 'desc';
  item: RowJson<ItemOf<Response>, RowOf<Tables[Table]>>;
  /** Names the list in its cursors. Default: the operationId. */
  cursor?: string;
}

export interface GetOf<Request, Response, Table extends keyof Tables, Tables> {
  from: Table;
  /** A unique column. */
  by: ColumnOf<Tables[Table], number | string>;
  key(request: Request): number | string;
  item: RowJson<JsonOf<Response>, RowOf<Tables[Table]>>;
  /** The message of the 404. */
  missing(request: Request): string;
}

export interface CreateOf<Request, Response, Table extends keyof Tables, Tables, Values> {
  into: Table;
  /** See {@link ColumnOfEachField}. */
  values: Values & NoOther<Request, Values>;
  item: RowJson<JsonOf<Response>, RowOf<Tables[Table]>>;
  /** The message of a 409, of a row that a constraint refuses. */
  conflict?(request: Request): string;
  /** Requests that share a statement, at most. Default: 128, as Postgres has room for 64 locks per connection, and each key takes one. */
  batch?: number;
}

/** Each column that must be given and that no field gives needs its value here. */
type ColumnValues<Request, Table extends keyof Tables, Tables, Column extends keyof Insertable<Tables[Table]>> = {
  [Name in Column]: (request: Request) => Insertable<Tables[Table]>[Name];
};

/** Required for columns that an insertion needs. */
export type Also<Request, Table extends keyof Tables, Tables, Values> = [Uncovered<Tables[Table], Values>] extends [
  never,
]
  ? { also?: Partial<ColumnValues<Request, Table, Tables, keyof Insertable<Tables[Table]>>> }
  : {
      also: ColumnValues<Request, Table, Tables, Uncovered<Tables[Table], Values>> &
        Partial<ColumnValues<Request, Table, Tables, keyof Insertable<Tables[Table]>>>;
    };

/** The columns of any table, with their values in JSON. */
type AnyColumn<Tables> = { [Table in keyof Tables]: keyof RowOf<Tables[Table]> & string }[keyof Tables];
type ValueOf<Tables, Column extends string> = {
  [Table in keyof Tables]: Column extends keyof Selectable<Tables[Table]> ? Selectable<Tables[Table]>[Column] : never;
}[keyof Tables];

/** A field that may be absent is absent for null. */
type Written<Value> = undefined extends Value ? Exclude<Value, undefined> | null : Value;

/** The columns of any table whose values are right for a field. */
type ColumnsAs<Tables, Value> = {
  [Table in keyof Tables]: {
    [Column in keyof RowOf<Tables[Table]> & string]: [RowOf<Tables[Table]>[Column]] extends [Written<Value>]
      ? Column
      : never;
  }[keyof RowOf<Tables[Table]> & string];
}[keyof Tables];

type Computed<Tables, Value> = (
  column: <Name extends AnyColumn<Tables>>(name: Name) => RawBuilder<ValueOf<Tables, Name>>,
) => Expression<Written<Value> | (string extends Value ? Date : never)>;

/** A column that holds the field, an expression on columns, or, of an object, its fields. */
type SourceOf<Tables, Value> =
  | ColumnsAs<Tables, Value>
  | Computed<Tables, Value>
  | (Exclude<Value, undefined> extends infer Fields extends object
      ? Fields extends readonly unknown[]
        ? never
        : string extends keyof Fields
          ? never
          : SourceOfEachField<Tables, Fields>
      : never);

/** Each field of the schema needs its column here. */
export type SourceOfEachField<Tables, Fields> = { [Field in keyof Fields]-?: SourceOf<Tables, Fields[Field]> };

export type NoOtherField<Fields, Sources> = { [Field in Exclude<keyof Sources, keyof Fields>]: never };

/** What a definition of JSON needs of a row. */
export type Reads<Fields, Sources> = UnionToIntersection<
  {
    [Field in keyof Sources & keyof Fields]: Sources[Field] extends string
      ? { [Column in Sources[Field]]: Written<Fields[Field]> }
      : Sources[Field] extends (...args: never) => unknown
        ? unknown
        : Reads<Exclude<Fields[Field], undefined>, Sources[Field]>;
  }[keyof Sources & keyof Fields]
>;

type UnionToIntersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  each: infer Intersection,
) => void
  ? Intersection
  : never;
