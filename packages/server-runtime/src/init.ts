import { type Change, makeChange, type WithBody } from './api/idempotency.ts';
import { type List, makeList } from './api/pages.ts';
import { type Get, makeGet } from './api/resource.ts';
import type { IdempotentHandler, Resources } from './api/resources.ts';
import type { Contract, ContractTypes, HandlerOf, OperationId, RequestOf, ResponseOf } from './contract.ts';
import { makeRowJson, type RowJson } from './database/row-json.ts';
import type { ChangeHandle, ReadHandle } from './database/statement.ts';
import { ApiError } from './errors.ts';

/** Columns by table. */
type AnyTables = Record<string, Record<string, unknown>>;

type NameOf<Tables> = keyof Tables & string;
type ColumnOf<Tables, Table extends NameOf<Tables>> = keyof Tables[Table] & string;

/** The operations with the query parameters `limit`, which has a default, and `cursor`. */
type PagedOperation<Types extends ContractTypes> = {
  [Id in OperationId<Types>]: RequestOf<Types, Id> extends { query: { limit: number; cursor?: string | undefined } }
    ? Id
    : never;
}[OperationId<Types>];

type BodyOf<Types extends ContractTypes, Id extends OperationId<Types>> = Extract<
  ResponseOf<Types, Id>,
  { body: unknown }
>['body'];

/** Makes the handlers of a contract's operations, with its types. */
export interface Toolkit<Types extends ContractTypes, Tables> {
  /** See {@link makeList}. */
  list<
    const Id extends PagedOperation<Types>,
    const Table extends NameOf<Tables>,
    Filter extends ColumnOf<Tables, Table> = never,
  >(
    operation: Id,
    definition: List<
      RequestOf<Types, Id>,
      BodyOf<Types, Id> extends (infer Item)[] | string ? Item : never,
      Filter,
      Table,
      ColumnOf<Tables, Table>
    >,
  ): (db: ReadHandle) => HandlerOf<Types, Id>;

  /** See {@link makeGet}. */
  get<const Id extends Types['safe'] & OperationId<Types>, const Table extends NameOf<Tables>>(
    operation: Id,
    definition: Get<RequestOf<Types, Id>, Exclude<BodyOf<Types, Id>, string>, Table, ColumnOf<Tables, Table>>,
  ): (db: ReadHandle) => HandlerOf<Types, Id>;

  /** See {@link makeChange}. */
  change<const Id extends Types['idempotent'] & OperationId<Types>, Column extends string>(
    operation: Id,
    definition: Change<RequestOf<Types, Id>, ResponseOf<Types, Id>['status' & keyof ResponseOf<Types, Id>], Column> &
      WithBody<ResponseOf<Types, Id>>,
  ): IdempotentHandler<HandlerOf<Types, Id>>;

  /** The handler of another safe operation. */
  read<const Id extends Types['safe'] & OperationId<Types>>(
    operation: Id,
    create: (db: ReadHandle) => HandlerOf<Types, Id>,
  ): (db: ReadHandle) => HandlerOf<Types, Id>;

  /** The handler of an operation that declares `x-not-idempotent`. */
  write<const Id extends Exclude<OperationId<Types>, Types['safe'] | Types['idempotent']>>(
    operation: Id,
    create: (db: ChangeHandle) => HandlerOf<Types, Id>,
  ): (db: ChangeHandle) => HandlerOf<Types, Id>;

  /** Of an operation that is still to be written: 501, after authentication, limits and validation. */
  todo<const Id extends OperationId<Types>>(operation: Id): Resources<Types>[Id];

  /** See {@link makeRowJson}. */
  rowJson<Name extends keyof Types['schemas'] & string>(
    name: Name,
    columns: Record<keyof Types['schemas'][Name] & string, string>,
  ): RowJson<Types['schemas'][Name]>;
}

/** The tables of the application, whose names and columns lists are then checked against. */
const tables = <Tables = AnyTables>() => ({
  create<Types extends ContractTypes>({ document }: Contract<Types>): Toolkit<Types, Tables> {
    // The types depend on the contract; without them, the mechanisms know no operation.
    const toolkit = {
      list: makeList,
      get: makeGet,
      change: makeChange,
      read: (_operation: string, create: unknown) => create,
      write: (_operation: string, create: unknown) => create,
      todo: (operation: string) => () => async () => {
        throw new ApiError(501, `${operation} is not implemented yet`);
      },
      rowJson: (name: string, columns: Record<string, string>) => makeRowJson(document, name, columns),
    };
    return toolkit as unknown as Toolkit<Types, Tables>;
  },
});

/**
 * Binds the makers of handlers to a contract.
 *
 * @example
 * export const { list, change, read, rowJson } = initService.tables<Tables>().create(contract);
 */
export const initService = {
  tables,
  create: <Types extends ContractTypes>(contract: Contract<Types>) => tables().create(contract),
};
