import { createRequire } from 'node:module';
import { isRegExp } from 'node:util/types';
import { closed, mapValues, refTo, schemaIn, withoutAnnotations } from '@petstore-platform/openapi';
import { type CodeKeywordDefinition, str } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { fastFormats, formatNames, fullFormats } from 'ajv-formats/dist/formats.js';
import type { Document, Operation, Schema } from '../contract.ts';
import type { Words } from './client-sdk.ts';
import { exported } from './jsdoc.ts';
import { CLIENT_RUNTIME, type Names } from './names.ts';
import { prose, quoted } from './values.ts';

/** Modules that Ajv's code requires. Their text is inlined, because the SDK does not depend on Ajv. */
const PARTS = ['ajv/dist/runtime/ucs2length', 'ajv/dist/runtime/equal'];
const require = createRequire(import.meta.url);

const atLeast = (limit: number, noun: string) =>
  limit === 1 ? 'must not be empty' : `must have at least ${limit} ${noun}`;

/** A pattern that only says which characters a text has, as in the server's `field-errors.ts`. */
const CHARACTERS = /^\^(?:\(\?![^()]*\))?\[(?:\\.|[^\]\\])*\][*+]\$$/;

/** The messages of the service, by keyword of JSON Schema. */
const MESSAGES: Record<string, (value: never) => string> = {
  required: () => 'is required',
  additionalProperties: () => 'is unknown',
  unevaluatedProperties: () => 'is unknown',
  enum: (values: unknown[]) => `must be one of ${values.join(', ')}`,
  pattern: (pattern: string) =>
    CHARACTERS.test(pattern) ? 'contains an invalid character' : `must match pattern "${pattern}"`,
  minLength: (limit: number) => atLeast(limit, 'characters'),
  maxLength: (limit: number) => `must have at most ${limit} characters`,
  minItems: (limit: number) => atLeast(limit, 'items'),
  maxItems: (limit: number) => `must have at most ${limit} items`,
  minimum: (limit: number) => `must be at least ${limit}`,
  maximum: (limit: number) => `must be at most ${limit}`,
  minProperties: (limit: number) => atLeast(limit, 'properties'),
};
/** The message about a wrong type. It is the same for all of Ajv, because it belongs to no keyword. */
const TYPE = /message:"must be ((?:string|number|integer|boolean|object|array|null)(?:,[a-z]+)*)"/g;

/** The schemas of the contract except those of errors, by their names in TypeScript. */
const schemasOf = (document: Document, names: Names) =>
  Object.entries<Schema>(document.components?.schemas ?? {})
    .filter(([name]) => name !== 'Error' && name !== 'FieldError')
    .map(([name, schema]) => ({ name, schema, type: names.schema(name) }));

/** The schemas of an SDK as Standard Schema, each by its name. */
export function clientSchemas(document: Document, names: Names, { variable }: Words): string {
  const all = schemasOf(document, names);
  const constants = all.map(({ schema, type }) => {
    const value = `/* @__PURE__ */ standardSchema(validators.${type}, ${quoted(variable)})`;
    const doc = prose(schema.description?.trim() ?? '');
    return [
      exported(doc, `const ${type}: StandardSchema<types.${type}> = ${value};`),
      exported(doc, `type ${type} = types.${type};`),
    ].join('\n');
  });
  return [
    '/**\n * The schemas of the API as Standard Schema, for forms.\n *\n * @module\n */',
    `import { type StandardSchema, standardSchema } from '${CLIENT_RUNTIME}/schemas';`,
    `import type * as types from './operations.ts';`,
    `import * as validators from './validators.ts';\n`,
    `export type { Issue, StandardSchema } from '${CLIENT_RUNTIME}/schemas';\n`,
    ...constants,
  ].join('\n');
}

/** The schemas as forms validate them: closed if they are the bodies of requests, as in the service. */
function validated(document: Document, operations: Operation[]): { components: object; schemas: object } {
  const components: Record<string, Schema> = mapValues(document.components?.schemas ?? {}, withoutAnnotations);
  const bodies = operations.flatMap(({ body }) => schemaIn(Object(body?.schema).$ref) ?? []);
  const sent = Object.fromEntries(bodies.map((name) => [name, components[name] ?? true]));
  const { values, schemas } = closed(sent, components);
  return { components: { schemas: { ...components, ...values } }, schemas };
}

/**
 * The validators of these schemas, compiled by Ajv. They accept every value that the service accepts, and some others: only formats
 * that are regular expressions are checked, and dates not to the day.
 *
 * @throws Error for a keyword whose code needs more of Ajv than the SDK has
 */
export function clientValidators(document: Document, operations: Operation[], names: Names): string {
  const schemas = validated(document, operations);
  const options = {
    strict: false,
    allErrors: true,
    logger: false,
    validateSchema: false,
    multipleOfPrecision: 9,
  } as const;
  // Each field is checked for its owner only beside a name that every object inherits.
  let ownProperties = false;
  JSON.stringify(schemas, (key, value) => {
    ownProperties ||= key in {} || (typeof value === 'string' && value in {});
    return value;
  });
  const ajv = new Ajv2020({ ...options, ownProperties, code: { source: true, esm: true, lines: true } });
  for (const name of formatNames) {
    const formats = [fullFormats[name], fastFormats[name]];
    ajv.addFormat(name, formats.find((format) => isRegExp(format)) ?? true);
  }
  for (const [keyword, message] of Object.entries(MESSAGES)) {
    const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition;
    definition.error = { ...definition.error, message: ({ schema }) => str`${message(schema as never)}` };
  }
  ajv.addSchema({ $id: 'contract', ...schemas });
  // Ajv exports only names of ASCII.
  const others: string[] = [];
  const targets = schemasOf(document, names).map(({ name, type }) => {
    const exported = /^\w+$/.test(type) ? type : `other${others.push(type) - 1}`;
    return [exported, `contract${refTo(name)}`];
  });
  const renamed = others.map((type, index) => `export { other${index} as ${type} };\n`).join('');
  const code = targets.length > 0 ? standalone.default(ajv, Object.fromEntries(targets)) : 'export {};';
  const text = PARTS.reduce(
    (text, part) => text.replaceAll(`require("${part}").default`, () => String(require(part).default)),
    code.replace(/^"use strict";/, ''),
  );
  const [needed] = text.match(/^const \w+ = require\(.*/m) ?? [];
  if (needed) throw new Error(`the validators of the SDK need ${needed}`);
  return `// @ts-nocheck\n\n${renamed}${text.replace(TYPE, (_, type) => `message:"must be ${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}"`)}\n`;
}
