import type { Kysely, Transaction } from 'kysely';
import type { ReadonlyKysely } from 'kysely/readonly';
import type { Contract, ContractTypes, Operation } from '../contract.ts';
import { type Compiled, compiled, type Query, type Value } from '../database/compiled.ts';
import { insertLockQuery } from '../database/insert-lock.ts';
import { unscoped } from '../database/kysely.ts';
import { quoted } from '../database/nodes.ts';
import type { Tables, TenantsOf, WithFixedOwner } from '../database/tables.ts';
import { Scope, type Tenants } from '../database/tenants.ts';
import { ApiError } from '../errors.ts';
import { definedAt } from '../failure-log.ts';
import { callerInService } from '../stacks.ts';
import type {
  Api,
  CallerOf,
  EachFieldNeedsTrue,
  Fieldless,
  IdOf,
  NoOtherHeader,
  RequestOf,
  ResponseOf,
  TablesOf,
  TimesAsTexts,
  UnsafeId,
} from './api.ts';
import { events } from './events.ts';
import type { Flows } from './flows.ts';
import type { Implementation } from './handler.ts';
import type { OperationParts } from './operation-parts.ts';
import type { HandlerTools, Paging, QueryResponse } from './query-response.ts';
import { type ReadOptions, type Run, read } from './read.ts';
import { headersOf, withBodies } from './response-body.ts';
import { stream } from './stream.ts';
import { type WriteOptions, write } from './write.ts';

/** The tables, and which of them have owners, in addition to the types of the contract. */
type TablesIn<Tables extends object, Owners> = {
  tables: [keyof Owners] extends [never] ? Tables : WithFixedOwner<Tables, Owners>;
} & ([keyof Owners] extends [never] ? unknown : { tenants: Owners });

/** A query as the response, or the response itself. */
type Returned<A extends Api, Id extends keyof A['handlers']> = QueryResponse | ResponseOf<A, Id>;

type PagingOf<Request, Response> = Request extends { query: { limit: number; cursor?: string | undefined } }
  ? Paging<Response>
  : unknown;

type Reading<A extends Api, Id extends keyof A['handlers'], Result> = (
  request: RequestOf<A, Id>,
  db: ReadonlyKysely<TablesOf<A, Id>>,
  tools: HandlerTools<ResponseOf<A, Id>, CallerOf<A, Id>> & PagingOf<RequestOf<A, Id>, ResponseOf<A, Id>>,
) => QueryResponse | Promise<Result & NoOtherHeader<Result, ResponseOf<A, Id>>>;

type Writing<A extends Api, Id extends keyof A['handlers'], Result> = (
  request: RequestOf<A, Id>,
  db: Transaction<TablesOf<A, Id>>,
  tools: HandlerTools<ResponseOf<A, Id>, CallerOf<A, Id>>,
) => QueryResponse | Promise<Result & NoOtherHeader<Result, ResponseOf<A, Id>>>;

/**
 * The same database in the same transaction, for the rows of all owners. It is the only way to them, so that a search for its name lists
 * every such place.
 */
interface Unscoped<Tables> {
  // biome-ignore lint/suspicious/noExplicitAny: the tables of any operation
  (db: Transaction<any>): Transaction<TimesAsTexts<Tables>>;
  // biome-ignore lint/suspicious/noExplicitAny: the tables of any operation
  (db: ReadonlyKysely<any>): ReadonlyKysely<TimesAsTexts<Tables>>;
}

/**
 * A query that is built and compiled once, as that takes a fifth of the time of the smallest requests.
 *
 * @param build - builds the same text at each call: `value('id')` stands for a value
 * @example
 * const byId = compiled((db, value: Value<{ id: number }>) => db.selectFrom('books').selectAll().where('id', '=', value('id')));
 * const getBook = read('getBook', ({ path: { bookId } }, db, { row }) => row(byId(db, { id: bookId })));
 */
type Compile<Tables> = <Values extends object, Builder extends Query>(
  build: (db: Kysely<TimesAsTexts<Tables>>, value: Value<Values>) => Builder,
) => (
  // biome-ignore lint/suspicious/noExplicitAny: the tables of any operation
  db: Transaction<any> | ReadonlyKysely<any>,
  ...values: Record<never, never> extends Values ? [] : [Values]
) => Compiled<Builder>;

/** The database of a `read` or a `write`, for functions that select in both. */
export type Reader<Tables> = Pick<ReadonlyKysely<TimesAsTexts<Tables>>, 'selectFrom' | 'selectNoFrom'>;

/** How operations are written. `uses` names the fields of the request; it is left out where there are none. */
export interface Operations<A extends Api> extends Flows<A> {
  /** An operation that is still to be written. It answers 501, after authentication, limits and validation. */
  todo<const Id extends keyof A['handlers'] & string>(operation: Id): Implementation<Id>;

  /** An operation that selects with Kysely. */
  read<const Id extends IdOf<A, A['safe']>, Result extends Returned<A, Id>>(
    operation: Id,
    uses: EachFieldNeedsTrue<RequestOf<A, Id>>,
    run: Reading<A, Id, Result>,
    options?: ReadOptions,
  ): Implementation<Id>;
  read<const Id extends IdOf<A, A['safe']>, Result extends Returned<A, Id>>(
    operation: Fieldless<A, Id>,
    run: Reading<A, Id, Result>,
    options?: ReadOptions,
  ): Implementation<Id>;
  // Again, because the compiler tells only why the last one does not fit: the field.
  read<const Id extends IdOf<A, A['safe']>, Result extends Returned<A, Id>>(
    operation: Id,
    uses: EachFieldNeedsTrue<RequestOf<A, Id>>,
    run: Reading<A, Id, Result>,
    options?: ReadOptions,
  ): Implementation<Id>;

  /** An operation that reads, decides and changes with Kysely, all in one transaction, once for each `Idempotency-Key`. */
  write<const Id extends UnsafeId<A>, Result extends Returned<A, Id>>(
    operation: Id,
    uses: EachFieldNeedsTrue<RequestOf<A, Id>>,
    run: Writing<A, Id, Result>,
    options?: WriteOptions<RequestOf<A, Id>>,
  ): Implementation<Id>;
  write<const Id extends UnsafeId<A>, Result extends Returned<A, Id>>(
    operation: Fieldless<A, Id>,
    run: Writing<A, Id, Result>,
    options?: WriteOptions<RequestOf<A, Id>>,
  ): Implementation<Id>;
  write<const Id extends UnsafeId<A>, Result extends Returned<A, Id>>(
    operation: Id,
    uses: EachFieldNeedsTrue<RequestOf<A, Id>>,
    run: Writing<A, Id, Result>,
    options?: WriteOptions<RequestOf<A, Id>>,
  ): Implementation<Id>;
}

/** The most bytes of a body that is in memory as a whole. */
const MAX_BUFFERED_BODY = 64 * 2 ** 20;

/**
 * The functions with which the operations of a service are written, typed by its contract and its tables.
 *
 * @param tables - default: none. With `tenants`, the rows of those tables belong to the owners of callers: every statement of an operation
 *   sees and changes those of its caller's owner only, by policies of Postgres. See docs/tenants.md
 * @throws Error for a column of an owner that is no text, and for a table with such a column that is missing in `tenants`
 */
export function operationsOf<
  Types extends ContractTypes,
  T extends object = object,
  const Owners extends TenantsOf<T> = Record<never, never>,
>(
  { operations }: Contract<Types>,
  { columns, ordered = [], privileges, tenants }: Tables<T> & { tenants?: Owners } = { columns: {} },
): Operations<Types & TablesIn<T, Owners>> & { compiled: Compile<T>; unscoped: Unscoped<T> } {
  const typeOf = (table: string, column: string) => {
    const type = columns[table]?.[column];
    if (!type) throw new Error(`The table ${table} has no column ${column}`);
    return type;
  };
  // The schema is left out, as the lock is that of the table.
  const isAmong = (names: readonly string[]) => (table: string) =>
    names.some((name) => table === quoted(name) || table.endsWith(`.${quoted(name)}`));
  const isOrdered = isAmong(ordered);
  const isOwned = isAmong(Object.keys(tenants ?? {}));
  const locksOf: OperationParts['locksOf'] = (tables, settings) =>
    tables
      .filter(isOrdered)
      .map((table) => insertLockQuery(table, (isOwned(table) && settings?.['app.owner']) || null));
  if (tenants) checkTenants(tenants as Tenants, columns);
  const [closed, open] = [false, true].map((isOpen) => tenants && new Scope(tenants as Tenants, isOpen));
  const define = (id: string, implement: (parts: OperationParts) => object) => {
    const operation = operations[id];
    if (operation) definedAt.set(operation, callerInService());
    const implementation = implement({
      typeOf,
      isOrdered,
      locksOf,
      response: operation?.response ?? { status: 200 },
      named: operation ? headersOf(operation) : [],
      scope: isOpen(operation) ? open : closed,
    });
    return Object.assign(implementation, { columns, privileges, tenants });
  };
  const method =
    (make: (id: string, run: Run, options: never, parts: OperationParts) => object) =>
    (id: string, ...args: [run: Run, options?: object] | [uses: object, run: Run, options?: object]) => {
      const [run, options = {}] = typeof args[0] === 'function' ? args : args.slice(1);
      return define(id, (parts) => make(id, run as Run, options as never, parts));
    };
  const all = {
    read: method((id, run, options, parts) => read(id, withBodies(run, parts.response, false), options, parts)),
    write: method((id, run, options, parts) => {
      if (Number(operations[id]?.body?.max) > MAX_BUFFERED_BODY)
        throw new Error(
          `${id}: its bodies may have more than ${MAX_BUFFERED_BODY} bytes, for which it needs to be a stream`,
        );
      return write(id, withBodies(run, parts.response, true), options, parts);
    }),
    stream: method((id, run, options, parts) => stream(id, run, options, parts)),
    events: method((id, run, options, parts) => events(id, run as never, options, parts)),
    todo: (id: string) =>
      define(id, () => () => async () => {
        throw new ApiError(501, `${id} is not implemented yet`);
      }),
    compiled,
    unscoped,
  };
  return all as never;
}

/** Whether everybody may call an operation. */
const isOpen = (operation: Operation | undefined) => operation?.security?.flat().length === 0;

function checkTenants(tenants: Tenants, columns: Tables['columns']): void {
  const owners = new Set(Object.values(tenants));
  for (const [table, column] of Object.entries(tenants))
    if (!['text', 'character varying'].includes(columns[table]?.[column] ?? ''))
      throw new Error(`tenants: ${table} has no column ${column} that is a text, as owners are`);
  for (const [table, all] of Object.entries(columns)) {
    const column = Object.keys(all).find((each) => owners.has(each));
    if (column !== undefined && !Object.hasOwn(tenants, table))
      throw new Error(
        `tenants: ${table}.${column} has the name of an owner's column: add ${table}, or rename the column`,
      );
  }
}
