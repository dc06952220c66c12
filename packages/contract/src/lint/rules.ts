import type { Oas3Rule, UserContext } from '@redocly/openapi-core';
import type { Document } from '../contract.ts';

interface Declared {
  operation: Document;
  context: UserContext;
  /** Parameters that a link to the operation can have. */
  linked: string[];
}

/** A sunset is later than the deprecation, and an operation that stays can replace the deprecated one. */
export const deprecation: Oas3Rule = () => {
  const operations: Declared[] = [];
  return {
    Operation(operation: Document, context) {
      const parameters = [context.parent?.parameters, operation.parameters].flat();
      const resolved = parameters.map((each): Document => context.resolve(each).node);
      const linked = resolved.filter((each) => /^(query|path)$/.test(each?.in)).map(({ name }) => name);
      operations.push({ operation, context, linked });
    },
    Root: {
      // All operations are known.
      leave() {
        const byId = new Map(operations.map((declared) => [declared.operation.operationId, declared]));
        for (const { operation, context } of operations)
          for (const [keys, message] of operation.deprecated === true ? problemsOf(operation, byId) : [])
            context.report({ message, location: context.location.child(keys) });
      },
    },
  };
};

/** The problems of a deprecated operation, with their location in it. */
function* problemsOf(operation: Document, byId: Map<string, Declared>): Generator<[keys: string[], message: string]> {
  const { 'x-deprecated-at': start, 'x-sunset': end, 'x-replaced-by': replacedBy } = operation;
  // ISO dates sort as text.
  if (end <= start)
    yield [['x-sunset'], '`x-sunset` must be later than `x-deprecated-at`: clients need time to migrate.'];
  const { operationId, parameters } = replacedBy ?? {};
  if (operationId === undefined) return;
  const successor = byId.get(operationId);
  const at = ['x-replaced-by', 'operationId'];
  if (successor === undefined) yield [at, `\`${operationId}\` is not an operation of this contract.`];
  else if (successor.operation.deprecated === true)
    yield [at, `\`${operationId}\` cannot replace the operation: it is deprecated itself.`];
  else
    for (const name of Object.keys(parameters ?? {}))
      if (!successor.linked.includes(name))
        yield [['x-replaced-by', 'parameters', name], `\`${operationId}\` has no query or path parameter \`${name}\`.`];
}

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
