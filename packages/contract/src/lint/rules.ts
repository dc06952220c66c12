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
      const linked = parametersOf(operation, context).filter((each) => /^(query|path)$/.test(each.in));
      operations.push({ operation, context, linked: linked.map(({ name }) => name) });
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

/** The parameters of an operation and its path, without `$ref`. */
function parametersOf(operation: Document, { parent, resolve }: UserContext): Document[] {
  const parameters = [parent?.parameters, operation.parameters].flat();
  return parameters.map((each) => resolve(each).node).filter(Boolean);
}

const isIdempotencyKey = ({ in: place, name }: Document) => place === 'header' && /^idempotency-key$/i.test(name);

/** The responses that an operation can give, by what it has. A path parameter that is invalid names nothing: 404. */
const RESPONSES: Record<string, string[]> = {
  'every operation': ['401', '429', '500', '503', 'default'],
  'an operation with a query parameter': ['400'],
  'an operation with a header parameter': ['400'],
  'an operation with a path parameter': ['404'],
  'an operation with a body': ['400', '413', '415'],
  'an operation with an `Idempotency-Key`': ['409', '422'],
};

/** An operation declares each response of {@link RESPONSES}. */
export const responses: Oas3Rule = () => ({
  Operation(operation: Document, context) {
    const parameters = parametersOf(operation, context);
    const owners = ['every operation', ...parameters.map((each) => `an operation with a ${each.in} parameter`)];
    if (operation.requestBody) owners.push('an operation with a body');
    if (parameters.some(isIdempotencyKey)) owners.push('an operation with an `Idempotency-Key`');
    const needed = owners.flatMap((owner) => RESPONSES[owner]?.map((status) => [status, owner] as const) ?? []);
    const { node: declared } = context.resolve(operation.responses);
    for (const [status, owner] of declared ? new Map(needed) : []) {
      const message = `Declare the ${status} response: ${owner} can give it.`;
      if (!declared[status]) context.report({ message, location: context.location.child('responses').key() });
    }
  },
});

/** A POST or PATCH can be repeated safely, or says why not. */
export const idempotency: Oas3Rule = () => ({
  Operation(operation: Document, context) {
    const { key: method, location, report } = context;
    const isIdempotent = parametersOf(operation, context).some(isIdempotencyKey);
    const isExcused = operation['x-not-idempotent'] !== undefined;
    if (/^(post|patch)$/.test(`${method}`) && isIdempotent === isExcused) {
      const message =
        'Declare `Idempotency-Key`, so that a request can be repeated, or the reason in `x-not-idempotent`.';
      report({ message, location: location.key() });
    } else if (isIdempotent && !/^(post|patch|put|delete)$/.test(`${method}`))
      report({ message: 'Remove `Idempotency-Key`: the method changes nothing.', location: location.key() });
  },
});

/** Property names have one spelling: `categoryId` and `category_id` would be mistaken for each other. */
export const propertyNames: Oas3Rule = () => {
  const spellings = new Map<string, string>();
  return {
    SchemaProperties(properties: object, { location, report }) {
      for (const name of Object.keys(properties ?? {})) {
        const letters = name.replace(/[\s._-]/g, '').toLowerCase();
        const first = spellings.get(letters) ?? name;
        spellings.set(letters, first);
        const message = `Use one spelling in the whole contract: \`${name}\` differs from \`${first}\` only in case or separators.`;
        if (first !== name) report({ message, location: location.child(name).key() });
      }
    },
  };
};

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
