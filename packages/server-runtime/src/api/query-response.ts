import type { SelectQueryBuilder, SelectType, SqlBool } from 'kysely';
import type { Caller, Issue } from '../caller.ts';
import type { RequestContext } from '../contract.ts';
import type { Compiled, Query } from '../database/compiled.ts';
import type { HeadersIn, JsonOf } from './api.ts';

export interface RowOptions {
  /** The message of the 404 without a row. Default: a general one. */
  missing?: string;
  /** The columns that are headers of the response, not fields of its body. A header is absent for null. */
  headers?: Record<string, string>;
}

export interface PageOptions {
  /** The columns by which the rows are sorted; together, they are unique. */
  by: string | readonly string[];
  /** Default: ascending. */
  direction?: 'asc' | 'desc';
  /** The values that columns equal, or the beginning of their text. Undefined does not filter. */
  where?: Record<string, unknown>;
}

/** A query as the response of an operation. The runtime runs it, alone or with those of concurrent requests. */
export class QueryResponse {
  readonly kind: 'row' | 'rows' | 'page';
  readonly query: Query;
  readonly row: RowOptions;
  readonly page: PageOptions | undefined;

  constructor(kind: QueryResponse['kind'], query: Query, row: RowOptions = {}, page?: PageOptions) {
    this.kind = kind;
    this.query = query;
    this.row = row;
    this.page = page;
  }
}

const NEVER = new AbortController().signal;

/** The last argument of a handler, untyped. */
export class HandlerContext {
  readonly #caller: Caller;
  readonly #state: RequestContext['state'];
  /** Whether the handler has asked who calls. If not, its answer is the same for all. */
  isPersonal = false;
  /** Whether the handler ends with its request, so that no other shares its result. */
  usesSignal = false;

  constructor(caller: Caller, state?: RequestContext['state']) {
    this.#caller = caller;
    this.#state = state;
  }

  get signal(): AbortSignal {
    this.usesSignal = true;
    return this.#state?.signal ?? NEVER;
  }

  get caller(): Caller {
    this.isPersonal = true;
    return this.#caller;
  }

  get issue(): Issue {
    if (!this.#state?.issue) throw new Error('No operation takes tokens');
    return this.#state.issue;
  }

  row(query: Query, options?: RowOptions) {
    return new QueryResponse('row', query, options);
  }

  rows(query: Query) {
    return new QueryResponse('rows', query);
  }

  page(query: Query, options: PageOptions) {
    return new QueryResponse('page', query, {}, options);
  }
}

/** The values of a column for a field: null where it may be absent, times for texts, and what Kysely has for a boolean. */
type Selected<Value> =
  | (undefined extends Value ? Exclude<Value, undefined> | null : Value)
  | WithSqlBool<Exclude<Value, undefined>>
  | (string extends Value ? Date : never);

type WithSqlBool<Value> = Value extends boolean
  ? SqlBool
  : Value extends object
    ? { [Key in keyof Value]: WithSqlBool<Value[Key]> }
    : Value;

/** The fields that an object names. It may have others, as a map has. */
type FieldOf<Body> = keyof {
  [Name in keyof Body as string extends Name ? never : number extends Name ? never : Name]: true;
} &
  string;
type AnyFieldOf<Body> = Body extends unknown ? FieldOf<Body> : never;

/** A sentence for each column that does not fit the object of the contract, for the compiler to print. */
type Misfit<Row, Body, Header> =
  | {
      [Field in FieldOf<Body>]: Field extends keyof Row
        ? [Row[Field]] extends [Selected<Body[Field & keyof Body]>]
          ? never
          : [Exclude<Row[Field], null>] extends [Selected<Body[Field & keyof Body]>]
            ? `the column ${Field} may be null, which the contract does not allow`
            : `the column ${Field} has values that are none of the contract`
        : `no column is selected for the field ${Field}: give one its name by "as"`;
    }[FieldOf<Body>]
  | {
      [Column in Exclude<
        keyof Row & string,
        AnyFieldOf<Body> | Header
      >]: `the column ${Column} is no field of the contract`;
    }[Exclude<keyof Row & string, AnyFieldOf<Body> | Header>];

/** Nothing, or a sentence that says why the columns do not fit. */
type Fitting<Sentence> = [Sentence] extends [never] ? unknown : Sentence extends string ? Sentence : never;

type NoObject<Kind extends string> = `the contract has no ${Kind} here: respond with { status, body }`;
type FitsBody<Row, Body, Header> = [Body] extends [never]
  ? unknown
  : [Body] extends [readonly unknown[]]
    ? NoObject<'object'>
    : [Body] extends [object | null]
      ? Fitting<Misfit<Row, NonNullable<Body>, Header>>
      : NoObject<'object'>;
export type FitsList<Row, Body> = [Body] extends [never]
  ? NoObject<'list of objects'>
  : [Body] extends [readonly (infer Item extends object)[]]
    ? Fitting<Misfit<Row, Item, never>>
    : NoObject<'list of objects'>;

/** The columns of headers that the contract declares. */
type HeaderColumns<Response, Row, Named> = Named & { [Name in keyof HeadersIn<Response>]: keyof Row & string } & {
  [Name in Exclude<keyof Named, keyof HeadersIn<Response>>]: 'the contract declares no such header';
};
/** `headers` is required if the contract requires headers. */
type Options<Response, Row, Named> = Response extends { headers: object }
  ? [options: { missing?: string; headers: HeaderColumns<Response, Row, Named> }]
  : [options?: { missing?: string; headers?: HeaderColumns<Response, Row, Named> }];

type ColumnOf<DB, Table extends keyof DB> = { [Each in Table]: keyof DB[Each] & string }[Table];
/** The columns that are never null, by which pages are sorted. */
type SortableOf<DB, Table extends keyof DB> = {
  [Each in Table]: {
    [Column in keyof DB[Each] & string]: null extends SelectType<DB[Each][Column]> ? never : Column;
  }[keyof DB[Each] & string];
}[Table];

/** A value that a column equals or, for a text, its beginning. */
type FilterBy<Column> =
  | (SelectType<Column> extends infer Value ? (Value extends Date ? Date | string : NonNullable<Value>) : never)
  | (NonNullable<SelectType<Column>> extends string ? { startsWith: string | undefined } : never);
type Filters<DB, Table extends keyof DB> = {
  [Column in ColumnOf<DB, Table>]?:
    | FilterBy<{ [Each in Table]: Column extends keyof DB[Each] ? DB[Each][Column] : never }[Table]>
    | undefined;
};

/** The caller, and functions that make the response of an operation from a query. */
export interface HandlerTools<Response, Who = Caller> {
  readonly caller: Who;

  /**
   * Aborts when the client is gone, after 30 seconds (503), or when the server ends before the response. Pass it to waits for
   * others than the database. If a handler throws its reason, the answer is 503, a `write` is rolled back, and a repetition runs again.
   *
   * @example
   * const rates = await fetch(url, { signal });
   */
  readonly signal: AbortSignal;

  /** Issues an access token of this service, which has `tokens: { issue }`. */
  readonly issue: Issue;

  /** The only row, as the body; 404 if there is none. If the contract has no body, the row only decides between success and 404. */
  row<Row, const Named extends Record<string, string> = Record<never, never>>(
    query: Query<Row> & FitsBody<Row, JsonOf<Response>, Named[keyof Named]>,
    ...options: Options<Response, Row, Named>
  ): QueryResponse;

  /** All rows. Their number should have a limit. */
  rows<Row>(query: Query<Row> & FitsList<Row, JsonOf<Response>>): QueryResponse;
}

/** The function for operations with `limit` and `cursor`. */
export interface Paging<Response> {
  /** The rows of a page, with a `Link` to the next one. */
  page<DB, Table extends keyof DB, Row>(
    query: (SelectQueryBuilder<DB, Table, Row> | Compiled<SelectQueryBuilder<DB, Table, Row>>) &
      FitsList<Row, JsonOf<Response>>,
    options: {
      /**
       * The columns by which the rows are sorted; together, they are unique, and never null. Texts are sorted by code points
       * (`collate "C"`). A client that reads pages misses a row that is added before its place.
       */
      by: SortableOf<DB, Table> | readonly SortableOf<DB, Table>[];
      /** Default: ascending. */
      direction?: 'asc' | 'desc' | undefined;
      /** The values that columns must equal, or the beginning of their text. Undefined does not filter. */
      where?: Filters<DB, Table>;
    },
  ): QueryResponse;
}
