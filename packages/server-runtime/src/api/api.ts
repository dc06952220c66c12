import type { ColumnType, InsertType, SelectType, UpdateType } from 'kysely';
import type { Caller } from '../caller.ts';
import type { ContractTypes, JsonText } from '../contract.ts';

/** The types of a contract and of the tables. */
export interface Api extends ContractTypes {
  tables: object;
}

/** The tables whose rows have owners. */
type TenantsIn<A> = A extends { tenants: infer Owners } ? keyof Owners : never;

/** The tables of an operation. One that is open to everybody has none whose rows have owners. */
export type TablesOf<A extends Api, Id extends keyof A['handlers']> = TimesAsTexts<
  CallerOf<A, Id>['kind'] extends 'anonymous' ? Omit<A['tables'], TenantsIn<A>> : A['tables']
>;

// biome-ignore lint/suspicious/noExplicitAny: the handlers of any contract
type AnyHandler = (request: any, context: any) => Promise<any>;
type HandlerOf<A extends Api, Id extends keyof A['handlers']> = Extract<A['handlers'][Id], AnyHandler>;
export type RequestOf<A extends Api, Id extends keyof A['handlers']> = Parameters<HandlerOf<A, Id>>[0];
export type ResponseOf<A extends Api, Id extends keyof A['handlers']> = Awaited<ReturnType<HandlerOf<A, Id>>>;
/** The body of a response; never without one. */
export type JsonOf<Response> = Response extends { type: string }
  ? never
  : Response extends { body: infer Body }
    ? Exclude<Body, JsonText<unknown>>
    : never;

type BodyOf<Request> = Request extends { body?: infer Body } ? Named<NonNullable<Body>> : unknown;
/** The part of a body with its fields: itself, or its items. A text and bytes have none. */
type Named<Body> = Body extends readonly (infer Item)[]
  ? Named<Item>
  : Body extends Uint8Array
    ? unknown
    : Body extends object
      ? Body
      : unknown;
type QueryOf<Request> = Request extends { query: infer Query } ? Omit<Query, 'limit' | 'cursor'> : unknown;
/** The headers of a request except `Idempotency-Key`, which the platform handles. */
type HeadersOf<Request> = Request extends { headers: infer Headers } ? Omit<Headers, 'idempotency-key'> : unknown;
/** The fields of a request except those of the path, which identify it, and those that the platform handles. */
type FieldsOf<Request> = QueryOf<Request> & HeadersOf<Request> & BodyOf<Request>;

export type CallerOf<A extends Api, Id extends keyof A['handlers']> = Caller<
  A extends { callers: infer Kinds } ? (Id extends keyof Kinds ? Extract<Kinds[Id], Caller['kind']> : 'key') : 'key'
>;

export type IdOf<A extends Api, Name extends string> = Extract<Name, keyof A['handlers']>;
/** The operationIds of unsafe methods (RFC 9110 section 9.2.1). */
export type UnsafeId<A extends Api> = Exclude<keyof A['handlers'] & string, A['safe']>;

/** Refuses headers of a result that the contract does not declare. */
export type NoOtherHeader<Result, Declared> = [OtherHeader<Result, Declared>] extends [never]
  ? unknown
  : `the contract declares no header ${OtherHeader<Result, Declared> & string}`;
type OtherHeader<Result, Declared> = Exclude<HeaderOf<Result>, HeaderOf<Declared>>;
type HeaderOf<Result> = Result extends { headers?: infer Headers } ? keyof NonNullable<Headers> : never;
export type HeadersIn<Result> = Result extends { headers?: infer Headers } ? NonNullable<Headers> : never;

/**
 * Each field of the body, the query and the headers needs `true`, so that a field that the contract gains does not compile until it is
 * named. `limit` and `cursor` are those of `page`.
 */
export type EachFieldNeedsTrue<Request> = { [Field in keyof FieldsOf<Request>]-?: true } & {
  [Field in Exclude<PagedOf<Request>, keyof FieldsOf<Request>>]?: 'leave it out: `limit` and `cursor` are not named';
};
type PagedOf<Request> = Request extends { query: infer Query } ? Extract<keyof Query, 'limit' | 'cursor'> : never;

/** An operation whose request has no such fields. The compiler prints those of another one. */
export type Fieldless<A extends Api, Id extends keyof A['handlers']> = Id &
  ([keyof FieldsOf<RequestOf<A, Id>>] extends [never]
    ? unknown
    : { 'name the fields, each with true, before the handler': keyof FieldsOf<RequestOf<A, Id>> });

/** Tables whose times are also given as texts, as in requests: a `Date` would lose microseconds. */
export type TimesAsTexts<Tables> = {
  [Table in keyof Tables]: { [Column in keyof Tables[Table]]: TimeAsText<Tables[Table][Column]> };
};
type TimeAsText<Column> = [Exclude<SelectType<Column>, null>, InsertType<Column>] extends [Date, infer Insert]
  ? [Insert] extends [never]
    ? Column
    : ColumnType<SelectType<Column>, Insert | string, UpdateType<Column> | string>
  : Column;
