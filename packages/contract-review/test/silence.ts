/** Edits of the objects of OpenAPI, generated from their fields. */
import { load } from './silence-fixture.ts';

export interface Edit {
  name: string;
  base: unknown;
  head: unknown;
}

type Values = readonly [first: unknown, ...others: unknown[]];

/**
 * The fields of each object, from the specifications of OpenAPI 3.0.4, 3.1.1 and 3.2.0 and JSON Schema 2020-12: their kind of object (`[]` a
 * list, `{}` a map of them), or values, of which each is a change of the others.
 */
const text: Values = ['one', 'two'];
const flag: Values = [true, false];
const number: Values = [3, 4];
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

type Fields = Record<string, string | Values>;
const documented: Fields = { summary: text, description: text };
const parameter: Fields = {
  description: text,
  required: flag,
  deprecated: flag,
  allowEmptyValue: flag,
  style: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  explode: flag,
  allowReserved: flag,
  schema: 'schema',
  content: 'media{}',
  example: text,
  examples: 'example{}',
  'x-note': text,
};

export const MODEL: Record<string, Fields> = {
  document: {
    $self: ['https://a.example/a', 'https://a.example/b'],
    info: 'info',
    jsonSchemaDialect: ['https://a.example/a', 'https://a.example/b'],
    servers: 'server[]',
    paths: 'path{}',
    webhooks: 'path{}',
    components: 'components',
    security: 'requirement[]',
    tags: 'tag[]',
    externalDocs: 'docs',
    'x-note': text,
  },
  info: { title: text, ...documented, termsOfService: text, contact: 'contact', license: 'license', 'x-note': text },
  contact: { name: text, url: text, email: text, 'x-note': text },
  license: { name: text, identifier: text, url: text },
  server: { url: ['https://a.example', 'https://b.example'], description: text, name: text, variables: 'variable{}' },
  variable: { enum: [['one'], ['one', 'two']], default: text, description: text },
  components: {
    schemas: 'schema{}',
    responses: 'response{}',
    parameters: 'parameter{}',
    examples: 'example{}',
    requestBodies: 'body{}',
    headers: 'header{}',
    securitySchemes: 'scheme{}',
    links: 'link{}',
    callbacks: 'callback{}',
    pathItems: 'path{}',
    mediaTypes: 'media{}',
  },
  path: {
    ...documented,
    ...Object.fromEntries(METHODS.map((method) => [method, 'operation'])),
    additionalOperations: 'operation{}',
    servers: 'server[]',
    parameters: 'parameter[]',
    'x-note': text,
  },
  operation: {
    tags: [['one'], ['two']],
    ...documented,
    externalDocs: 'docs',
    operationId: text,
    parameters: 'parameter[]',
    requestBody: 'body',
    responses: 'response{}',
    callbacks: 'callback{}',
    deprecated: flag,
    security: 'requirement[]',
    servers: 'server[]',
    'x-note': text,
  },
  docs: { description: text, url: text },
  parameter: { name: text, in: ['query', 'header', 'cookie'], ...parameter },
  header: { ...parameter, style: ['simple'], explode: flag },
  body: { description: text, content: 'media{}', required: flag },
  media: {
    schema: 'schema',
    itemSchema: 'schema',
    example: text,
    examples: 'example{}',
    encoding: 'encoding{}',
    prefixEncoding: 'encoding[]',
    itemEncoding: 'encoding',
    'x-note': text,
  },
  encoding: {
    contentType: ['text/plain', 'image/png'],
    headers: 'header{}',
    style: ['form', 'pipeDelimited'],
    explode: flag,
    allowReserved: flag,
    encoding: 'encoding{}',
  },
  response: { ...documented, headers: 'header{}', content: 'media{}', links: 'link{}', 'x-note': text },
  callback: { '{$request.body#/url}': 'path', '{$request.body#/other}': 'path' },
  example: { ...documented, value: text, dataValue: text, serializedValue: text, externalValue: text },
  link: {
    operationRef: text,
    operationId: text,
    parameters: [{ a: 1 }, { a: 2 }],
    requestBody: text,
    description: text,
    server: 'server',
  },
  tag: { name: text, ...documented, externalDocs: 'docs', parent: text, kind: text },
  scheme: {
    type: ['oauth2', 'http'],
    description: text,
    name: text,
    in: ['header', 'query'],
    scheme: ['bearer', 'basic'],
    bearerFormat: text,
    flows: 'flows',
    openIdConnectUrl: text,
    oauth2MetadataUrl: text,
    deprecated: flag,
  },
  flows: { implicit: 'flow', password: 'flow', clientCredentials: 'flow', authorizationCode: 'flow' },
  flow: { authorizationUrl: text, tokenUrl: text, refreshUrl: text, scopes: [{ read: 'one' }, { read: 'two' }] },
  requirement: { oauth: [['read'], []] },
  discriminator: { propertyName: ['kind', 'other'], mapping: [{ a: 'A' }, { a: 'B' }], defaultMapping: ['A', 'B'] },
  xml: { name: text, namespace: text, prefix: text, attribute: flag, wrapped: flag, nodeType: ['element', 'text'] },
  schema: {
    $id: text,
    $schema: text,
    $anchor: text,
    $dynamicAnchor: text,
    $dynamicRef: ['#one', '#two'],
    $comment: text,
    title: text,
    description: text,
    type: ['object', 'string', 'array', ['object', 'null']],
    format: ['date', 'uuid'],
    enum: [['one'], ['one', 'two'], [{ kind: 1 }]],
    const: [1, 'one', { kind: 1 }],
    default: [{ kind: 'one' }, { kind: 'two' }],
    multipleOf: number,
    maximum: number,
    exclusiveMaximum: number,
    minimum: number,
    exclusiveMinimum: number,
    maxLength: number,
    minLength: number,
    pattern: ['^a', '^b'],
    maxItems: number,
    minItems: number,
    uniqueItems: flag,
    maxContains: number,
    minContains: number,
    maxProperties: number,
    minProperties: number,
    required: [['kind'], ['other']],
    dependentRequired: [{ kind: ['other'] }, { kind: ['another'] }],
    properties: 'schema{}',
    patternProperties: 'schema{}',
    additionalProperties: 'schema',
    propertyNames: 'schema',
    unevaluatedProperties: 'schema',
    unevaluatedItems: 'schema',
    items: 'schema',
    prefixItems: 'schema[]',
    contains: 'schema',
    contentSchema: 'schema',
    contentEncoding: ['base64', 'base16'],
    contentMediaType: ['image/png', 'image/gif'],
    dependentSchemas: 'schema{}',
    allOf: 'schema[]',
    oneOf: 'schema[]',
    anyOf: 'schema[]',
    not: 'schema',
    if: 'schema',
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: 'schema',
    else: 'schema',
    nullable: flag,
    discriminator: 'discriminator',
    readOnly: flag,
    writeOnly: flag,
    xml: 'xml',
    externalDocs: 'docs',
    example: text,
    examples: [['one'], ['two']],
    deprecated: flag,
    'x-extensible-enum': [['one'], ['one', 'two']],
    'x-note': text,
    unknownKeyword: text,
  },
};

/** Changes that need no finding, and why: `kind.field` or `kind.field=value`, or a part of the path. */
const EXCEPTIONS: [pattern: RegExp, why: string][] = load.exceptions;

export const FIXTURES: Record<string, unknown> = load.fixtures;

/** Each object of the fixture with its kind. References stay; what they lead to stands in the components. */
function* objectsIn(
  value: any,
  kind: string,
  path: (string | number)[],
): Generator<[kind: string, path: (string | number)[]]> {
  if (typeof value !== 'object' || value === null) return;
  yield [kind, path];
  for (const [field, of] of Object.entries(MODEL[kind] ?? {})) {
    if (typeof of !== 'string' || value[field] === undefined) continue;
    const child = of.replace(/\W+$/, '');
    if (/\W$/.test(of))
      for (const key of Object.keys(value[field])) yield* objectsIn(value[field][key], child, [...path, field, key]);
    else yield* objectsIn(value[field], child, [...path, field]);
  }
}

const at = (document: any, path: readonly (string | number)[]) => path.reduce((value, key) => value[key], document);

/** The types to which a keyword of a schema applies; the others ignore it. */
const TYPES: [pattern: RegExp, type: string][] = [
  [/^(maximum|minimum|exclusive\w+|multipleOf)$/, 'integer number'],
  [/^(maxLength|minLength|pattern|format|content\w+)$/, 'string'],
  [/^(\w+Items|items|\w*[cC]ontains)$/, 'array'],
  [/(Properties|required|properties|propertyNames|dependent\w+|discriminator)$/, 'object'],
];

function applies(field: string, owner: any, base: any): boolean {
  const target = owner.$ref ? at(base, owner.$ref.split('/').slice(1)) : owner;
  const types = TYPES.find(([pattern]) => pattern.test(field))?.[1];
  if (!types || target.type === undefined) return true;
  return [target.type].flat().some((type: string) => types.includes(type));
}

/** A small object of a kind, and another one. */
const SAMPLES: Record<string, Values> = load.samples;

export function* edits(version: string): Generator<Edit> {
  const base = FIXTURES[version];
  for (const [kind, path] of objectsIn(base, 'document', [])) {
    const owner = at(base, path);
    // Fields beside a `$ref` are ignored, but for those of a schema in 3.1.
    if (owner.$ref !== undefined && (version === '3.0' || kind !== 'schema')) continue;
    for (const [field, of] of Object.entries(MODEL[kind] ?? {})) {
      const was = owner[field];
      if (kind === 'schema' && !applies(field, owner, base)) continue;
      const child = typeof of === 'string' ? of.replace(/\W+$/, '') : '';
      const wrap = (value: unknown) =>
        String(of).endsWith('[]') ? [value] : String(of).endsWith('{}') ? { sample: value } : value;
      const values: unknown[] =
        typeof of === 'string' ? (was === undefined ? (SAMPLES[child]?.slice(0, 1).map(wrap) ?? []) : []) : [...of];
      for (const value of [...values, undefined]) {
        if (JSON.stringify(value) === JSON.stringify(was)) continue;
        const name = `${kind}.${field}: ${JSON.stringify(was)?.slice(0, 40)} → ${JSON.stringify(value)?.slice(0, 40)} at ${path.join('/')}`;
        if (EXCEPTIONS.some(([pattern]) => pattern.test(name)) || !load.isIn(version, kind, field)) continue;
        const head = structuredClone(base);
        const target = at(head, path);
        if (value === undefined) delete target[field];
        else target[field] = value;
        yield { name, base, head };
      }
    }
  }
}
