import { type Any, type Change, rebuild, schemaIn } from '@petstore-platform/openapi';
import { basePathOf, type Document, type Operation } from '../contract.ts';
import { isFailure } from '../failures.ts';
import { JSON_MEDIA } from '../media.ts';
import { SAFE } from '../rules.ts';
import { callersOf } from '../security.ts';
import type { Sdk } from '../targets.ts';
import type { Described, Named } from './describe.ts';
import { exported, exportedInterface, importing, operationDoc } from './jsdoc.ts';
import { RUNTIME } from './names.ts';
import { addressOf, exampleOf, referenceDocument } from './reference.ts';
import { schemas } from './schema.ts';
import { filled } from './template.ts';
import { keyOf, literal, property, quoted, wrapped } from './values.ts';

/** The types of a server: schemas, request and response of each handler, and the interface of all handlers. */
export function serverOperations({ document, operations, typeOf, names }: Described): string {
  const named = Object.keys(document.components?.schemas ?? {}).map(
    (name) => `  ${name === '__proto__' ? keyOf(name) : literal(name)}: ${names.schema(name)};`,
  );
  const union = (chosen: Operation[]) => chosen.map(({ id }) => quoted(id)).join(' | ') || 'never';
  const safe = operations.filter(({ method }) => SAFE.includes(method));
  const bodies = operations.flatMap(({ failures }) =>
    failures.flatMap(({ status, body }) => (body && isFailure(status) ? body.text : [])),
  );
  return importing({ [RUNTIME]: ['Events', 'JsonText', 'WithDefaults', 'WithFiles'] }, [
    ...schemas(document, typeOf, names),
    exported('', `interface Schemas {\n${named.join('\n')}\n}`),
    exported('RFC 9110 section 9.2.1.', `type SafeOperation = ${union(safe)};`),
    ...(document['x-error']
      ? [exported('The body of a failure.', `type FailureBody = ${[...new Set(bodies)].join(' | ')};`)]
      : []),
    ...callers(operations),
    ...operations.flatMap((operation) => [requestType(operation), responseType(operation)]),
    exportedInterface(
      'One handler per operation of the contract. A failure is thrown as an `ApiError`.\n\n' +
        '@typeParam Context - what the server gives to every handler besides the request',
      'Handlers<Context>',
      operations.map(handler),
    ),
  ]);
}

/** The kinds of callers of the operations that take more, or less, than an API key. */
function callers(operations: Operation[]): string[] {
  const others = operations.map(({ id, security }) => [id, callersOf(security)] as const).filter(hasOthers);
  if (others.length === 0) return [];
  const rows = others.map(([id, kinds]) => `  ${keyOf(id)}: ${kinds.map(quoted).join(' | ')};`);
  return [exported('Who may call an operation, if not an API key only.', `interface Callers {\n${rows.join('\n')}\n}`)];
}

const hasOthers = ([, kinds]: readonly [string, readonly string[]]) => kinds.some((kind) => kind !== 'key');

/** The contract as one value that carries its types, for `operationsOf` and `defineService`. */
export function serverContract({ 'x-error': errorBody }: Document, operations: Operation[]): string {
  const hasCallers = callers(operations).length > 0;
  const named = ['SafeOperation', 'Schemas'];
  const routes = ['operations', 'responseHeaders', 'schemas'];
  const failures = errorBody ? ['failures'] : [];
  return filled('server/contract.ts', {
    callers: hasCallers,
    failure: errorBody !== undefined,
    types: [...(hasCallers ? ['Callers'] : []), ...(errorBody ? ['FailureBody'] : []), 'Handlers', ...named].join(', '),
    routes: ['basePath', ...failures, ...routes].join(', '),
    members: ['basePath, operations, schemas, responseHeaders, document, reference, plans', ...failures].join(', '),
  });
}

/** The limits of each plan, for the rate limiter and `keys create`. */
export function planLimits(document: Document): string {
  const doc = 'Requests per UTC minute and per UTC day. `null`: the number is stored with the key.';
  const plans = exported(doc, `const plans = ${literal(document['x-rate-limit-plans'] ?? {}, 2)} as const;`);
  return `${plans}\n${exported('', 'type Plan = keyof typeof plans;')}`;
}

/** Requests from the contract's examples, for `npm start` and tests. Omits operations that lack a required example. */
export function exampleRequests(document: Document, operations: Named[]): string {
  const rows = operations.flatMap((operation) => {
    const example = exampleOf(operation);
    if (!example) return [];
    const { parameters, body } = example;
    const { path, query, headers } = addressOf(operation, parameters);
    // An example is sent as JSON, and without headers.
    const isJson = (operation.body?.media ?? JSON_MEDIA) === JSON_MEDIA;
    // An event stream has no end.
    const isEndless = operation.success.some((one) => one.body?.kind === 'events');
    if (Object.keys(headers).length > 0 || !isJson || isEndless) return [];
    const target = `${basePathOf(document)}${path}${query && `?${query}`}`;
    return [[operation.id, { method: operation.method.toUpperCase(), target, ...(body !== undefined && { body }) }]];
  });
  const type = '{ method: string; target: string; body?: unknown }';
  const table = `const examples: Record<string, ${type}> = ${literal(Object.fromEntries(rows), 2)};`;
  return exported('A request of each operation, from the examples of the contract.', table);
}

/** A text without NUL, which Postgres does not store. Python, Go, Rust and Java read the patterns. */
const TEXT = '^[^\\x00]*$';
/** Base64url that ends with the point of a cursor. */
const CURSOR = '^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2}[AEIMQUYcgkosw048]u|Lg|[A-Za-z0-9_-][CSiy]4)$';

/** The contract with the patterns of the texts and cursors of requests, so that what it says is valid is served. Its author writes none. */
export function servedDocument(document: Document): Document {
  const isFree = (schema: Any) => !['pattern', 'enum', 'const', 'format'].some((key) => schema[key] !== undefined);
  const requested = new Set<string>();
  const texts: Change = (value, kind, direction) => {
    if (direction !== 'request') return value;
    if (kind === 'parameter' && value.name === 'cursor' && value.schema)
      return { ...value, schema: { ...value.schema, pattern: CURSOR } };
    if (kind !== 'schema') return value;
    requested.add(schemaIn(value.$ref) ?? '');
    return [value.type].flat().includes('string') && isFree(value) ? { ...value, pattern: TEXT } : value;
  };
  const served = rebuild(document, 'document', texts);
  const { schemas } = Object(served.components);
  // A set that grows while it is walked is walked to its end.
  for (const name of requested)
    if (Object.hasOwn(Object(schemas), name))
      schemas[name] = rebuild(schemas[name], 'schema', texts, undefined, 'request');
  return served;
}

/** The bundled contract and the document of the reference page, as a module that is part of the build. */
export function bundledDocument(document: Document, operations: Named[], sdk?: Sdk): string {
  const reference = referenceDocument(document, operations, basePathOf(document), sdk);
  const doc = 'The document of the reference page as JSON: the contract with its extensions written out as text.';
  const page = exported(doc, `const reference = ${literal(reference)};`);
  return `${exported('', `const document = ${wrapped(servedDocument(document))};`)}\n${page}`;
}

/** The type of a validated request. A parameter or field with a default is never absent. */
function requestType({ types, parameters, body, success }: Named): string {
  const accepted = acceptedOf(success).map(quoted).join(' | ');
  const places = (['path', 'query', 'header'] as const).map((place) => {
    const accept = place === 'header' && accepted ? [`    ${property('accept', accepted, true)}\n`] : [];
    const fields = parameters
      .filter((one) => one.in === place || (one.in === 'cookie' && place === 'header'))
      .map(({ in: where, name, required, schema, text }) => {
        const isThere = required === true || schema.default !== undefined;
        // A cookie is a part of a header, whose name has no blank.
        const key = where === 'header' ? name.toLowerCase() : where === 'cookie' ? `cookie ${name}` : name;
        return `    ${property(key, text, isThere)}\n`;
      })
      .concat(accept);
    return fields.length > 0 ? `  ${place === 'header' ? 'headers' : place}: {\n${fields.join('')}  };\n` : '';
  });
  const bodyField = body ? `  body${body.required ? '' : '?'}: ${bodyType(body)};\n` : '';
  return exported('', `interface ${types.Request} {\n${places.join('')}${bodyField}}`);
}

/** The media types between which clients choose by `Accept`, as the handler gets the chosen one. Empty: there is no choice. */
const acceptedOf = (success: Operation['success']): string[] => {
  const chosen = success.find(({ body }) => body && body.others.length > 0)?.body;
  return chosen ? [chosen.media, ...chosen.others.map(({ media }) => media)] : [];
};

function bodyType({ kind, text, type, defaults, files = {} }: NonNullable<Operation['body']>): string {
  if (kind === 'bytes') return BYTES;
  const union = (names: string[]) => [...new Set(names)].map((name) => literal(name)).join(' | ');
  const fields = union(defaults);
  const whole = fields && type === 'object' ? `WithDefaults<${text}, ${fields}>` : text;
  const named = union(Object.keys(files));
  return named ? `WithFiles<${whole}, ${named}>` : whole;
}

const ANSWERS: Record<string, (text: string) => string> = {
  json: (text) => `${text} | JsonText<${text}>`,
  bytes: () => BYTES,
  events: (text) => `Events<${text}>`,
};

/** Of a body that is neither JSON nor text. A `Buffer` is one. */
const BYTES = 'Uint8Array';

/** Response headers that the server sets instead of the handler. */
const COMMON_HEADERS = /^(x-)?ratelimit|^(deprecation|sunset|retry-after|www-authenticate)$/i;

function responseType({ types, success, failures }: Named): string {
  const redirections = failures.filter(({ status }) => status.startsWith('3'));
  const answers = [...success.filter(({ status }) => status.startsWith('2')), ...redirections];
  const variants = answers.flatMap(({ status, headers, body }) => {
    const declared = headers.filter(({ name }) => !COMMON_HEADERS.test(name));
    const typed = declared.map(({ name, required }) => `${literal(name)}${required ? '' : '?'}: string`);
    const all = body ? [body, ...body.others] : [undefined];
    return all.map((one) => {
      const fields = [
        `status: ${Number(status) || quoted(status)}`,
        // The first type is that of an answer that names none.
        one && all.length > 1 && `type${one === body ? '?' : ''}: ${quoted(one.media)}`,
        declared.length > 0 &&
          `headers${declared.some(({ required }) => required) ? '' : '?'}: { ${typed.join('; ')} }`,
        // A handler returns a value, or JSON text from the database.
        one && `body: ${ANSWERS[one.kind]?.(one.text) ?? one.text}`,
      ];
      return `{ ${fields.filter(Boolean).join('; ')} }`;
    });
  });
  return exported('', `type ${types.Response} = ${variants.join(' | ') || 'never'};`);
}

function handler(operation: Named): string {
  const { id, types } = operation;
  return `${operationDoc(operation)}\n  ${keyOf(id)}(request: ${types.Request}, context: Context): Promise<${types.Response}>;`;
}
