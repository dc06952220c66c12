import type {
  Oas3Operation,
  Oas3Parameter,
  Oas3Response,
  Oas3Rule,
  Referenced,
  UserContext,
} from '@redocly/openapi-core';
import { type Extensions, keysOf, lettersOf, STABILITIES } from '../contract.ts';
import { isIdempotencyKey } from '../generate/client.ts';

type Marked = Oas3Operation & Extensions;

/** Requires that a sunset is later than the deprecation, and that the replacement exists and is not deprecated itself. */
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
          const linked = successor?.parameters.flatMap((one) =>
            ['query', 'path'].includes(`${one.in}`) ? one.name : [],
          );
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

/** Requires that a list has a `limit`, with the bounds without which it would select any number of rows, or fail for less than none. */
function checkLimit(operation: Marked, context: UserContext): void {
  const tell = (message: string) => context.report({ message, location: context.location.key() });
  const limits = [context.parent, operation].flatMap((holder: Pick<Marked, 'parameters'> | undefined) =>
    (holder?.parameters ?? []).flatMap((_, index) => {
      const at = (...keys: string[]) => lookUp(context, holder as object, ['parameters', `${index}`, ...keys]);
      return at('in') === 'query' && at('name') === 'limit' ? [(key: string) => at('schema', key)] : [];
    }),
  );
  const [limit] = limits;
  if (!limit) tell(MESSAGES.pages);
  else if (['minimum', 'maximum', 'default'].some((key) => limit(key) === undefined)) tell(MESSAGES.limit);
}

/** Names that an operation cannot have, because the SDK's client has such members. `then` would make the client a promise. */
const RESERVED = ['fetchClient', 'withOptions', 'request', 'then', ...Object.keys(STABILITIES)];

const MESSAGES = {
  name: 'Name the operation in camelCase, such as `listOrders`: the SDK has a method of this name.',
  taken: 'Give the operation another name: the client of the SDK has a member of this one.',
  security: 'Remove it: every operation takes an API key as a bearer token.',
  key: 'Remove either the parameter `Idempotency-Key`, by which a request is repeated safely, or the reason in `x-not-idempotent`.',
  pages:
    'A list has pages: declare the query parameter `limit`. `cursor` and `Link` are added. An array without pages, as in a report, is a field of an object.',
  limit: 'Give `limit` its bounds and a default, as in `{ type: integer, minimum: 1, maximum: 100, default: 20 }`.',
  style: 'Remove it: the server and the SDK know a parameter in the default way only.',
  content: 'Give the parameter a `schema`: the server and the SDK do not support `content`.',
  place: 'Move the parameter to the query, the path or a header: the server and the SDK know no cookies.',
  shape:
    'Give the parameter one value, such as a string. Only in the query, it may also be an array of them, which is never null.',
  failure:
    'Give the body of a failure the schema `#/components/schemas/Error`, or leave its `content` out: clients expect it of all.',
  bodies:
    'Describe every body as `application/json`, and as nothing else. A partial change is an object with optional fields. Not JSON:',
};

/** Whether a request needs no API key, which an empty list of requirements or an empty requirement declares. */
const isOpen = (security: unknown) =>
  Array.isArray(security) && (security.length === 0 || security.some((one) => Object.keys(Object(one)).length === 0));

/** Requires operations that the server and the SDK can name, send and read. Webhooks and callbacks are served by others. */
export const operations: Oas3Rule = () => {
  let isPath = false;
  let callbacks = 0;
  const bodies = new Map<string, UserContext['location']>();
  const ours = <Node>(check: (node: Node, context: UserContext) => void) => {
    return (node: Node, context: UserContext) => isPath && callbacks === 0 && check(node, context);
  };
  return {
    Paths: {
      enter() {
        isPath = true;
      },
      leave() {
        isPath = false;
      },
    },
    Callback: {
      enter() {
        callbacks++;
      },
      leave() {
        callbacks--;
      },
    },
    Operation: ours((operation: Marked, context) => {
      const { key: method, location, report } = context;
      const { operationId: id, security } = operation;
      const tell = (message: string, key: string) => report({ message, location: location.child(key) });
      if (id && !/^[a-z][A-Za-z0-9]*$/.test(id)) tell(MESSAGES.name, 'operationId');
      else if (id && (RESERVED.includes(id) || id in {})) tell(MESSAGES.taken, 'operationId');
      if (isOpen(security)) tell(MESSAGES.security, 'security');
      const parameters = parametersOf(operation, context);
      if (parameters.some(isIdempotencyKey) && operation['x-not-idempotent'] !== undefined)
        report({ message: MESSAGES.key, location: location.key() });
      const body = ['responses', '200', 'content', 'application/json', 'schema', 'type'];
      const isList = method === 'get' && lookUp(context, operation, body) === 'array';
      if (isList) checkLimit(operation, context);
    }),
    Parameter: ours((parameter: Oas3Parameter, context) => {
      const { in: place, schema, content } = parameter;
      const tell = (message: string, key: string) => context.report({ message, location: context.location.child(key) });
      const inQuery = place === 'query';
      const defaults = {
        style: inQuery ? 'form' : 'simple',
        explode: inQuery,
        allowReserved: false,
        allowEmptyValue: false,
      };
      for (const [key, value] of Object.entries(defaults))
        if ((parameter[key as 'style'] ?? value) !== value) tell(MESSAGES.style, key);
      if (place === 'cookie') tell(MESSAGES.place, 'in');
      if (!['path', 'query', 'header'].includes(`${place}`)) return;
      if (content) tell(MESSAGES.content, 'content');
      const typesAt = (...keys: string[]) => (schema ? [lookUp(context, schema, [...keys, 'type'])].flat() : []);
      const [types, items] = [typesAt(), typesAt('items')];
      // `nullable` is a keyword of OpenAPI 3.0.
      const isNullable = schema !== undefined && lookUp(context, schema, ['nullable']) === true;
      const isList = inQuery && !isNullable && types.length === 1 && types[0] === 'array';
      const isNested = (isList ? items : types).some((type) => type === 'object' || type === 'array');
      if (isNested) tell(MESSAGES.shape, 'schema');
    }),
    Response: ours((response: Oas3Response, { key, location, report }) => {
      const { schema } = response.content?.['application/json'] ?? {};
      const isError = /#\/components\/schemas\/Error$/.test(`${Object(schema).$ref}`);
      if (/^([45](\d\d|XX)|default)$/.test(`${key}`) && response.content?.['application/json'] && !isError)
        report({ message: MESSAGES.failure, location: location.child(['content', 'application/json', 'schema']) });
    }),
    MediaTypesMap: ours((types: object, { location }) => {
      const others = Object.keys(types).filter((type) => type !== 'application/json');
      const keys = keysOf(decodeURIComponent(location.pointer)).slice(0, -1);
      const [root, path, method = '', ...rest] = keys;
      const where = root === 'paths' ? `${method.toUpperCase()} ${path} ${rest.join(' ')}` : keys.join(' ');
      if (others.length > 0 || Object.keys(types).length === 0)
        bodies.set(`${where} (${others.join(', ') || 'no type'})`, location.key());
    }),
    Root: {
      enter({ security }, { location, report }) {
        if (isOpen(security)) report({ message: MESSAGES.security, location: location.child('security') });
      },
      leave(_root, { report }) {
        const [first] = bodies.values();
        if (first) report({ message: `${MESSAGES.bodies} ${[...bodies.keys()].join('; ')}.`, location: first });
      },
    },
  };
};

/** Requires one spelling of a property name, because `categoryId` and `category_id` would be mistaken for each other. */
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
