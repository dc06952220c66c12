/** The platform's additions to an operation, by its facts. */
import { type Any, type Document, resolve, schemeOf } from '@petstore-platform/openapi';
import { mediaOf } from './media.ts';
import { credentialOf, isEmpty, requirementsIn } from './security.ts';

export interface Rule {
  if: keyof ReturnType<typeof factsOf>;
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

/** The methods that change nothing (RFC 9110, section 9.2.1). */
export const SAFE = ['get', 'head', 'options'];

/** The facts of an operation by which rules apply to it. @param has - whether it has a parameter */
export function factsOf(
  root: Document,
  operation: Any,
  method: string,
  has: (place: string, name?: string) => boolean,
) {
  const body = resolve(root, mediaOf<Any>(resolve(root, operation.responses['200'])?.content)[1]?.schema);
  const changes = ['post', 'patch', 'delete'].includes(method) && operation['x-not-idempotent'] === undefined;
  const security = requirementsIn(operation.security ?? root.security);
  const isCookie = (name: string) => credentialOf(schemeOf(root, name))?.in === 'cookie';
  return {
    list: method === 'get' && body?.type === 'array' && has('query', 'limit'),
    changes,
    announced: operation.deprecated === true && operation['x-deprecated-at'] !== undefined,
    ending: operation.deprecated === true && operation['x-sunset'] !== undefined,
    replaced: operation.deprecated === true && operation['x-replaced-by'] !== undefined,
    query: has('query'),
    header: has('header') || changes,
    path: has('path'),
    body: operation.requestBody !== undefined,
    idempotent: changes || has('header', 'Idempotency-Key'),
    secured: security.some((one) => !isEmpty(one)),
    refusing: security.some(
      (one) =>
        Object.keys(one).length > 1 ||
        Object.values(one).flat().length > 0 ||
        (!SAFE.includes(method) && Object.keys(one).some(isCookie)),
    ),
    any: true,
  };
}
