/** The platform's additions to an operation, by its facts. */

export type Facts = Record<
  | 'query'
  | 'header'
  | 'path'
  | 'body'
  | 'changes'
  | 'idempotent'
  | 'list'
  | 'announced'
  | 'ending'
  | 'replaced'
  | 'secured'
  | 'refusing'
  | 'any',
  boolean
>;

export interface Rule {
  if: keyof Facts;
  /** The operations to which the rule applies, as the table in openapi/README.md names them. */
  to: string;
  parameters?: string[];
  /** Headers of successful responses. The platform's responses have those of failures. */
  headers?: string[];
  responses?: Record<string, string>;
}

/** The components that the platform adds to an operation. */
export const RULES: Rule[] = [
  {
    if: 'list',
    to: 'a `GET` with an array as 200 and the query parameter `limit`',
    parameters: ['Cursor'],
    headers: ['Link'],
  },
  { if: 'changes', to: 'a `POST`, `PATCH` or `DELETE` without `x-not-idempotent`', parameters: ['IdempotencyKey'] },
  { if: 'announced', to: 'a deprecated one with `x-deprecated-at`', headers: ['Deprecation'] },
  { if: 'ending', to: 'a deprecated one with `x-sunset`', headers: ['Sunset'] },
  { if: 'replaced', to: 'a deprecated one with `x-replaced-by`', headers: ['Link'] },
  { if: 'query', to: 'one with a query parameter', responses: { '400': 'BadRequest' } },
  { if: 'header', to: 'one with a header parameter', responses: { '400': 'BadRequest' } },
  { if: 'path', to: 'one with a path parameter', responses: { '404': 'NotFound' } },
  {
    if: 'body',
    to: 'one with a body',
    responses: { '400': 'BadRequest', '413': 'ContentTooLarge', '415': 'UnsupportedMediaType' },
  },
  {
    if: 'idempotent',
    to: 'one with an `Idempotency-Key`',
    responses: { '409': 'IdempotencyKeyInUse', '422': 'IdempotencyKeyReused' },
  },
  { if: 'secured', to: 'one that takes credentials', responses: { '401': 'Unauthorized' } },
  {
    if: 'refusing',
    to: 'one with scopes, with several credentials at once, or that changes by a cookie',
    responses: { '403': 'Forbidden' },
  },
  {
    if: 'any',
    to: 'every operation',
    headers: ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit-Policy', 'RateLimit'],
    responses: {
      '429': 'TooManyRequests',
      '500': 'InternalServerError',
      '503': 'ServiceUnavailable',
      default: 'OtherFailure',
    },
  },
];
