import type { Transaction } from 'kysely';
import type { ReadonlyKysely } from 'kysely/readonly';
import type { Contract, ContractTypes, RequestContext, Tables } from '../contract.ts';
import { quoted } from '../database/nodes.ts';
import { makeRowJson, type RowJson, type Source } from '../database/row-json.ts';
import { ApiError } from '../errors.ts';
import type {
  Api,
  BodyOf,
  HeadersOf,
  IdOf,
  NoOtherHeader,
  PagedId,
  PathOf,
  Plain,
  QueryOf,
  RequestOf,
  ResponseOf,
  UnsafeId,
} from './api.ts';
import { type Change, type ColumnName, change, type WithBody, type WithHeaders } from './change.ts';
import { create } from './create.ts';
import type {
  Also,
  CreateOf,
  EachFieldNeedsAColumn,
  EachFieldNeedsAColumnOrFalse,
  Filters,
  GetOf,
  ListOf,
  NoOther,
  NoOtherField,
  Reads,
} from './declared.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { read } from './read.ts';
import type { Implementation } from './resources.ts';
import type { Place, Schema, Storage } from './storage.ts';
import { type TransactionOptions, transaction } from './transaction.ts';

/** The names of the tables. With `Extract`, the compiler prints them in its errors, instead of `TableOf`. */
type TableOf<A extends Api> = Extract<keyof A['tables'], string>;

/**
 * Each field of the body, the query and the headers needs `true`, so that a field that the contract gains does not compile until it is
 * named.
 */
type EachFieldNeedsTrue<Request> = {
  [Field in keyof (QueryOf<Request> & HeadersOf<Request> & BodyOf<Request>)]-?: true;
};

/** The property `uses`, which is required only if a request has such fields. */
type Named<Request> = keyof EachFieldNeedsTrue<Request> extends never
  ? { uses?: EachFieldNeedsTrue<Request> }
  : { uses: EachFieldNeedsTrue<Request> };

/** Safe operations whose only parameter is one of the path, as `get` reads no others. */
type KeyedId<A extends Api> = Extract<
  {
    [Id in IdOf<A, A['safe']>]: keyof EachFieldNeedsTrue<RequestOf<A, Id>> extends never
      ? IsOne<keyof PathOf<RequestOf<A, Id>>> extends true
        ? Id
        : never
      : never;
  }[IdOf<A, A['safe']>],
  string
>;
type IsOne<Name, Whole = Name> = Name extends Whole ? ([Whole] extends [Name] ? true : false) : never;

export interface Lanes<A extends Api> {
  /** An operation that is still to be written. It answers 501, after authentication, limits and validation. */
  todo<const Id extends keyof A['handlers'] & string>(operation: Id): Implementation<Id>;

  /** The JSON of a schema from a row. Each field names its column, an expression, or the fields of its object. */
  rowJson<
    const Name extends keyof A['schemas'] & string,
    const Sources extends EachFieldNeedsAColumn<A['tables'], A['schemas'][Name]> &
      NoOtherField<A['schemas'][Name], Sources>,
  >(name: Name, fields: Sources): RowJson<A['schemas'][Name], Reads<A['schemas'][Name], Sources>>;

  /** A read with Kysely, which may only select. */
  read<const Id extends IdOf<A, A['safe']>, Result extends ResponseOf<A, Id>>(
    operation: Id,
    uses: EachFieldNeedsTrue<RequestOf<A, Id>>,
    run: (
      request: RequestOf<A, Id>,
      db: ReadonlyKysely<A['tables']>,
      context: RequestContext,
    ) => Promise<Result & NoOtherHeader<Result, ResponseOf<A, Id>>>,
  ): Implementation<Id>;

  /** Reads, decides and changes with Kysely in one transaction, once for each key. */
  transaction<const Id extends UnsafeId<A>, Result extends ResponseOf<A, Id>>(
    operation: Id,
    uses: EachFieldNeedsTrue<RequestOf<A, Id>>,
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
    definition: ListOf<ResponseOf<A, Id>, Table, A['tables']> & Filters<RequestOf<A, Id>, Table, A['tables']>,
  ): Implementation<Id>;

  /** Fast lane: a row by its key; concurrent requests share statements. */
  get<const Id extends Plain<A, KeyedId<A>>, const Table extends TableOf<A>>(
    operation: Id,
    definition: GetOf<RequestOf<A, Id>, ResponseOf<A, Id>, Table, A['tables']>,
  ): Implementation<Id>;

  /** Fast lane: inserts a row for each key; concurrent requests share statements. */
  create<
    const Id extends Plain<A, UnsafeId<A>>,
    const Table extends TableOf<A>,
    const Values extends EachFieldNeedsAColumnOrFalse<RequestOf<A, Id>, Table, A['tables']> &
      NoOther<RequestOf<A, Id>, Values>,
  >(
    operation: Id,
    definition: CreateOf<RequestOf<A, Id>, ResponseOf<A, Id>, Table, A['tables'], Values> &
      Also<RequestOf<A, Id>, Table, A['tables'], Values>,
  ): Implementation<Id>;

  /** Fast lane: one statement of the builder for each key. */
  change<const Id extends UnsafeId<A>, const New extends Record<string, ColumnName<A['tables']>>>(
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
  { document, operations }: Contract<Types>,
  { columns, defaults, unlisted = [] }: Tables<T> = { columns: {}, defaults: {} },
): Lanes<Types & { tables: T }> {
  const typeOf = (table: string, column: string) => {
    const type = columns[table]?.[column];
    if (!type) throw new Error(`The table ${table} has no column ${column}`);
    return type;
  };
  const check = (table: string, columns: readonly string[], times: readonly string[]) => {
    for (const column of columns) typeOf(table, column);
    const day = times.find((column) => typeOf(table, column) === 'date');
    if (day) throw new Error(`${table}.${day} is a date, which cannot hold a date-time of the contract`);
  };
  const placeOf = (operation: string, field: string): Place => {
    const parameters = operations[operation]?.parameters ?? [];
    const place = parameters.find((each) => (each.in === 'header' ? each.name.toLowerCase() : each.name) === field)?.in;
    return place === 'header' ? 'headers' : (place ?? 'body');
  };
  const defaultOf = (table: string, column: string) => {
    const type = typeOf(table, column);
    const initial = defaults[table]?.[column];
    return initial === undefined ? undefined : `(${initial})::${type}`;
  };
  const isListed = (table: string) => !unlisted.some((name) => quoted(name) === table);
  const paged = (schema: Schema, id: string, definition: never) => {
    const { from }: { from: string } = definition;
    if (!isListed(quoted(from))) throw new Error(`${id}: ${from} is unlisted, so no list can walk it`);
    return list(id, definition, schema);
  };
  /** The definition is composed when the service is defined, which knows its storages. */
  const lane =
    <Arguments extends unknown[]>(compose: (schema: Schema, id: string, ...args: Arguments) => unknown) =>
    (id: string, ...args: Arguments) => {
      const implement = (distributed: readonly Storage[]) =>
        compose({ typeOf, check, placeOf, defaultOf, isListed, distributed }, id, ...args);
      const [{ from, into } = {}] = args as { from?: string; into?: string }[];
      return Object.assign(implement, {
        table: from ?? into,
        columns,
        isList: (compose as unknown) === paged,
      });
    };
  const lanes = {
    rowJson: (name: string, fields: Record<string, Source>) => makeRowJson(document, name, fields),
    read: lane((schema, id, uses: object, run: never) => read(id, uses, run, schema)),
    transaction: lane((schema, id, uses: object, run: never, options: object = {}) =>
      transaction(id, uses, run, options, schema),
    ),
    list: lane(paged),
    get: lane((schema, id, definition: never) => get(id, definition, schema)),
    create: lane((schema, id, definition: never) => create(id, definition, schema)),
    change: lane((schema, id, definition: never) => change(id, definition, schema)),
    todo: lane((_schema, id) => () => async () => {
      throw new ApiError(501, `${id} is not implemented yet`);
    }),
  };
  return lanes as unknown as Lanes<Types & { tables: T }>;
}
