import type { ColumnType, InsertType, SelectType, Transaction, UpdateType } from 'kysely';
import type { ReadonlyKysely } from 'kysely/readonly';
import type { Contract, ContractTypes, Tables } from '../contract.ts';
import { quoted } from '../database/nodes.ts';
import { ApiError } from '../errors.ts';
import type { Answer, Answers, Paging } from './answer.ts';
import type { Api, CallerOf, FieldsOf, IdOf, NoOtherHeader, RequestOf, ResponseOf, UnsafeId } from './api.ts';
import { withBodies } from './bodies.ts';
import type { Implementation } from './handler.ts';
import { type ReadOptions, type Run, read } from './read.ts';
import type { Storage } from './storage.ts';
import { type WriteOptions, write } from './write.ts';

/**
 * Each field of the body, the query and the headers needs `true`, so that a field that the contract gains does not compile until it is
 * named. `limit` and `cursor` are those of `page`.
 */
type EachFieldNeedsTrue<Request> = { [Field in keyof FieldsOf<Request>]-?: true };

/** The operations whose requests have no such fields. */
type Fieldless<A extends Api, Id extends keyof A['handlers']> = Extract<
  { [Each in Id]: keyof FieldsOf<RequestOf<A, Each>> extends never ? Each : never }[Id],
  string
>;

/** A query as the response, or the response itself. */
type Given<A extends Api, Id extends keyof A['handlers']> = Answer | ResponseOf<A, Id>;

type PagingOf<Request, Response> = Request extends { query: { limit: number; cursor?: string | undefined } }
  ? Paging<Response>
  : unknown;

type Reading<A extends Api, Id extends keyof A['handlers'], Result> = (
  request: RequestOf<A, Id>,
  db: ReadonlyKysely<A['tables']>,
  answers: Answers<ResponseOf<A, Id>, CallerOf<A, Id>> & PagingOf<RequestOf<A, Id>, ResponseOf<A, Id>>,
) => Answer | Promise<Result & NoOtherHeader<Result, ResponseOf<A, Id>>>;

/** Tables whose times are also given as texts, as in requests: a `Date` would lose microseconds. */
type TimesAsTexts<Tables> = {
  [Table in keyof Tables]: { [Column in keyof Tables[Table]]: TimeAsText<Tables[Table][Column]> };
};
type TimeAsText<Column> = [Exclude<SelectType<Column>, null>, InsertType<Column>] extends [Date, infer Insert]
  ? [Insert] extends [never]
    ? Column
    : ColumnType<SelectType<Column>, Insert | string, UpdateType<Column> | string>
  : Column;

type Writing<A extends Api, Id extends keyof A['handlers'], Result> = (
  request: RequestOf<A, Id>,
  db: Transaction<TimesAsTexts<A['tables']>>,
  answers: Answers<ResponseOf<A, Id>, CallerOf<A, Id>>,
) => Answer | Promise<Result & NoOtherHeader<Result, ResponseOf<A, Id>>>;

/** How operations are written. `uses` names the fields of the request; it is left out where there are none. */
export interface Operations<A extends Api> {
  /** An operation that is still to be written. It answers 501, after authentication, limits and validation. */
  todo<const Id extends keyof A['handlers'] & string>(operation: Id): Implementation<Id>;

  /** An operation that selects with Kysely. */
  read<const Id extends IdOf<A, A['safe']>, Result extends Given<A, Id>>(
    operation: Id,
    uses: EachFieldNeedsTrue<RequestOf<A, Id>>,
    run: Reading<A, Id, Result>,
    options?: ReadOptions,
  ): Implementation<Id>;
  read<const Id extends Fieldless<A, IdOf<A, A['safe']>>, Result extends Given<A, Id>>(
    operation: Id,
    run: Reading<A, Id, Result>,
    options?: ReadOptions,
  ): Implementation<Id>;

  /** An operation that reads, decides and changes with Kysely, all in one transaction, once for each `Idempotency-Key`. */
  write<const Id extends UnsafeId<A>, Result extends Given<A, Id>>(
    operation: Id,
    uses: EachFieldNeedsTrue<RequestOf<A, Id>>,
    run: Writing<A, Id, Result>,
    options?: WriteOptions<RequestOf<A, Id>>,
  ): Implementation<Id>;
  write<const Id extends Fieldless<A, UnsafeId<A>>, Result extends Given<A, Id>>(
    operation: Id,
    run: Writing<A, Id, Result>,
    options?: WriteOptions<RequestOf<A, Id>>,
  ): Implementation<Id>;
}

type Arguments<Options> = [run: Run, options?: Options] | [uses: object, run: Run, options?: Options];

const withoutUses = <Options>(args: Arguments<Options>): [run: Run, options: Options | undefined] => {
  const [first, second, third] = args;
  return typeof first === 'function' ? [first as Run, second as Options] : [second as Run, third];
};

/**
 * The functions with which the operations of a service are written, typed by its contract and its tables.
 *
 * @param tables - default: none
 * @example
 * export const { read, write } = operationsOf(contract, tables);
 */
export function operationsOf<Types extends ContractTypes, T extends object = object>(
  { operations }: Contract<Types>,
  { columns, defaults, unlisted = [] }: Tables<T> = { columns: {}, defaults: {} },
): Operations<Types & { tables: T }> {
  const typeOf = (table: string, column: string) => {
    const type = columns[table]?.[column];
    if (!type) throw new Error(`The table ${table} has no column ${column}`);
    return type;
  };
  const defaultOf = (table: string, column: string) => {
    const type = typeOf(table, column);
    const initial = defaults[table]?.[column];
    return initial === undefined ? undefined : `(${initial})::${type}`;
  };
  const isListed = (table: string) => !unlisted.some((name) => quoted(name) === table);
  const isTable = (name: string) => Object.hasOwn(columns, name);
  const schema = { typeOf, defaultOf, isListed, isTable };
  const responseOf = (id: string) => operations[id]?.response ?? { status: 200 };
  /** An operation is composed when the service is defined, which knows its storages. */
  const made = (implement: (distributed: readonly Storage[]) => unknown) => Object.assign(implement, { columns });
  const all = {
    read(id: string, ...args: Arguments<ReadOptions>) {
      const [run, options = {}] = withoutUses(args);
      const named = (operations[id]?.parameters ?? []).flatMap((each) =>
        each.in === 'header' ? each.name.toLowerCase() : [],
      );
      return made((distributed) =>
        read(id, withBodies(run, responseOf(id), false), options, {
          ...schema,
          named,
          response: responseOf(id),
          distributed,
        }),
      );
    },
    write(id: string, ...args: Arguments<WriteOptions<never>>) {
      const [run, options = {}] = withoutUses(args);
      return made((distributed) =>
        write(id, withBodies(run, responseOf(id), true), options, { ...schema, response: responseOf(id), distributed }),
      );
    },
    todo: (id: string) =>
      made(() => () => async () => {
        throw new ApiError(501, `${id} is not implemented yet`);
      }),
  };
  return all as unknown as Operations<Types & { tables: T }>;
}
