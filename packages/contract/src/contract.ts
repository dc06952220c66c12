/** The operations of the contract, read from the bundled document, for the generators. */
import type { ParameterObject } from 'openapi-typescript';

/** Folders of generated code. */
export const CLIENT = 'packages/client/src/generated';
export const SERVER = 'apps/server/src/generated';

/** A parameter of an operation: the Parameter Object of OpenAPI, without `$ref`. */
export type Parameter = ParameterObject & {
  /** Without `$ref`; empty for a parameter with `content`. */
  schema: Document;
  /** The TypeScript type. */
  text: string;
};

/** Its dates are written YYYY-MM-DD. */
export interface Deprecation {
  at: string;
  sunset: string;
  replacedBy: { operationId: string; parameters?: Record<string, string | number | boolean> };
}

export type Operation = ReturnType<typeof describe>;

// The lint checks the shape of the document. Types for all of OpenAPI would be longer than the generators.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Document = any;

/**
 * The TypeScript type of a schema. A component schema is referred to by its exported name.
 *
 * @param path - the JSON pointer of a component schema, by which other schemas may name it in a discriminator
 */
export type TypeOf = (schema: Document, path?: string) => string;

/** `1 item`, `2 properties`; a number alone without a unit. */
export const counted = (count: unknown, plural: string) =>
  `${count} ${count === 1 ? plural.replace(/ies$/, 'y').replace(/s$/, '') : plural}`.trim();

/** Equal for names that differ only in case or separators, such as `categoryId` and `category_id`. */
export const lettersOf = (name: string) => name.replace(/[\s._-]/g, '').toLowerCase();

export function identifier(name: string, kind: string): string {
  if (/^[A-Za-z_]\w*$/.test(name) && name !== '__proto__') return name;
  throw new Error(`the ${kind} ${name} needs a name that is a TypeScript identifier`);
}

/** The exported name of a component schema. `Error` becomes `ErrorBody`, as JavaScript has an `Error`. */
export const alias = (schema: string) => (schema === 'Error' ? 'ErrorBody' : identifier(schema, 'schema'));

/** Minimum days from deprecation to sunset, by stability. None for `experimental`. */
export const NOTICE_DAYS = { stable: 180, beta: 31 };

/** The promise of each stability, in the words of the SDK, the review and the READMEs. All other operations are stable. */
export const STABILITIES = {
  experimental: 'may change or be removed in a minor version',
  beta: `may be removed in a minor version, at least ${NOTICE_DAYS.beta} days after the deprecation`,
};

/** Of OpenAPI 3.2, which adds `query`. */
export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/** The operations of a bundled OpenAPI document, in document order. */
export function operationsOf(document: Document, typeOf: TypeOf): Operation[] {
  return Object.entries<Document>(document.paths ?? {}).flatMap(([path, item]) =>
    // The lint requires an operationId; generated methods are named by it.
    METHODS.filter((method) => item[method]?.operationId).map((method) =>
      describe(document, path, method, item, typeOf),
    ),
  );
}

function describe(document: Document, path: string, method: string, item: Document, typeOf: TypeOf) {
  const operation = item[method];
  const { operationId, summary = '', description = '', deprecated, 'x-stability': level } = operation;
  const { 'x-deprecated-at': at, 'x-sunset': sunset, 'x-replaced-by': replacedBy } = operation;
  /** The TypeScript type of a body of `application/json`, and its `type` in JSON if it has exactly one. */
  const contentOf = (owner: Document): { text: string; type: string | undefined } | undefined => {
    const { 'application/json': media, ...others } = owner?.content ?? {};
    const [other] = Object.keys(others);
    if (other) throw new Error(`${operationId} has a body of ${other}; describe it as application/json only`);
    const { type } = resolve(document, media?.schema) ?? {};
    return media && { text: typeOf(media.schema ?? true), type: typeof type === 'string' ? type : undefined };
  };
  const body = resolve(document, operation.requestBody);
  const content = contentOf(body);
  const responses = Object.entries(operation.responses ?? {}).map(([status, reference]) => {
    const response = resolve(document, reference);
    return { status, headers: Object.keys(response?.headers ?? {}), body: contentOf(response) };
  });
  // The lint requires all three for a deprecated operation.
  const deprecation: Deprecation | undefined =
    deprecated && at && sunset && replacedBy ? { at, sunset, replacedBy } : undefined;
  return {
    id: identifier(operationId, 'operationId'),
    method,
    path,
    summary: String(summary),
    description: String(description),
    deprecation,
    stability: (['experimental', 'beta'] as const).find((each) => each === level),
    parameters: parametersOf(document, [item, operation], typeOf),
    body: content && { required: body.required === true, ...content },
    success: responses.filter(({ status }) => status.startsWith('2')),
    failures: responses.filter(({ status }) => /^([345]\d\d|default)$/.test(status)),
  };
}

/** Parameters of the path item, overridden by the operation's by name and location (OpenAPI 3.1, Operation Object). */
function parametersOf(document: Document, owners: Document[], typeOf: TypeOf): Parameter[] {
  const references: Document[] = owners.flatMap(({ parameters }) => parameters ?? []);
  const parameters = references.map((reference): Parameter => {
    const parameter = resolve(document, reference);
    const text = typeOf(parameter.schema ?? { type: 'string' });
    return { ...parameter, schema: resolve(document, parameter.schema) ?? {}, text };
  });
  return [...new Map(parameters.map((one) => [`${one.in} ${one.name}`, one])).values()];
}

/** Follows local `$ref`s to the value. */
export function resolve(document: Document, value: Document): Document {
  if (value?.$ref === undefined) return value;
  const target = keysOf(value.$ref).reduce((node: Document, key: string) => node?.[key], document);
  return resolve(document, target);
}

/** The keys of a JSON pointer (RFC 6901), such as `#/paths/~1pets`. */
export function keysOf(pointer: string): string[] {
  const keys = pointer.split('/').slice(1);
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}
