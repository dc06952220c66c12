/** The operations of the contract, read from the bundled document, for the generators. */

import { keysOf } from './review/place.ts';

/** Folders of generated code. */
export const CLIENT = 'packages/client/src/generated';
export const SERVER = 'apps/server/src/generated';

export interface Parameter {
  name: string;
  /** The TypeScript type. */
  text: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required: boolean;
  /** Serialized with the default `style` and `explode` of its location. */
  plain: boolean;
  description: string;
  /** For example `1 to 100.`; empty without limits. */
  limits: string;
  deprecated: boolean;
  /** The `default` of the schema, which handlers receive for an absent parameter. */
  default: unknown;
  example: unknown;
}

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
  stability: 'experimental' | 'beta' | undefined;
  parameters: Parameter[];
  body: (Content & { required: boolean }) | undefined;
  /** The 2xx responses, ascending. */
  success: Response[];
  /** All other responses, in the order of the contract. */
  failures: Response[];
}

/** The `application/json` content of a request or response. */
interface Content {
  hasBody: boolean;
  /** The TypeScript type of the body: the name of its component schema, or an inline type by openapi-typescript. */
  text: string;
  /** The `type` of the body's schema, if it has exactly one. */
  type: string | undefined;
}

interface Response extends Content {
  /** As in the contract, `200` or `default`. */
  status: string;
  headers: string[];
}

// The lint checks the shape of the document. Types for all of OpenAPI would be longer than the generators.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Document = any;

/** Returns the TypeScript type at a location in the contract. */
export type TypeAt = (...place: string[]) => string;

/** The exported name of a component schema. `Error` becomes `ErrorBody`, as JavaScript has an `Error`. */
export const alias = (schema: string) => (schema === 'Error' ? 'ErrorBody' : schema);

/** The name of the component schema that a `$ref` points to. */
export const componentOf = (schema: Document): string | undefined =>
  schema?.$ref?.match(/^#\/components\/schemas\/(.+)$/)?.[1];

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * The operations of a bundled OpenAPI document, in document order.
 *
 * @param typeAt - looks up TypeScript types. Default: none
 */
export function operationsOf(document: Document, typeAt: TypeAt = () => ''): Operation[] {
  return Object.entries<Document>(document.paths ?? {}).flatMap(([path, item]) =>
    // The lint requires an operationId; generated methods are named by it.
    METHODS.filter((method) => item[method]?.operationId).map((method) => {
      const ownTypes: TypeAt = (...place) => typeAt('operations', item[method].operationId, ...place);
      return describe(document, path, method, item, ownTypes);
    }),
  );
}

function describe(document: Document, path: string, method: string, item: Document, typeAt: TypeAt): Operation {
  const operation = item[method];
  const { deprecated, 'x-deprecated-at': at, 'x-sunset': sunset, 'x-replaced-by': replacedBy } = operation;
  const body = resolve(document, operation.requestBody);
  const responses = Object.entries(operation.responses ?? {}).map(([status, reference]): Response => {
    const response = resolve(document, reference);
    const content = contentOf(document, response, typeAt, 'responses', status);
    return { status, headers: Object.keys(response?.headers ?? {}), ...content };
  });
  return {
    id: operation.operationId,
    method,
    path,
    summary: operation.summary ?? '',
    description: operation.description ?? '',
    // The lint requires all three for a deprecated operation.
    deprecation: deprecated && at && sunset && replacedBy ? { at, sunset, replacedBy } : undefined,
    stability: operation['x-stability'],
    parameters: parametersOf(document, item, operation, typeAt),
    body: body && { required: body.required === true, ...contentOf(document, body, typeAt, 'requestBody') },
    success: responses.filter(({ status }) => status.startsWith('2')),
    failures: responses.filter(({ status }) => /^([345]\d\d|default)$/.test(status)),
  };
}

/** Parameters of the path item, overridden by the operation's by name and location (OpenAPI 3.1, Operation Object). */
function parametersOf(document: Document, item: Document, operation: Document, typeAt: TypeAt): Parameter[] {
  const byKey = new Map<string, Parameter>();
  for (const reference of [...(item.parameters ?? []), ...(operation.parameters ?? [])]) {
    const parameter = resolve(document, reference);
    const schema = resolve(document, parameter.schema);
    byKey.set(`${parameter.in} ${parameter.name}`, {
      name: parameter.name,
      text: typeAt('parameters', parameter.in, parameter.name),
      in: parameter.in,
      required: parameter.required === true,
      plain: isPlain(parameter),
      description: parameter.description ?? schema?.description ?? '',
      limits: limitsOf(schema ?? {}),
      deprecated: parameter.deprecated === true || schema?.deprecated === true,
      default: schema?.default,
      example: parameter.example ?? schema?.example,
    });
  }
  return [...byKey.values()];
}

/** Whether `style` and `explode` are the defaults (OpenAPI 3.1, Parameter Object). */
function isPlain({ in: place, style, explode, content }: Document): boolean {
  const usual = place === 'query' || place === 'cookie' ? 'form' : 'simple';
  return content === undefined && (style ?? usual) === usual && (explode ?? usual === 'form') === (usual === 'form');
}

function contentOf(document: Document, owner: Document, typeAt: TypeAt, ...place: string[]): Content {
  const media = owner?.content?.['application/json'];
  if (media === undefined) return { hasBody: false, text: 'undefined', type: undefined };
  const component = componentOf(media.schema);
  const { type } = resolve(document, media.schema) ?? {};
  return {
    hasBody: true,
    text: component ? alias(component) : typeAt(...place, 'content', 'application/json'),
    type: typeof type === 'string' ? type : undefined,
  };
}

/** The bounds of a schema in words. Omits the safe-integer bounds that every int64 has. */
export function limitsOf(schema: Document): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const safe = maximum === Number.MAX_SAFE_INTEGER && minimum === -maximum;
  const range = (least: unknown, most: unknown, unit = '') => {
    if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}.`;
    if (least !== undefined) return `At least ${least}${unit}.`;
    return most === undefined ? '' : `At most ${most}${unit}.`;
  };
  const bounds = [
    safe ? '' : range(minimum, maximum),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
  ];
  return bounds.filter(Boolean).join(' ');
}

/** Follows local `$ref`s to the value. */
export function resolve(document: Document, value: Document): Document {
  if (value?.$ref === undefined) return value;
  const target = keysOf(value.$ref).reduce((node: Document, key: string) => node?.[key], document);
  return resolve(document, target);
}
