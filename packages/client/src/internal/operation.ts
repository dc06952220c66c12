/** A row of the generated table: how an operation is sent. A flag that is absent is false. */
export interface Operation {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'OPTIONS' | 'HEAD' | 'PATCH' | 'TRACE';
  readonly path: string;
  readonly parameters?: { readonly [name: string]: 'path' | 'query' };
  readonly body?: 'required' | 'optional';
  /** The JSON type of a success; absent when it has no body. */
  readonly result?: 'array' | 'object';
  /** Has a `cursor` query parameter and a `Link` response header. */
  readonly pages?: boolean;
  /** Has an `Idempotency-Key` header parameter. */
  readonly idempotencyKey?: boolean;
  readonly stability?: 'experimental' | 'beta';
}

export type OperationTable = { readonly [name: string]: Operation };
