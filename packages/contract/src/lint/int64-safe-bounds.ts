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
  const missing = ['minimum', 'maximum'].filter((bound) => typeof schema[bound] !== 'number');
  if (missing.length > 0) {
    const bounds = missing.map((bound) => `\`${bound}\``).join(' and ');
    const exact = `${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;
    const message = `An int64 needs ${bounds}: JSON clients read integers exactly only from ${exact}.`;
    report({ message, location: location.child('format') });
  }
  if (schema.minimum < Number.MIN_SAFE_INTEGER) {
    const message = `The \`minimum\` of an int64 must be ${Number.MIN_SAFE_INTEGER} or more: JSON clients round smaller integers.`;
    report({ message, location: location.child('minimum') });
  }
  if (schema.maximum > Number.MAX_SAFE_INTEGER) {
    const message = `The \`maximum\` of an int64 must be ${Number.MAX_SAFE_INTEGER} or less: JSON clients round larger integers.`;
    report({ message, location: location.child('maximum') });
  }
}
