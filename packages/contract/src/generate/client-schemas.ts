import { createRequire } from 'node:module';
import { isRegExp } from 'node:util/types';
import { type CodeKeywordDefinition, str } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { fastFormats, formatNames, fullFormats } from 'ajv-formats/dist/formats.js';
import { alias, type Document, type Schema } from '../contract.ts';
import { exported } from './jsdoc.ts';

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
const schemasOf = (document: Document) =>
  Object.entries<Schema>(document.components?.schemas ?? {})
    .map(([name, schema]) => ({ name, schema, type: alias(name) }))
    .filter(({ type }) => type !== 'ErrorBody' && type !== 'FieldError');

/** The schemas of an SDK as Standard Schema, each by its name. */
export function clientSchemas(document: Document): string {
  const all = schemasOf(document);
  const constants = all.map(({ schema, type }) => {
    const value = `/* @__PURE__ */ standardSchema(validators.${type})`;
    const doc = schema.description?.trim() ?? '';
    return [
      exported(doc, `const ${type}: StandardSchema<types.${type}> = ${value};`),
      exported(doc, `type ${type} = types.${type};`),
    ].join('\n');
  });
  return [
    '/**\n * The schemas of the API as Standard Schema, for forms.\n *\n * @module\n */',
    `import { type StandardSchema, standardSchema } from '../standard-schema.ts';`,
    `import type * as types from './operations.ts';`,
    `import * as validators from './validators.ts';\n`,
    `export type { Issue, StandardSchema } from '../standard-schema.ts';\n`,
    ...constants,
  ].join('\n');
}

/**
 * The validators of these schemas, compiled by Ajv. They accept every value that the service accepts, and some others: only formats
 * that are regular expressions are checked, and dates not to the day.
 *
 * @throws Error for a keyword whose code needs more of Ajv than the SDK has
 */
export function clientValidators(document: Document): string {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false, code: { source: true, esm: true } });
  for (const name of formatNames) {
    const formats = [fullFormats[name], fastFormats[name]];
    ajv.addFormat(name, formats.find((format) => isRegExp(format)) ?? true);
  }
  for (const [keyword, message] of Object.entries(MESSAGES)) {
    const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition;
    definition.error = { ...definition.error, message: ({ schema }) => str`${message(schema as never)}` };
  }
  ajv.addSchema({ $id: 'contract', components: document.components });
  const names = schemasOf(document).map(({ name, type }) => [
    type,
    `contract#/components/schemas/${encodeURIComponent(name)}`,
  ]);
  const code = names.length > 0 ? standalone.default(ajv, Object.fromEntries(names)) : 'export {};';
  const text = PARTS.reduce(
    (text, part) => text.replaceAll(`require("${part}").default`, () => String(require(part).default)),
    code,
  );
  const missing = text.indexOf('require(');
  if (missing !== -1) throw new Error(`the validators of the SDK need ${text.slice(missing, missing + 60)}`);
  const worded = text.replace(
    TYPE,
    (_, type: string) => `message:"must be ${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}"`,
  );
  const lines = worded.replace(/^"use strict";/, '').replaceAll(/;(?=(const|function|export) )/g, ';\n');
  return `// @ts-nocheck\n\n${lines}\n`;
}
