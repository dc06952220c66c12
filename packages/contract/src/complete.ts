/** Adds to a contract what the platform does for every operation, from platform.yaml, before it is linted or bundled. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Oas3Preprocessor, UserContext } from '@redocly/openapi-core';
import { parse } from 'yaml';

const PLATFORM = path.resolve(import.meta.dirname, '../platform.yaml');

// biome-ignore lint/suspicious/noExplicitAny: what the document has in each place is checked by the rules, which run after this.
type Any = any;

const LIMITS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit-Policy', 'RateLimit'];

type Facts = Record<'query' | 'header' | 'path' | 'body' | 'idempotent', boolean>;

/** Each response with the operations that can give it. */
const RESPONSES: [status: string, name: string, given: (facts: Facts) => boolean][] = [
  ['400', 'BadRequest', ({ query, header, body }) => query || header || body],
  ['401', 'Unauthorized', () => true],
  ['404', 'NotFound', ({ path }) => path],
  ['409', 'IdempotencyKeyInUse', ({ idempotent }) => idempotent],
  ['413', 'ContentTooLarge', ({ body }) => body],
  ['415', 'UnsupportedMediaType', ({ body }) => body],
  ['422', 'IdempotencyKeyReused', ({ idempotent }) => idempotent],
  ['429', 'TooManyRequests', () => true],
  ['500', 'InternalServerError', () => true],
  ['503', 'ServiceUnavailable', () => true],
  ['default', 'OtherFailure', () => true],
];

/**
 * What a contract declares itself is kept. The platform's components are copied into the document as far as something refers to
 * them, so that a contract may have its own of the same name. What a preprocessor adds has the place of what it is added to.
 */
export const complete: Oas3Preprocessor = () => ({
  Root: {
    enter(node, context: UserContext) {
      const root: Any = node;
      const platform: Any = parse(readFileSync(PLATFORM, 'utf8'));
      root['x-rate-limit-plans'] ??= platform['x-rate-limit-plans'];
      /** The reference to a component, which is copied with all that it refers to. */
      const ref = (kind: string, name: string) => {
        root.components ??= {};
        root.components[kind] ??= {};
        const $ref = `#/components/${kind}/${name}`;
        if (root.components[kind][name]) return { $ref };
        const component = platform.components[kind][name];
        root.components[kind][name] = component;
        for (const [, ...keys] of JSON.stringify(component).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g))
          ref(...(keys as [string, string]));
        return { $ref };
      };
      if (!root.security) {
        root.security = [{ bearerAuth: [] }];
        ref('securitySchemes', 'bearerAuth');
      }
      const at = (value: Any): Any => (value ? context.resolve(value).node : undefined);
      const file = context.location.source.absoluteRef;
      for (const item of Object.values<Any>(root.paths ?? {})) {
        const { node: path, location } = context.resolve<Any>(item);
        // Of a path in another file, references lead back to this one.
        const back = location && location.source.absoluteRef !== file ? file : '';
        const from: Ref = (kind, name) => ({ $ref: back + ref(kind, name).$ref });
        for (const [method, operation] of Object.entries<Any>(Object(path)))
          if (operation?.responses) completeOperation(path, method, operation, at, from);
      }
    },
  },
});

type Ref = (kind: string, name: string) => { $ref: string };

function completeOperation(item: Any, method: string, operation: Any, at: (value: Any) => Any, ref: Ref): void {
  const responses = at(operation.responses);
  const own = [...(operation.parameters ?? [])];
  const parameters = () => [...(item.parameters ?? []), ...own].flatMap((each) => at(each) ?? []);
  const has = (place: string, name?: string) =>
    parameters().some((each) => each.in === place && (!name || each.name?.toLowerCase() === name));
  const success = at(at(responses['200'])?.content?.['application/json']?.schema);
  const isList = method === 'get' && success?.type === 'array' && has('query', 'limit');
  if (isList && !has('query', 'cursor')) own.push(ref('parameters', 'Cursor'));
  const changes = /^(post|patch|delete)$/.test(method) && operation['x-not-idempotent'] === undefined;
  if (changes && !has('header', 'idempotency-key')) own.push(ref('parameters', 'IdempotencyKey'));
  if (own.length > 0) operation.parameters = own;

  const headers = [
    ...(operation.deprecated ? ['Deprecation', 'Sunset', 'Link'] : []),
    ...(isList ? ['Link'] : []),
    ...LIMITS,
  ];
  for (const [status, response] of Object.entries<Any>(Object(responses))) {
    if (!/^2/.test(status) || !response || response.$ref) continue;
    const known = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
    const added = headers.filter((name) => !known.includes(name.toLowerCase()));
    if (added.length > 0)
      response.headers = {
        ...response.headers,
        ...Object.fromEntries(added.map((name) => [name, ref('headers', name)])),
      };
  }
  const facts: Facts = {
    query: has('query'),
    header: has('header') || changes,
    path: has('path'),
    body: operation.requestBody !== undefined,
    idempotent: changes || has('header', 'idempotency-key'),
  };
  for (const [status, name, given] of RESPONSES)
    if (given(facts) && !(status in responses)) responses[status] = ref('responses', name);
}
