/** The operations of the contract, read from the bundled document, for the generators. */
import {
  resolve as follow,
  type Media,
  type Operation as Read,
  operationsOf as readOperations,
  partsOf as readParts,
  type SchemaOrBoolean,
  styleOf,
} from '@petstore-platform/openapi';
import type * as openapi from '@redocly/openapi-core';
import type { ErrorBody } from './failures.ts';
import { bare, isServed, type Kind, kindOf, mediaOf } from './media.ts';
import { formParts } from './parts.ts';
import { securityOf } from './security.ts';

export { besides, counted, lettersOf, STABILITIES } from '@petstore-platform/contract-review/words';

/** A body as one media type. */
export interface Content {
  media: string;
  kind: Kind;
  /** As it is written; of events, that of their data. */
  schema: SchemaOrBoolean;
  /** The TypeScript type of the schema. */
  text: string;
  /** The JSON type, if there is only one. */
  type: string | undefined;
  example: unknown;
}

export type Operation = ReturnType<typeof describe>;
export type Parameter = Operation['parameters'][0];
export type Deprecation = NonNullable<Operation['deprecation']>;

/** An OpenAPI document whose references are all local, with our extensions. The lint checks its shape. */
export interface Document extends openapi.Oas3_1Definition {
  info: openapi.Oas3Info;
  servers?: (openapi.Oas3Server & { 'x-environment'?: string })[];
  'x-error'?: ErrorBody;
  'x-error-codes'?: string[];
  'x-rate-limit-plans'?: Record<string, { perMinute: number | null; perDay: number | null }>;
}

export type Schema = openapi.Oas3_1Schema;

/** Our extensions of an operation. Dates are written YYYY-MM-DD. */
export interface Extensions {
  'x-stability'?: string;
  'x-deprecated-at'?: string;
  'x-sunset'?: string;
  'x-replaced-by'?: { operationId: string; parameters?: Record<string, string | number | boolean> };
  'x-not-idempotent'?: string;
  /** The most bytes of a body. */
  'x-max-body'?: number;
  /** The status of a request that does not fit, if it is not 400. */
  'x-invalid'?: 422;
}

/**
 * The TypeScript type of a schema. A component schema is referred to by its exported name.
 *
 * @param path - the JSON pointer of a component schema, by which other schemas may name it in a discriminator
 */
export type TypeOf = (schema: openapi.Referenced<Schema> | boolean, path?: string) => string;

/** The URL of the first server, or of the given one, with the defaults of its variables. */
export function urlOf({ servers }: Document, { url, variables = {} } = servers?.[0] ?? { url: '/' }): string {
  return url.replace(/\{([^{}]*)\}/g, (place, name) => variables[name]?.default ?? place);
}

/**
 * The URL of a server as clients resolve it. The lint refuses a contract for which it throws.
 *
 * @param base - the address of a server whose URL is only a path
 */
export function absoluteUrl(url: string, base = 'http://localhost'): URL {
  // A variable at its start may be a host without a scheme.
  const isWhole = /^$|^\/|^[\w+.-]+:\/\//.test(url);
  return new URL(isWhole ? url : `//${url}`, base);
}

/** The path of the first server, without a slash at its end. */
export function basePathOf(document: Document): string {
  return absoluteUrl(urlOf(document)).pathname.replace(/\/$/, '');
}

/** The plan of unknown callers: the first one that has a number. */
export const planOf = (document: Document) =>
  Object.entries(document['x-rate-limit-plans'] ?? {}).find(([, { perMinute }]) => perMinute !== null)?.[0];

export const pascalCase = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** The operations of a normalized document, in its order, with the text of their types. */
export function operationsOf(document: Document, typeOf: TypeOf): Operation[] {
  const others: string[] = [];
  const operations = readOperations(document).map((operation) => describe(document, operation, typeOf, others));
  if (others.length > 0)
    throw new Error(`describe every body as one type that is served, and not ${[...new Set(others)].join(', ')}`);
  return operations;
}

/** @param others - receives the bodies that are not served */
function describe(document: Document, operation: Read, typeOf: TypeOf, others: string[]) {
  const { id } = operation;
  const extensions: Extensions = operation.extensions;
  const oneOf = ([name, { schema: declared, itemSchema, example }]: [string, Media]): Content => {
    const [media, kind] = [bare(name), kindOf(name) ?? 'json'];
    const schema: SchemaOrBoolean = (kind === 'events' ? dataOf(document, itemSchema ?? declared) : declared) ?? true;
    if (kind === 'text') return { media, kind, schema, text: 'string', type: 'string', example };
    if (kind === 'bytes') return { media, kind, schema, text: 'Blob', type: undefined, example: undefined };
    return { media, kind, schema, text: typeOf(schema), type: jsonTypeOf(document, schema), example };
  };
  /** The first media type of a body, and those that clients may ask for instead. */
  const contentOf = (content: Read['responses'][0]['content'], isResponse = true) => {
    const [media] = mediaOf(content);
    const further = Object.entries(content).filter(([name]) => name !== media);
    for (const [name] of isResponse ? [] : further) others.push(`${id} (${name})`);
    for (const name of Object.keys(content)) if (!isServed(name, isResponse)) others.push(`${id} (${name})`);
    if (media === undefined) return undefined;
    return { ...oneOf([media, content[media] as Media]), others: further.map(oneOf) };
  };
  const content = operation.body && contentOf(operation.body.content, false);
  const [, media = {}] = mediaOf(operation.body?.content);
  const responses = operation.responses.map(({ status, headers, content }) => {
    return { status, headers, body: contentOf(content) };
  });
  const successes = responses.filter(({ status }) => status.startsWith('2'));
  const { 'x-deprecated-at': at, 'x-sunset': sunset, 'x-replaced-by': replacedBy } = extensions;
  return {
    ...operation,
    deprecation: operation.deprecated ? { at, sunset, replacedBy } : undefined,
    invalid: extensions['x-invalid'],
    stability: (['experimental', 'beta'] as const).find((each) => each === extensions['x-stability']),
    parameters: operation.parameters.map((one) => {
      const { style } = styleOf(document.components?.schemas ?? {}, one);
      return { ...one, style, schema: resolve(document, one.schema) as Schema, text: typeOf(one.schema) };
    }),
    body: content && {
      required: operation.body?.required === true,
      max: Number(extensions['x-max-body']) || undefined,
      defaults: defaultsOf(document, content.schema),
      ...formParts(document, content.kind, media),
      ...content,
    },
    security: securityOf(document, operation.security),
    success: successes.length > 0 ? successes : responses.filter(({ status }) => status.startsWith('3')),
    failures: responses.filter(({ status }) => /^([345]\d\d|[45]XX|default)$/.test(status)),
  };
}

/** A schema of a document with the parts that always apply with it. */
export const partsOf = (document: Document, schema: unknown): Schema[] =>
  readParts(document.components?.schemas ?? {}, schema);

/** The schema of what an event of OpenAPI 3.2 has as its data, or of the data itself. */
function dataOf(document: Document, schema: unknown): Schema | undefined {
  const event = Object(resolve(document, schema as Schema));
  const data = Object(resolve(document, event.properties?.data));
  return data.contentSchema ?? event.properties?.data ?? schema;
}

/** The JSON type of a schema, which may be composed; undefined if there are several types. */
function jsonTypeOf(document: Document, schema: unknown, within: unknown[] = []): string | undefined {
  const parts = partsOf(document, schema).filter((one) => !within.includes(one));
  for (const { type, oneOf, anyOf } of parts) {
    if (type) return typeof type === 'string' ? type : undefined;
    const all = (oneOf ?? anyOf ?? []).map((each) => jsonTypeOf(document, each, [...within, ...parts]));
    const [only, ...others] = new Set(all);
    if (only && others.length === 0) return only;
  }
  return parts.some(({ properties }) => properties) ? 'object' : undefined;
}

/** The fields of an object with a default, which the server fills in. */
const defaultsOf = (document: Document, schema: unknown): string[] =>
  partsOf(document, schema).flatMap(({ properties = {} }) =>
    Object.keys(properties).filter((name) => Object(resolve(document, properties[name])).default !== undefined),
  );

/** Follows local `$ref`s to the value. */
export const resolve = <Value>(document: Document, value: openapi.Referenced<Value>): Value => follow(document, value);
