import type { ErrorObject } from 'ajv';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import type { Operation, Schema } from '../contract.ts';
import { ApiError, NOT_FOUND } from '../errors.ts';
import { below, fieldErrors, MOST, reasonOf } from './field-errors.ts';

/**
 * Validates requests against the contract with Ajv (JSON Schema 2020-12). Nothing is removed, and bodies are never coerced. Query and path
 * values become numbers or booleans only if they are written as such. The values of a query array become its items.
 *
 * @param schemas - those to which `$ref`s of the form `#/schemas/<name>` lead
 * @param schemaOf - finds the schema of a part of requests by that of its route
 */
export function registerValidation(
  app: FastifyInstance,
  schemas: Readonly<Record<string, Schema>> = {},
  schemaOf = (written: AnySchemaObject) => written,
): void {
  app.addHook('preValidation', (request, _reply, done) => done(ruleFailure(request)));
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true, useDefaults: true });
  /** Compiles parts of schemas that `ajv` has accepted as a whole, so that their own schema is not compiled at the first failure. */
  const lax = new Ajv2020({ strict: false, logger: false, validateSchema: false });
  for (const each of [ajv, lax]) addFormats.default(each).addFormat('decimal', /^-?\d+(\.\d+)?$/);
  // A strict Ajv refuses annotations that it does not know.
  ajv.addVocabulary(['schemas', 'example', 'x-extensible-enum', 'discriminator', 'xml', 'externalDocs']);
  const compile: FastifySchemaCompiler<AnySchemaObject> = ({ schema: written, httpPart }) => {
    const schema = schemaOf(written);
    // A format that only the contract's readers know is an annotation.
    for (const [, format = ''] of JSON.stringify([schema, schemas]).matchAll(/"format":"([^"]*)"/g))
      if (!(format in ajv.formats)) ajv.addFormat(format, true);
    const validate = ajv.compile({ ...schema, schemas });
    const failure = (value: unknown) => {
      const [error] = validate.errors as [ErrorObject];
      const [noun = '', root = ''] = PLACES[`${httpPart}`] ?? [];
      if (!root) return new ApiError(404, NOT_FOUND);
      const errors = fieldErrors(lax, inlined(schema, schemas) as AnySchemaObject, value, root);
      // Ajv's first failure is that of the first alternative.
      const [first] = /\/(oneOf|anyOf)\//.test(error.schemaPath) ? errors : [];
      const { field, reason } = reasonOf(error);
      const message = first
        ? messageOf(noun, first.pointer.slice(root.length), first.message)
        : messageOf(noun, error.instancePath, reason, field);
      return new ApiError(400, message, { errors });
    };
    if (httpPart === 'body') return (value: unknown) => (validate(value) ? true : { error: failure(value) });
    const parameters = Object.entries<AnySchemaObject>(schema.properties ?? {}).map(([name, { type, items }]) => {
      const isArray = type === 'array';
      return { name, isArray, patterns: patternsOf(isArray ? items?.type : type) };
    });
    return (values: Record<string, unknown>) => {
      for (const { name, isArray, patterns } of parameters) {
        const value = values[name];
        if (value === undefined) continue;
        values[name] = isArray ? [value].flat().map((each) => read(each, patterns)) : read(value, patterns);
      }
      return validate(values) ? { value: values } : { error: failure(values) };
    };
  };
  // With `setValidatorCompiler`, Fastify would not convert header names to lower case, which Node.js uses. The types of these are wrong.
  const buildValidator = (() => compile) as never;
  // Responses are text that Postgres wrote, or errors. Compiling a serializer for each of their schemas would slow the start down.
  const buildSerializer = (() => () => JSON.stringify) as never;
  app.setSchemaController({ compilersFactory: { buildValidator, buildSerializer } });
}

/** A schema with others in place of its references, as deep as messages go. */
function inlined(schema: unknown, schemas: Readonly<Record<string, Schema>>, depth = 0): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((each) => inlined(each, schemas, depth));
  const { $ref, ...own } = schema as AnySchemaObject;
  const copy = Object.fromEntries(Object.entries(own).map(([key, each]) => [key, inlined(each, schemas, depth)]));
  if (typeof $ref !== 'string') return $ref === undefined ? copy : { ...copy, $ref: inlined($ref, schemas, depth) };
  const target = depth < 4 && schemas[decodeURIComponent($ref.slice('#/schemas/'.length))];
  return typeof target === 'object' ? { ...(inlined(target, schemas, depth + 1) as object), ...copy } : copy;
}

const WRITTEN: Record<string, RegExp> = { integer: /^-?\d+$/, number: /^-?\d+(\.\d+)?$/, boolean: /^(true|false)$/ };

const patternsOf = (types: unknown): RegExp[] => [types].flat().flatMap((type) => WRITTEN[`${type}`] ?? []);

/** `"20"` → 20, `"true"` → true. Any other value (`0x10`, `1e1`, `+5`, ``, an array) stays unchanged and fails its schema. */
function read(value: unknown, patterns: RegExp[]): unknown {
  if (typeof value !== 'string' || !patterns.some((pattern) => pattern.test(value))) return value;
  return JSON.parse(value.replace(/^(-?)0+(?=\d)/, '$1'));
}

/** The failure of a rule that is in no schema: parameters of an operation that has none, repeated parameters, a missing body. */
function ruleFailure({ query, body, raw }: FastifyRequest): ApiError | undefined {
  const { parameters, body: declared } = raw.exchange.operation as Operation;
  const values = query as Record<string, unknown>;
  const failures: [name: string, message: string][] = [];
  for (const name in values) {
    const parameter = parameters.find((each) => each.in === 'query' && each.name === name);
    if (!parameter) failures.push([quote(name), 'is unknown']);
    else if (Array.isArray(values[name]) && (parameter.schema as AnySchemaObject).type !== 'array')
      failures.push([name, 'is given more than once']);
  }
  const [first] = failures;
  if (first) {
    const errors = failures.slice(0, MOST).map(([name, message]) => ({ pointer: below('/query', name), message }));
    return new ApiError(400, `query parameter ${first[0]} ${first[1]}`, { errors });
  }
  if (!declared?.required || body !== undefined) return undefined;
  return new ApiError(400, 'body is required', { errors: [{ pointer: '/body', message: 'is required' }] });
}

/** The nouns for the parts of a request in messages, and their pointers. A path value that fails its schema is a 404. */
const PLACES: Record<string, [noun: string, pointer: string]> = {
  body: ['body.', '/body'],
  querystring: ['query parameter ', '/query'],
  headers: ['header ', '/header'],
};

function messageOf(noun: string, pointer: string, reason: string, field?: string): string {
  const names = pointer.split('/').slice(1);
  if (field !== undefined) names.push(quote(field));
  return `${names.length > 0 ? noun + names.join('.') : noun.slice(0, -1)} ${reason}`;
}

/** Shortens a name chosen by the client. */
function quote(name: string): string {
  return name.length > 64 ? `${name.slice(0, 64)}…` : name;
}
