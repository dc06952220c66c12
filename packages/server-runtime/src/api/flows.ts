import type { Readable } from 'node:stream';
import type { SelectQueryBuilder, Transaction } from 'kysely';
import type { ReadonlyKysely } from 'kysely/readonly';
import type { Events, JsonText } from '../contract.ts';
import type { FileStream } from '../http/multipart.ts';
import type {
  Api,
  CallerOf,
  EachFieldNeedsTrue,
  Fieldless,
  NoOtherHeader,
  RequestOf,
  ResponseOf,
  TablesOf,
} from './api.ts';
import type { EventsOptions } from './events.ts';
import type { Implementation } from './handler.ts';
import type { FitsList, HandlerTools, QueryResponse } from './query-response.ts';
import type { ByteStream } from './response-body.ts';
import type { WriteOptions } from './write.ts';

type WithoutFiles<Body> = Body extends object
  ? { [Name in keyof Body as IsFile<Body[Name]> extends true ? never : Name]: Body[Name] }
  : Body;
type IsFile<Value> = [NonNullable<Value>] extends [never]
  ? false
  : [NonNullable<Value>] extends [File | File[]]
    ? true
    : false;
type FilesOf<Body> = { [Name in keyof Body]-?: IsFile<Body[Name]> extends true ? Name : never }[keyof Body] & string;

/** A request whose body flows: bytes and texts as a stream, and the files of a form one after the other. */
type Streamed<Request> = Request extends { body?: infer Body }
  ? [NonNullable<Body>] extends [Uint8Array | string]
    ? Omit<Request, 'body'> & (Request extends { body: unknown } ? { body: Readable } : { body?: Readable })
    : Omit<Request, 'body'> & { body: WithoutFiles<Body> } & ([FilesOf<NonNullable<Body>>] extends [never]
          ? unknown
          : { files: AsyncIterable<FileStream<FilesOf<NonNullable<Body>>>> })
  : Request;

/** A response whose body, unless it is JSON, may flow. */
type Flowing<Response> = Response extends { body: infer Body }
  ? [Extract<Body, JsonText<never>>] extends [never]
    ? Omit<Response, 'body'> & { body: Body | ByteStream }
    : Response
  : Response;

type Streaming<A extends Api, Id extends keyof A['handlers'], Result> = (
  request: Streamed<RequestOf<A, Id>>,
  db: ReadonlyKysely<TablesOf<A, Id>>,
  context: Pick<HandlerTools<never, CallerOf<A, Id>>, 'caller' | 'signal' | 'issue'> & {
    /**
     * Changes the database as a `write` does, once for each `Idempotency-Key`. The body is read to its end before, as the key covers it.
     * A repetition reads its body, too, and gets the first response.
     */
    write(
      run: (
        db: Transaction<TablesOf<A, Id>>,
        tools: HandlerTools<ResponseOf<A, Id>, CallerOf<A, Id>>,
      ) => QueryResponse | Promise<QueryResponse | ResponseOf<A, Id>>,
    ): Promise<ResponseOf<A, Id>>;
  },
) => Promise<Result & NoOtherHeader<Result, ResponseOf<A, Id>>>;

/** The operations that answer with events, and the type of their data. */
type EventsId<A extends Api> = {
  [Id in keyof A['handlers']]: Extract<ResponseOf<A, Id>, { body: Events }> extends never ? never : Id;
}[keyof A['handlers']] &
  string;
type DataOf<Response> = Response extends { body: Events<infer Data> } ? Data : never;

/** The columns are those of the data, unless this is any text. */
type FitsEvent<Row, Data> = [string] extends [Data] ? unknown : FitsList<Row, Data[]>;

type Watching<A extends Api, Id extends keyof A['handlers']> = (
  request: RequestOf<A, Id>,
  db: ReadonlyKysely<TablesOf<A, Id>>,
  context: Pick<HandlerTools<never, CallerOf<A, Id>>, 'caller' | 'signal'> & {
    /** The id of the last event that the client has received. `rows` continues after it by itself. */
    readonly lastEventId: string | undefined;
    /**
     * Each row as an event, in the order of a column, whose value is the id of the event. The query leaves order and limit open. It runs
     * again each second, for all listeners in one statement, as long as these read.
     */
    rows<DB, Table extends keyof DB, Row>(
      query: SelectQueryBuilder<DB, Table, Row> & FitsEvent<Row, DataOf<ResponseOf<A, Id>>>,
      options?: {
        /** An integer that is never null, and grows in the order in which rows become visible. Default: `id`. */
        by?: { [Each in Table]: keyof DB[Each] & string }[Table];
      },
    ): QueryResponse;
  },
) => QueryResponse | Events<DataOf<ResponseOf<A, Id>>>;

/** How operations are written whose bodies flow. */
export interface Flows<A extends Api> {
  /**
   * An event stream: a query, or a generator where none will do. A client that connects again continues after its last event, if the id
   * of that is given. Streams end when the server drains, and have a limit by caller (429).
   */
  events<const Id extends EventsId<A>>(
    operation: Fieldless<A, Id>,
    run: Watching<A, Id>,
    options?: EventsOptions,
  ): Implementation<Id>;
  events<const Id extends EventsId<A>>(
    operation: Id,
    uses: EachFieldNeedsTrue<RequestOf<A, Id>>,
    run: Watching<A, Id>,
    options?: EventsOptions,
  ): Implementation<Id>;

  /**
   * An operation whose body, or response, flows while the client sends or reads it. No transaction is open meanwhile. The caller ends
   * slow clients, and a failure after the first byte of a response ends its connection.
   */
  stream<const Id extends keyof A['handlers'] & string, Result extends Flowing<ResponseOf<A, Id>>>(
    operation: Fieldless<A, Id>,
    run: Streaming<A, Id, Result>,
    options?: WriteOptions<RequestOf<A, Id>>,
  ): Implementation<Id>;
  stream<const Id extends keyof A['handlers'] & string, Result extends Flowing<ResponseOf<A, Id>>>(
    operation: Id,
    uses: EachFieldNeedsTrue<RequestOf<A, Id>>,
    run: Streaming<A, Id, Result>,
    options?: WriteOptions<RequestOf<A, Id>>,
  ): Implementation<Id>;
}
