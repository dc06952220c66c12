import type { Oas3Rule, UserContext } from '@redocly/openapi-core';
import type { Document } from '../contract.ts';

const LIMITS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit-Policy', 'RateLimit'];

const HEADERS = { '401': [...LIMITS, 'WWW-Authenticate'], '429': [...LIMITS, 'Retry-After'] };

/** Authentication and the rate limit apply to every operation: each declares 401 and 429, with Error and the headers. */
export const operationAuthAndRateLimitResponses: Oas3Rule = () => {
  let errorSchema: unknown;
  // Operations share responses; the problems of a response are reported once.
  const checked = { '401': new Set<unknown>(), '429': new Set<unknown>() };

  function check(status: keyof typeof HEADERS, responses: Document, { report, resolve, location }: UserContext) {
    const declared = responses?.[status];
    if (!declared) {
      const message = `Declare the ${status} response: every operation can answer it.`;
      report({ message, location: location.child('responses').key() });
      return;
    }
    const { node, location: target } = resolve<Document>(declared);
    // For what is no `$ref`, Redocly returns the place of the operation.
    const at = node === declared ? location.child(['responses', status]) : target;
    // Without a place, the `$ref` leads nowhere, which Redocly reports.
    if (at === undefined || checked[status].has(node)) return;
    checked[status].add(node);

    const names = Object.keys(node.headers ?? {}).map((name) => name.toLowerCase());
    const missing = HEADERS[status].filter((name) => !names.includes(name.toLowerCase()));
    if (missing.length > 0) {
      const message = `Declare the headers that the ${status} response lacks: ${missing.join(', ')}.`;
      report({ message, location: at.child('headers').key() });
    }
    const schema = node.content?.['application/json']?.schema;
    if (!schema || resolve(schema, at.source.absoluteRef).node !== errorSchema) {
      const message = `Give the application/json of the ${status} response the schema \`#/components/schemas/Error\`.`;
      report({ message, location: at.child('content').key() });
    }
  }

  return {
    Root({ components }, { resolve }) {
      errorSchema = resolve(components?.schemas?.Error as Document).node;
    },
    Operation({ responses }, context) {
      check('401', responses, context);
      check('429', responses, context);
    },
  };
};
