import type { FieldError, Operation as ValidatedOperation } from '@petstore-platform/openapi-validation';
import type { Caller, Issue, Security } from './caller.ts';
import type { ErrorCode } from './codes.ts';

export type { FieldError, Parameter } from '@petstore-platform/openapi-validation';

declare const parsed: unique symbol;

/** A `Value` as JSON, sent unchanged. */
export type JsonText<Value> = string & { readonly [parsed]: Value };

/** A validated body: fields with a default are never absent. */
export type WithDefaults<Body, Field extends keyof Body> = Body & {
  [Name in Field]-?: Exclude<Body[Name], undefined>;
};

/** A validated form: its files are in memory. */
export type WithFiles<Body, Names extends string> = Body extends unknown
  ? { [Name in keyof Body]: Name extends Names ? FileOf<Body[Name]> : Body[Name] }
  : never;
type FileOf<Value> = Value extends string ? File : Value extends readonly unknown[] ? File[] : Value;

/** An event of a `text/event-stream`. */
export interface ServerEvent<Data = unknown> {
  /** The client sends the last one as `Last-Event-ID` when it connects again. */
  id?: string;
  /** Its type. Default: `message`. */
  event?: string;
  /** A string is sent as it is, any other value as JSON. */
  data: Data;
}
export type Events<Data = unknown> = AsyncIterable<ServerEvent<Data>>;

/** A request as the runtime gives it to an operation. */
export interface RequestContext {
  /** The path of the operation with its base path, as in `/v1/notes`. */
  path: string;
  /** The target of the request. Undefined: it is equal to no other. */
  url?: string | undefined;
  caller: Caller;
  /** Fingerprint of a request with an `Idempotency-Key`: see `fingerprintOf`. */
  fingerprint: string | undefined;
  /** Has the signal that aborts when nobody needs the response any more. Undefined: it never does. */
  state?: { readonly signal: AbortSignal; readonly issue?: Issue | undefined };
}

export interface ErrorBody {
  code: ErrorCode;
  message: string;
  status: number;
  /** The values that fail: at most twenty. */
  errors?: FieldError[];
}

/** A failure, of which a service makes the body that its contract describes. */
export interface Failure extends ErrorBody {
  /** The `X-Request-Id` of the response. */
  requestId: string;
  /** The operationId. Undefined for a failure outside of all operations, such as that of an unknown path. */
  operation: string | undefined;
}

/** An operation of a contract: what is needed to route, validate and answer its requests. */
export interface Operation extends ValidatedOperation {
  id: string;
  /** In upper case. */
  method: string;
  /** The base path, and the template as it is written. */
  path: string;
  /** Absent: it takes none. The schema is closed: an unknown field is refused. */
  body?: NonNullable<ValidatedOperation['body']> & {
    /** Default: `application/json`. */
    media?: Media;
    /** The most bytes. Default: 64 KiB. */
    max?: number;
    /** The fields of a form that are files, by name. */
    files?: Readonly<Record<string, FilePart>>;
  };
  /** The status of a request that does not fit. Absent: 400. */
  invalid?: number;
  /** Absent: an API key as a bearer. */
  security?: Security;
  /**
   * The first that says success. Without `fields`, it has no body. `media` has the media types by status, where these are others than
   * `application/json`: the first one is sent, unless the client asks for another. `texts` has the statuses whose JSON may be a text.
   */
  response: {
    status: number;
    fields?: Fields;
    media?: Readonly<Record<string, readonly Media[]>>;
    texts?: readonly number[];
  };
  announcement: { Deprecation?: string; Sunset?: string; Link?: string };
}

/** A media type without parameters, and how its bodies are read and written. `parts`: `multipart/form-data`; `events`: `text/event-stream`. */
export interface Media {
  type: string;
  kind: 'json' | 'form' | 'parts' | 'text' | 'bytes' | 'events';
}

/** The media of a body for which an operation names none. */
export const JSON_BODY: Media = { type: 'application/json', kind: 'json' };

export interface FilePart {
  required?: boolean;
  /** The most bytes. */
  max?: number;
  /** The media types, or ranges as `image/*`. Absent: any. */
  types?: readonly string[];
  /** The field may be repeated, within these bounds. */
  many?: { min?: number; max?: number };
}

/** The fields of the object in a body, or of each in its list, by name. */
export type Fields = Readonly<Record<string, Field>>;

export interface Field {
  required: boolean;
  /** The JSON type besides null, if there is only one. */
  type?: string;
  format?: string;
  enum?: readonly unknown[];
  /** Whether it may be null. */
  nullable?: boolean;
}

/** JSON Schema 2020-12. A `$ref` is `#/schemas/<name>` of the contract. */
type Schema = object | boolean;

/** Requests per UTC minute and per UTC day. Null: the number is stored with the key. */
export interface PlanLimits {
  readonly perMinute: number | null;
  readonly perDay: number | null;
}

/** An OpenAPI document, as far as it is read. */
export interface Document {
  info: { title: string; version: string };
  servers?: { url: string }[];
}

/** The types that the generator writes for a contract. */
export interface ContractTypes {
  /** The handlers by operationId, each `(request, context) => Promise<response>`. */
  handlers: object;
  /** The resources by name. */
  schemas: object;
  /** The operationIds of safe methods (RFC 9110 section 9.2.1). */
  safe: string;
  plan: string;
  /** The bodies of failures. Absent: the platform's Error. */
  failure?: unknown;
  /** The kinds of callers by operationId, of operations that take more, or less, than an API key. */
  callers?: object;
}

/** A contract as the generator writes it: one value, which carries its types. */
export interface Contract<Types extends ContractTypes = ContractTypes> {
  /** The path that all operations share. */
  basePath: string;
  operations: Readonly<Record<string, Operation>>;
  /** The schemas to which those of the operations refer, by name. */
  schemas: Readonly<Record<string, Schema>>;
  /** The headers of all responses, which scripts of other origins may read. */
  responseHeaders: readonly string[];
  /** The published document. Requests are served by `operations`. */
  document: Document;
  /** The document of the reference page, as JSON. */
  reference: string;
  plans: Readonly<Record<Types['plan'], PlanLimits>>;
  /** The failures of a contract that has a body of its own for them. */
  failures?: {
    type: string;
    /** The JSON pointer of the code in a body. Without it, a header has the code. */
    code?: string;
    /** The schemas by operationId and status. */
    bodies: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
  };
  /** Never set: it only carries the types. */
  readonly types?: Types;
}

/** The methods that change nothing (RFC 9110, section 9.2.1). */
export const SAFE = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];

/** The credentials of all operations that do not take the usual one. */
export const credentialsOf = (operations: Contract['operations']) =>
  Object.values(operations).flatMap(({ security = [] }) => security.flat());
