import type { Oas3Operation, Oas3Parameter, Oas3Rule, Referenced, UserContext } from '@redocly/openapi-core';
import { type Extensions, lettersOf } from '../contract.ts';
import { isIdempotencyKey } from '../generate/client.ts';

type Marked = Oas3Operation & Extensions;

/** A sunset is later than the deprecation, and an operation that stays can replace the deprecated one. */
export const deprecation: Oas3Rule = () => {
  const operations = new Map<unknown, { operation: Marked; context: UserContext; parameters: Oas3Parameter[] }>();
  return {
    Operation(operation: Marked, context) {
      operations.set(operation.operationId, { operation, context, parameters: parametersOf(operation, context) });
    },
    Root: {
      leave() {
        for (const { operation, context } of operations.values()) {
          const { deprecated, 'x-deprecated-at': start, 'x-sunset': end, 'x-replaced-by': replacedBy } = operation;
          const { operationId, parameters } = replacedBy ?? {};
          const successor = operations.get(operationId);
          const tell = (keys: string[], message: string) =>
            deprecated === true && context.report({ message, location: context.location.child(keys) });
          // ISO dates sort as text.
          if (start && end && end <= start)
            tell(['x-sunset'], '`x-sunset` must be later than `x-deprecated-at`: clients need time.');
          const isGone = `\`${operationId}\` is deprecated itself, or no operation of this contract.`;
          if (operationId !== undefined && (!successor || successor.operation.deprecated === true))
            tell(['x-replaced-by', 'operationId'], isGone);
          const linked = successor?.parameters.flatMap((one) => (/^(query|path)$/.test(`${one.in}`) ? one.name : []));
          for (const name of Object.keys(parameters ?? {}).filter((each) => linked?.includes(each) === false))
            tell(['x-replaced-by', 'parameters', name], `\`${operationId}\` has no such query or path parameter.`);
        }
      },
    },
  };
};

/** The parameters of an operation and its path, without `$ref`. */
function parametersOf(operation: Marked, { parent, resolve }: UserContext): Oas3Parameter[] {
  const parameters: Referenced<Oas3Parameter>[] = [parent?.parameters, operation.parameters].flat();
  return parameters.flatMap((each) => resolve(each).node ?? []);
}

/** The value below some keys, with `$ref`s followed, also across files. */
function lookUp(context: UserContext, value: Referenced<object>, keys: string[], file?: string): unknown {
  const { node, location } = context.resolve(value, file);
  const [key, ...others] = keys;
  if (key === undefined) return node;
  return lookUp(context, Object(node)[key], others, Object(value).$ref ? location?.source.absoluteRef : file);
}

/** The responses that an operation can give, by what it has. A path parameter that is invalid names nothing: 404. */
const RESPONSES: Record<string, string[]> = {
  'every operation': ['401', '429', '500', '503', 'default'],
  'an operation with a query parameter': ['400'],
  'an operation with a header parameter': ['400'],
  'an operation with a path parameter': ['404'],
  'an operation with a body': ['400', '413', '415'],
  'an operation with an `Idempotency-Key`': ['409', '422'],
};

const PAGES =
  'A list has pages: declare the query parameters `cursor` and `limit`, and the header `Link` of the 200 response.';

/**
 * An operation declares each response of {@link RESPONSES}. A POST, PATCH or DELETE can be repeated, or says why
 * not: after a lost response, a repeated DELETE would be answered with 404. A list has pages.
 */
export const platform: Oas3Rule = () => ({
  Operation(operation: Marked, context) {
    const { key: method, location, report } = context;
    const parameters = parametersOf(operation, context);
    const isIdempotent = parameters.some(isIdempotencyKey);
    const isExcused = operation['x-not-idempotent'] !== undefined;
    const repeatable =
      'Declare either the parameter `Idempotency-Key`, to repeat a request safely, or the reason in `x-not-idempotent`.';
    if (/^(post|patch|delete)$/.test(`${method}`) && isIdempotent === isExcused)
      report({ message: repeatable, location: location.key() });

    const inSuccess = (...keys: string[]) => lookUp(context, operation, ['responses', '200', ...keys]);
    const headers = Object.keys(inSuccess('headers') ?? {}).map((name) => `header ${name.toLowerCase()}`);
    const names = new Set([...parameters.map((each) => `${each.in} ${each.name}`), ...headers]);
    const isList = method === 'get' && inSuccess('content', 'application/json', 'schema', 'type') === 'array';
    if (isList && !new Set(['query cursor', 'query limit', 'header link']).isSubsetOf(names))
      report({ message: PAGES, location: location.key() });

    const owners = ['every operation', ...parameters.map((each) => `an operation with a ${each.in} parameter`)];
    if (operation.requestBody) owners.push('an operation with a body');
    if (isIdempotent) owners.push('an operation with an `Idempotency-Key`');
    const needed = owners.flatMap((owner) => RESPONSES[owner]?.map((status) => [status, owner] as const) ?? []);
    const { node: declared } = context.resolve(operation.responses);
    for (const [status, owner] of declared ? new Map(needed) : []) {
      const message = `Declare the ${status} response: ${owner} can give it.`;
      if (!declared?.[status]) report({ message, location: location.child('responses').key() });
    }
  },
});

/** Property names have one spelling: `categoryId` and `category_id` would be mistaken for each other. */
export const propertyNames: Oas3Rule = () => {
  const spellings = new Map<string, string>();
  return {
    SchemaProperties(properties: object, { location, report }) {
      for (const name of Object.keys(properties ?? {})) {
        const first = spellings.get(lettersOf(name)) ?? name;
        spellings.set(lettersOf(name), first);
        const message = `Use one spelling in the whole contract: \`${name}\` differs from \`${first}\` only in case or separators.`;
        if (first !== name) report({ message, location: location.child(name).key() });
      }
    },
  };
};
