import type { ErrorObject } from 'ajv';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import type { Operation } from '../contract.ts';
import { ApiError, NOT_FOUND } from '../errors.ts';
import { below, fieldErrors, MOST, reasonOf } from './field-errors.ts';

/**
 * Validates requests against the contract with Ajv (JSON Schema 2020-12). Nothing is removed, and bodies are never coerced; a
 * query or path value becomes a number or a boolean only if it is written as one, and the values of a query array its items.
 */
export function registerValidation(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => done(ruleFailure(request)));
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true, useDefaults: true });
  /** For parts of schemas that `ajv` has accepted as a whole. */
  const lax = new Ajv2020({ strict: false, logger: false });
  for (const each of [ajv, lax]) addFormats.default(each).addFormat('decimal', /^-?\d+(\.\d+)?$/);
  // Annotations that a strict Ajv refuses unless it knows them.
  ajv.addVocabulary(['example', 'x-extensible-enum', 'discriminator', 'xml', 'externalDocs']);
  const compile: FastifySchemaCompiler<AnySchemaObject> = ({ schema, httpPart }) => {
    // A format that only the contract's readers know is an annotation.
    for (const [, format = ''] of JSON.stringify(schema).matchAll(/"format":"([^"]*)"/g))
      if (!(format in ajv.formats)) ajv.addFormat(format, true);
    const validate = ajv.compile(schema);
    const failure = (value: unknown) => {
      const [error] = validate.errors as [ErrorObject];
      const [noun = '', root = ''] = PLACES[`${httpPart}`] ?? [];
      if (!root) return new ApiError(404, NOT_FOUND);
      return new ApiError(400, messageOf(error, noun), { errors: fieldErrors(lax, schema, value, root) });
    };
    if (httpPart === 'body') return (value: unknown) => (validate(value) ? true : { error: failure(value) });
    const parameters = Object.entries<AnySchemaObject>(schema.properties ?? {});
    return (values: Record<string, unknown>) => {
      for (const [name, { type, items }] of parameters) {
        const value = values[name];
        if (value === undefined) continue;
        if (type === 'array') values[name] = [value].flat().map((each) => read(each, items?.type));
        else values[name] = read(value, type);
      }
      return validate(values) ? { value: values } : { error: failure(values) };
    };
  };
  // For `setValidatorCompiler`, Fastify does not convert header names to lower case, which Node.js has. The type is wrong.
  app.setSchemaController({ compilersFactory: { buildValidator: (() => compile) as never } });
}

const WRITTEN: Record<string, RegExp> = { integer: /^-?\d+$/, number: /^-?\d+(\.\d+)?$/, boolean: /^(true|false)$/ };

/** `"20"` → 20, `"true"` → true. Any other value (`0x10`, `1e1`, `+5`, ``, an array) stays unchanged and fails its schema. */
function read(value: unknown, types: unknown): unknown {
  const isWritten = (type: unknown) => typeof value === 'string' && WRITTEN[`${type}`]?.test(value);
  return [types].flat().some(isWritten) ? JSON.parse(`${value}`.replace(/^(-?)0+(?=\d)/, '$1')) : value;
}

/** The failure of a rule that is in no schema: parameters of an operation that has none, repeated parameters, a missing body. */
function ruleFailure({ query, body, raw, routeOptions }: FastifyRequest): ApiError | undefined {
  const { queryParameters, bodyRequired } = raw.exchange.operation as Operation;
  const { properties = {} }: AnySchemaObject = Object(routeOptions.schema?.querystring);
  const values = Object.entries(query as Record<string, unknown>);
  const failures = values.flatMap(([name, value]): [name: string, message: string][] => {
    if (!queryParameters.includes(name)) return [[quote(name), 'is unknown']];
    return Array.isArray(value) && properties[name]?.type !== 'array' ? [[name, 'is given more than once']] : [];
  });
  const [[name, message] = []] = failures;
  const errors = failures.slice(0, MOST).map(([name, message]) => ({ pointer: below('/query', name), message }));
  if (name) return new ApiError(400, `query parameter ${name} ${message}`, { errors });
  if (!bodyRequired || body !== undefined) return undefined;
  return new ApiError(400, 'body is required', { errors: [{ pointer: '/body', message: 'is required' }] });
}

/** What messages call the parts of a request, and their pointers. A path value that fails its schema is a 404. */
const PLACES: Record<string, [noun: string, pointer: string]> = {
  body: ['body.', '/body'],
  querystring: ['query parameter ', '/query'],
  headers: ['header ', '/header'],
};

/** The failure of a schema, with the name of the field. */
function messageOf(error: ErrorObject, noun: string): string {
  const { field, reason } = reasonOf(error);
  const names = error.instancePath.split('/').slice(1);
  if (field !== undefined) names.push(quote(field));
  return `${names.length > 0 ? noun + names.join('.') : noun.slice(0, -1)} ${reason}`;
}

/** Shortens a name chosen by the client. */
function quote(name: string): string {
  return name.length > 64 ? `${name.slice(0, 64)}…` : name;
}
