import type { Insertable, Selectable, Transaction } from 'kysely';
import type { ReadonlyKysely } from 'kysely/readonly';
import type { Contract, ContractTypes, RequestContext, Tables } from '../contract.ts';
import { quoted } from '../database/nodes.ts';
import { makeRowJson, type RowJson } from '../database/row-json.ts';
import { ApiError } from '../errors.ts';
import type {
  Api,
  BodyOf,
  FieldsOf,
  IdOf,
  ItemOf,
  JsonOf,
  NoOtherHeader,
  PagedId,
  PathOf,
  Plain,
  QueryOf,
  RequestOf,
  ResponseOf,
  UnsafeId,
} from './api.ts';
import { type Change, type ColumnName, change, type SqlType, type WithBody, type WithHeaders } from './change.ts';
import { create } from './create.ts';
import { get } from './get.ts';
import type { FailureOf } from './idempotency.ts';
import { list } from './list.ts';
import { read } from './read.ts';
import type { Implementation } from './resources.ts';
import type { Schema, Storage } from './storage.ts';
import { type TransactionOptions, transaction } from './transaction.ts';

type TableOf<A extends Api> = keyof A['tables'] & string;

/** The columns that can store a value. For one that may be absent: those that may be null. */
type ColumnFor<Table, Value> = {
  [Column in keyof Selectable<Table> & string]: undefined extends Value
    ? [Exclude<Value, undefined> | null] extends [Selectable<Table>[Column]]
      ? Column
      : never
    : [Value] extends [Selectable<Table>[Column]]
      ? Column
      : never;
}[keyof Selectable<Table> & string];

/** The columns that a filter can compare with a value. */
type FilterFor<Table, Value> = {
  [Column in keyof Selectable<Table> & string]: [Exclude<Value, undefined>] extends [Selectable<Table>[Column]]
    ? Column
    : never;
}[keyof Selectable<Table> & string];

/** Each field of the body, the path and the query, with the column of its value, or `false` where it deliberately has none. */
type ColumnOfEachField<Request, Table extends keyof Tables, Tables> = {
  [Field in keyof FieldsOf<Request>]-?: ColumnFor<Tables[Table], FieldsOf<Request>[Field]> | false;
};

/** Each parameter of the query and the path but `limit` and `cursor`, with the column that it filters, or `false`. */
type ColumnOfEachParameter<Request, Table extends keyof Tables, Tables> = {
  [Field in keyof (PathOf<Request> & QueryOf<Request>)]-?:
    | FilterFor<Tables[Table], (PathOf<Request> & QueryOf<Request>)[Field]>
    | false;
};

/** What is no field of the request. */
type NoOther<Request, Values> = { [Field in Exclude<keyof Values, keyof FieldsOf<Request>>]: never };

/** Columns that an insertion must give, as they are neither null nor generated. */
type RequiredColumn<Table> = {
  [Column in keyof Insertable<Table>]-?: undefined extends Insertable<Table>[Column] ? never : Column;
}[keyof Insertable<Table>];
type Uncovered<Table, Values> = Exclude<RequiredColumn<Table>, Values[keyof Values]>;

/** With a property that is required only where there is something to say. */
type Where<Request, Table extends keyof Tables, Tables> = keyof (PathOf<Request> & QueryOf<Request>) extends never
  ? { filters?: Record<never, never> }
  : { filters: ColumnOfEachParameter<Request, Table, Tables> };

export interface ListOf<A extends Api, Id extends keyof A['handlers'], Table extends TableOf<A>> {
  from: Table;
  /** A bigint, unique. Each combination of filters needs an index on their columns and this one. */
  order: FilterFor<A['tables'][Table], number>;
  /** Default: ascending. */
  direction?: 'asc' | 'desc';
  item: RowJson<ItemOf<ResponseOf<A, Id>>>;
  /** Names the list in its cursors. Default: the operationId. */
  cursor?: string;
}

export interface GetOf<A extends Api, Id extends keyof A['handlers'], Table extends TableOf<A>> {
  from: Table;
  by: keyof A['tables'][Table] & string;
  key(request: RequestOf<A, Id>): number | string;
  item: RowJson<JsonOf<ResponseOf<A, Id>>>;
  /** The message of the 404. */
  missing(request: RequestOf<A, Id>): string;
}

export interface CreateOf<A extends Api, Id extends keyof A['handlers'], Table extends TableOf<A>, Values> {
  into: Table;
  /** See {@link ColumnOfEachField}. */
  values: Values & NoOther<RequestOf<A, Id>, Values>;
  item: RowJson<JsonOf<ResponseOf<A, Id>>>;
  /** The message of a 409, of a row that a constraint refuses. */
  conflict?: FailureOf<RequestOf<A, Id>>;
  /** Requests that share a statement, at most. Default: 128, as Postgres has room for 64 locks per connection, and each key takes one. */
  batch?: number;
}

/** Values of columns that no field has. */
type ColumnValues<Request, Table extends keyof Tables, Tables, Column extends keyof Insertable<Tables[Table]>> = {
  [Name in Column]: (request: Request) => Insertable<Tables[Table]>[Name];
};

/** Required for columns that an insertion needs. */
type Also<Request, Table extends keyof Tables, Tables, Values> = [Uncovered<Tables[Table], Values>] extends [never]
  ? { also?: Partial<ColumnValues<Request, Table, Tables, keyof Insertable<Tables[Table]>>> }
  : {
      also: ColumnValues<Request, Table, Tables, Uncovered<Tables[Table], Values>> &
        Partial<ColumnValues<Request, Table, Tables, keyof Insertable<Tables[Table]>>>;
    };

/** Each field of the body and the query: one that the contract gains does not compile until it is named here. */
type EachField<Request> = { [Field in keyof (QueryOf<Request> & BodyOf<Request>)]-?: true };

/** The same where there is something to name. */
type Named<Request> = keyof EachField<Request> extends never
  ? { uses?: EachField<Request> }
  : { uses: EachField<Request> };

/** Safe operations without query parameters, which `get` would not read. */
type KeyedId<A extends Api> = {
  [Id in IdOf<A, A['safe']>]: keyof EachField<RequestOf<A, Id>> extends never ? Id : never;
}[IdOf<A, A['safe']>];

export interface Lanes<A extends Api> {
  /** Of an operation that is still to be written: 501, after authentication, limits and validation. */
  todo<const Id extends keyof A['handlers'] & string>(operation: Id): Implementation<Id>;

  /** The JSON of a schema from a row. */
  rowJson<Name extends keyof A['schemas'] & string>(
    name: Name,
    columns: Record<keyof A['schemas'][Name] & string, string>,
  ): RowJson<A['schemas'][Name]>;

  /** A read with Kysely: selects only. */
  read<const Id extends IdOf<A, A['safe']>, Result extends ResponseOf<A, Id>>(
    operation: Id,
    uses: EachField<RequestOf<A, Id>>,
    run: (
      request: RequestOf<A, Id>,
      db: ReadonlyKysely<A['tables']>,
      context: RequestContext,
    ) => Promise<Result & NoOtherHeader<Result, ResponseOf<A, Id>>>,
  ): Implementation<Id>;

  /** Reads, decides and changes with Kysely in one transaction, once for each key. */
  transaction<const Id extends UnsafeId<A>, Result extends ResponseOf<A, Id>>(
    operation: Id,
    uses: EachField<RequestOf<A, Id>>,
    run: (
      request: RequestOf<A, Id>,
      db: Transaction<A['tables']>,
      context: RequestContext,
    ) => Promise<Result & NoOtherHeader<Result, ResponseOf<A, Id>>>,
    options?: TransactionOptions<RequestOf<A, Id>>,
  ): Implementation<Id>;

  /** Fast lane: pages by keyset; concurrent requests share statements. */
  list<const Id extends Plain<A, PagedId<A>>, const Table extends TableOf<A>>(
    operation: Id,
    definition: ListOf<A, Id, Table> & Where<RequestOf<A, Id>, Table, A['tables']>,
  ): Implementation<Id>;

  /** Fast lane: a row by its key; concurrent requests share statements. */
  get<const Id extends Plain<A, KeyedId<A>>, const Table extends TableOf<A>>(
    operation: Id,
    definition: GetOf<A, Id, Table>,
  ): Implementation<Id>;

  /** Fast lane: inserts a row for each key; concurrent requests share statements. */
  create<
    const Id extends Plain<A, UnsafeId<A>>,
    const Table extends TableOf<A>,
    const Values extends ColumnOfEachField<RequestOf<A, Id>, Table, A['tables']>,
  >(
    operation: Id,
    definition: CreateOf<A, Id, Table, Values> & Also<RequestOf<A, Id>, Table, A['tables'], Values>,
  ): Implementation<Id>;

  /** Fast lane: one statement of the builder for each key. */
  change<const Id extends UnsafeId<A>, const New extends Record<string, SqlType | ColumnName<A['tables']>>>(
    operation: Id,
    definition: Change<A['tables'], RequestOf<A, Id>, ResponseOf<A, Id>['status'], New> &
      WithBody<ResponseOf<A, Id>> &
      WithHeaders<ResponseOf<A, Id>> &
      Named<RequestOf<A, Id>>,
  ): Implementation<Id>;
}

/**
 * The lanes of a service: how its operations are written, typed by its contract and its tables.
 *
 * @param tables - default: none
 * @example
 * export const { list, get, create, read, transaction, rowJson } = lanesOf(contract, tables);
 */
export function lanesOf<Types extends ContractTypes, T extends object = object>(
  { document }: Contract<Types>,
  { columns, defaults, unlisted = [] }: Tables<T> = { columns: {}, defaults: {} },
): Lanes<Types & { tables: T }> {
  const typeOf = (table: string, column: string) => {
    const type = columns[table]?.[column];
    if (!type) throw new Error(`The table ${table} has no column ${column}`);
    return type;
  };
  const defaultOf = (table: string, column: string) =>
    `(${defaults[table]?.[column] ?? 'null'})::${typeOf(table, column)}`;
  const isListed = (table: string) => !unlisted.some((name) => quoted(name) === table);
  /** The definition is composed when the service is defined, which knows its storages. */
  const lane =
    <Arguments extends unknown[]>(compose: (schema: Schema, id: string, ...args: Arguments) => unknown) =>
    (id: string, ...args: Arguments) => {
      const implement = (distributed: readonly Storage[]) =>
        compose({ typeOf, defaultOf, isListed, distributed }, id, ...args);
      const [{ from, into } = {}] = args as { from?: string; into?: string }[];
      return Object.assign(implement, { table: from ?? into });
    };
  const lanes = {
    rowJson: (name: string, columns: Record<string, string>) => makeRowJson(document, name, columns),
    read: lane((schema, id, uses: object, run: never) => read(id, uses, run, schema)),
    transaction: lane((schema, id, uses: object, run: never, options: object = {}) =>
      transaction(id, uses, run, options, schema),
    ),
    list: lane((schema, id, definition: never) => {
      const { from }: { from: string } = definition;
      if (!isListed(quoted(from))) throw new Error(`${id}: ${from} is unlisted, so no list can walk it`);
      return list(id, definition, schema);
    }),
    get: lane((schema, id, definition: never) => get(id, definition, schema)),
    create: lane((schema, id, definition: never) => create(id, definition, schema)),
    change: lane((schema, id, definition: never) => change(id, definition, schema)),
    todo: lane((_schema, id) => () => async () => {
      throw new ApiError(501, `${id} is not implemented yet`);
    }),
  };
  return lanes as unknown as Lanes<Types & { tables: T }>;
}
