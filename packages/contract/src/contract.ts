/** The operations of the contract, read from the bundled document, for the generators. */
import type { ParameterObject } from 'openapi-typescript';
import { keysOf } from './pointer.ts';

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

export interface Deprecation {
  /** `x-deprecated-at`, as YYYY-MM-DD. */
  at: string;
  /** `x-sunset`, as YYYY-MM-DD. */
  sunset: string;
  replacedBy: { operationId: string; parameters?: Record<string, string | number | boolean> };
}

export interface Operation {
  id: string;
  /** Lower case, as in the contract. */
  method: string;
  path: string;
  summary: string;
  description: string;
  deprecation: Deprecation | undefined;
  stability: keyof typeof STABILITIES | undefined;
  parameters: Parameter[];
  body: (Content & { required: boolean }) | undefined;
  /** The 2xx responses, ascending. */
  success: Response[];
  /** All other responses, in the order of the contract. */
  failures: Response[];
}

/** The `application/json` content of a request or response. */
interface Content {
  /** The TypeScript type. */
  text: string;
  /** The `type` of the schema, if it has exactly one. */
  type: string | undefined;
}

interface Response {
  /** As in the contract, `200` or `default`. */
  status: string;
  headers: string[];
  body: Content | undefined;
}

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

function describe(document: Document, path: string, method: string, item: Document, typeOf: TypeOf): Operation {
  const operation = item[method];
  const { deprecated, 'x-deprecated-at': at, 'x-sunset': sunset, 'x-replaced-by': replacedBy } = operation;
  const contentOf = (owner: Document): Content | undefined => {
    const { 'application/json': media, ...others } = owner?.content ?? {};
    const [other] = Object.keys(others);
    if (other) throw new Error(`${operation.operationId} has a body of ${other}; describe it as application/json only`);
    const { type } = resolve(document, media?.schema) ?? {};
    return media && { text: typeOf(media.schema ?? true), type: typeof type === 'string' ? type : undefined };
  };
  const body = resolve(document, operation.requestBody);
  const content = contentOf(body);
  const responses = Object.entries(operation.responses ?? {}).map(([status, reference]): Response => {
    const response = resolve(document, reference);
    return { status, headers: Object.keys(response?.headers ?? {}), body: contentOf(response) };
  });
  return {
    id: identifier(operation.operationId, 'operationId'),
    method,
    path,
    summary: operation.summary ?? '',
    description: operation.description ?? '',
    // The lint requires all three for a deprecated operation.
    deprecation: deprecated && at && sunset && replacedBy ? { at, sunset, replacedBy } : undefined,
    stability: (['experimental', 'beta'] as const).find((each) => each === operation['x-stability']),
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
