/** The operations of the contract, read from the bundled document, for the generators. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type * as openapi from '@redocly/openapi-core';
import { keysOf, METHODS } from '@repo/openapi';

export { besides, counted, lettersOf, STABILITIES } from '@repo/contract-review/words';
export { keysOf } from '@repo/openapi';

/** A contract, and the folders of the code that is generated from it, as paths from the root. */
export interface Target {
  contract: string;
  server?: string;
  client?: string;
  /** The SDK of the contract, if any. */
  sdk?: Sdk;
}

export interface Sdk {
  package: string;
  /** The version of the package; undefined for the one whose sources all SDKs share. */
  version?: string;
  /** The variable that holds a client in samples, from which the names of the SDK are made. */
  variable: string;
}

/** The fields of a package.json that name a contract. */
interface Named {
  name: string;
  version: string;
  private?: boolean;
  contract?: { file: string; server?: string; client?: string };
}

/**
 * Every contract that a package of a workspace names in its package.json, in the order of their names.
 *
 * @param root - folder of the workspace
 */
export function targetsOf(root: string): Target[] {
  const targets = new Map<string, Target>();
  for (const file of globSync('{apps,packages}/*/package.json', { cwd: root }).sort()) {
    const named: Named = JSON.parse(readFileSync(path.join(root, file), 'utf8'));
    const { name, version, private: shared, contract } = named;
    if (!contract) continue;
    const folder = path.posix.dirname(file.replaceAll('\\', '/'));
    const target = targets.get(contract.file) ?? { contract: contract.file };
    targets.set(contract.file, target);
    if (contract.server) target.server = `${folder}/${contract.server}`;
    if (contract.client) {
      const variable = nameOf(contract.file).replace(/-([a-z0-9])/g, (_, letter) => letter.toUpperCase());
      Object.assign(target, {
        client: `${folder}/${contract.client}`,
        sdk: { package: name, variable, ...(!shared && { version }) },
      });
    }
  }
  return [...targets.values()].sort((a, b) => (a.contract < b.contract ? -1 : 1));
}

/** `openapi/shop.yaml` → `shop`, and `openapi/shop/openapi.yaml`, too: the folder of a contract of several files */
export const nameOf = (contract: string) =>
  /^openapi\/([^/.]+)\//.exec(contract)?.[1] ?? path.basename(contract).replace(/\.\w+$/, '');

/** Whether others depend on a contract. An SDK that is only for the workspace has no such users. */
export const isReleased = ({ sdk }: Target) => !sdk || sdk.version !== undefined;

export type Operation = NonNullable<ReturnType<typeof describe>>;
export type Parameter = Operation['parameters'][0];
export type Deprecation = NonNullable<Operation['deprecation']>;

/** An OpenAPI document whose references are all local, with our extensions. The lint checks its shape. */
export interface Document extends openapi.Oas3_1Definition {
  info: openapi.Oas3Info;
  servers?: (openapi.Oas3Server & { 'x-environment'?: string })[];
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
}

/**
 * The TypeScript type of a schema. A component schema is referred to by its exported name.
 *
 * @param path - the JSON pointer of a component schema, by which other schemas may name it in a discriminator
 */
export type TypeOf = (schema: openapi.Referenced<Schema> | boolean, path?: string) => string;

function identifier(name: string, kind: string, written = name): string {
  if (/^[A-Za-z_]\w*$/.test(name) && name !== '__proto__') return name;
  throw new Error(`the ${kind} ${written} needs a name that is a TypeScript identifier`);
}

/**
 * The exported name of a component schema. `Error` becomes `ErrorBody`, as JavaScript has an `Error`; `Links-Self` becomes
 * `LinksSelf`.
 */
export function alias(schema: string): string {
  if (schema === 'Error') return 'ErrorBody';
  const parts = /^[\w.-]+$/.test(schema) ? schema.split(/[.-]+/) : [schema];
  return identifier(parts.map((part, index) => (index > 0 ? pascalCase(part) : part)).join(''), 'schema', schema);
}

export const pascalCase = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** The operations of a bundled OpenAPI document, in document order. */
export function operationsOf(document: Document, typeOf: TypeOf): Operation[] {
  const paths = Object.keys(document.paths ?? {});
  const bodies = new Set<string>();
  const operations = paths.flatMap((path) =>
    METHODS.flatMap((method) => describe(document, path, method, typeOf, bodies) ?? []),
  );
  if (bodies.size > 0)
    throw new Error(`describe every body as application/json only, and not ${[...bodies].join(', ')}`);
  return operations;
}

/** @param bodies - receives the bodies that are not JSON */
function describe(
  document: Document,
  path: string,
  method: (typeof METHODS)[number],
  typeOf: TypeOf,
  bodies: Set<string>,
) {
  const item = resolve(document, document.paths?.[path]);
  const operation: (openapi.Oas3Operation<Schema> & Extensions) | undefined = item?.[method];
  // Generated methods are named by the operationId, which the lint requires.
  if (!operation?.operationId) return undefined;
  const { operationId, summary = '', description = '', deprecated, 'x-stability': level } = operation;
  const { 'x-deprecated-at': at, 'x-sunset': sunset, 'x-replaced-by': replacedBy } = operation;
  /** The TypeScript type of a body of `application/json`, its JSON type if there is only one, and its first example. */
  const contentOf = (content: openapi.Oas3Response<Schema>['content']) => {
    const { 'application/json': media, ...others } = content ?? {};
    for (const other of Object.keys(others)) bodies.add(`${operationId} (${other})`);
    if (!media) return undefined;
    const { example = resolve(document, Object.values(media.examples ?? {})[0])?.value } = media;
    return { text: typeOf(media.schema ?? true), type: jsonTypeOf(document, media.schema), example };
  };
  const body = resolve(document, operation.requestBody);
  const content = contentOf(body?.content);
  const responses = Object.entries(operation.responses ?? {}).map(([status, reference]) => {
    const response = resolve(document, reference);
    const headers = Object.entries(response?.headers ?? {}).map(([name, header]) => ({
      name,
      required: resolve(document, header).required === true,
    }));
    return { status, headers, body: contentOf(response?.content) };
  });
  // The lint requires all three for a deprecated operation.
  const deprecation = deprecated && at && sunset && replacedBy ? { at, sunset, replacedBy } : undefined;
  return {
    id: identifier(operationId, 'operationId'),
    method,
    path,
    summary: String(summary),
    description: String(description),
    deprecation,
    stability: (['experimental', 'beta'] as const).find((each) => each === level),
    parameters: parametersOf(document, [item?.parameters ?? [], operation.parameters ?? []], typeOf),
    body: content && {
      required: body?.required === true,
      defaults: defaultsOf(document, body?.content?.['application/json']?.schema),
      ...content,
    },
    success: responses.filter(({ status }) => status.startsWith('2')),
    failures: responses.filter(({ status }) => /^([345]\d\d|default)$/.test(status)),
  };
}

/** The JSON type of a schema, which may be composed; undefined if there are several types. */
function jsonTypeOf(
  document: Document,
  reference: openapi.Referenced<Schema> | undefined,
  within: unknown[] = [],
): string | undefined {
  const schema: Schema = Object(resolve(document, reference));
  const typesOf = (schemas: Schema[] = []) =>
    within.includes(schema) ? [] : schemas.map((each) => jsonTypeOf(document, each, [...within, schema]));
  if (schema.type) return typeof schema.type === 'string' ? schema.type : undefined;
  const [type, ...others] = new Set(typesOf(schema.oneOf ?? schema.anyOf));
  const composed = typesOf(schema.allOf).find(Boolean);
  return (others.length === 0 ? type : undefined) ?? composed ?? (schema.properties ? 'object' : undefined);
}

/** The fields of an object with a default, which the server fills in. */
function defaultsOf(
  document: Document,
  reference: openapi.Referenced<Schema> | undefined,
  within: unknown[] = [],
): string[] {
  const { properties = {}, allOf = [] }: Schema = Object(resolve(document, reference));
  const own = Object.keys(properties).filter(
    (name) => Object(resolve(document, properties[name])).default !== undefined,
  );
  return [
    ...own,
    ...(within.includes(allOf) ? [] : allOf).flatMap((each) => defaultsOf(document, each, [...within, allOf])),
  ];
}

/** Parameters of the path item, overridden by the operation's by name and location (OpenAPI 3.1, Operation Object). */
function parametersOf(
  document: Document,
  lists: openapi.Referenced<openapi.Oas3Parameter<Schema>>[][],
  typeOf: TypeOf,
) {
  const parameters = lists.flat().map((reference) => {
    const parameter = resolve(document, reference);
    // The schema is resolved. It is empty for a parameter with `content`.
    const schema: Schema = resolve(document, parameter.schema) ?? {};
    return { ...parameter, schema, text: typeOf(parameter.schema ?? { type: 'string' }) };
  });
  return [...new Map(parameters.map((one) => [`${one.in} ${one.name}`, one])).values()];
}

/** Follows local `$ref`s to the value. */
export function resolve<Value>(document: Document, value: openapi.Referenced<Value>): Value {
  if (!isReference(value)) return value;
  const target = keysOf(value.$ref).reduce<unknown>((node, key) => Object(node)[key], document);
  // The lint checks that the target of a reference is of the right kind.
  return resolve(document, target as openapi.Referenced<Value>);
}

const isReference = (value: unknown): value is openapi.OasRef => Object(value).$ref !== undefined;
