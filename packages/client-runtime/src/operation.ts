import type { IdempotentCallOptions } from './options.ts';

/** A row of the generated table, which says how an operation is sent. An absent flag is false. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters?: { readonly [name: string]: 'path' | 'query' | 'header' | 'cookie' };
  /** How the lists and objects among the parameters are written. Absent for a list whose query parameter is repeated. */
  readonly styles?: { readonly [name: string]: Style };
  /** The same of the fields of a url-encoded form. Absent for JSON. */
  readonly fields?: { readonly [name: string]: Style };
  readonly body?: 'required' | 'optional';
  /** The media type of the body, if it is not `application/json`. */
  readonly type?: string;
  /**
   * The JSON type of a success, `'text'` or `'blob'` if it is not JSON, `'location'` of a redirection, `'any'` for another type or several;
   * absent when it has no body.
   */
  readonly result?: 'array' | 'object' | 'text' | 'blob' | 'location' | 'any';
  /** The media types of a success, the first as the default, and how each is read. Absent when there is only `application/json`. */
  readonly accept?: { readonly [media: string]: 'json' | 'text' | 'blob' };
  /** How the data of events are read, in a stream of these: `'any'` is JSON if it can be. */
  readonly events?: 'json' | 'text' | 'any';
  /** Names of options that other calls do not have. */
  readonly options?: { readonly [name: string]: true };
  /** Whether a 404 is a failure of the operation. Otherwise only a wrong address has one. */
  readonly notFound?: boolean;
  /** Whether the operation has a `cursor` query parameter and a `Link` response header. */
  readonly pages?: boolean;
  /**
   * Whether the operation has an `Idempotency-Key` header parameter. It is `'given'` for an operation that is not in the table, and then
   * sent only if the caller gives one.
   */
  readonly idempotencyKey?: true | 'given';
  readonly stability?: 'experimental' | 'beta';
}

/** The style of a parameter: OpenAPI 3.2.0, "Style Examples". */
export interface Style {
  readonly style: 'form' | 'simple' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject';
  readonly explode: boolean;
  readonly of: 'list' | 'object';
}

/** Parameters by their place. */
export type Params = {
  readonly [place in 'path' | 'query' | 'header' | 'cookie']?: { readonly [name: string]: unknown };
};
/** The options of openapi-fetch and of a call. Others are members of `RequestInit` or its extensions, such as `cache`. */
export interface Init extends Omit<IdempotentCallOptions, 'headers'> {
  readonly params?: Params;
  /** The parameters of the caller, where `params` has their texts. */
  readonly values?: Params;
  readonly headers?: unknown;
  readonly fetch?: (request: Request) => Promise<Response>;
  readonly parseAs?: string;
  /** Changes how a call sends its body and reads that of its response: see `./files`. */
  flow?(call: object): void;
  readonly [option: string]: unknown;
}
