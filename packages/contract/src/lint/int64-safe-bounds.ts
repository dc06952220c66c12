import type { Oas3Rule, UserContext } from '@redocly/openapi-core';
import type { Document } from '../contract.ts';

/** Requires int64 bounds within ±(2^53 − 1): JSON clients round larger integers silently (RFC 7493, section 2.2). */
export const int64SafeBounds: Oas3Rule = () => ({
  Schema: (schema, context) => check(schema, schema, context),
  // In OpenAPI 3.1, a `$ref` may carry further keywords.
  ref: (reference, context) => check(reference, { ...context.resolve(reference).node, ...reference }, context),
});

/** @param schema - `node`, merged with the target of its `$ref` */
function check(node: Document, schema: Document, { report, location }: UserContext): void {
  if (node.format !== 'int64') return;
  const [least, most] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  for (const bound of ['minimum', 'maximum']) {
    if (schema[bound] >= least && schema[bound] <= most) continue;
    const message = `An int64 needs a \`${bound}\` from ${least} to ${most}: JSON clients round other integers.`;
    report({ message, location: location.child(schema[bound] === undefined ? 'format' : bound) });
  }
}
