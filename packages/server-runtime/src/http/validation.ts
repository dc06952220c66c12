import type { ErrorObject } from 'ajv';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import type { Operation } from '../contract.ts';
import { ApiError, NOT_FOUND } from '../errors.ts';

/**
 * Validates requests against the contract with Ajv (JSON Schema 2020-12). Nothing is removed, and bodies are never coerced; a
 * query or path value becomes a number or a boolean only if it is written as one, and the values of a query array its items.
 */
export function registerValidation(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => done(ruleFailure(request)));
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true, useDefaults: true });
  addFormats.default(ajv);
  ajv.addFormat('decimal', /^-?\d+(\.\d+)?$/);
  // Annotations that a strict Ajv refuses unless it knows them.
  ajv.addVocabulary(['example', 'x-extensible-enum', 'discriminator', 'xml', 'externalDocs']);
  app.setSchemaErrorFormatter(([error], place) => validationFailure(error as ErrorObject, place));
  const compile: FastifySchemaCompiler<AnySchemaObject> = ({ schema, httpPart }) => {
    // A format that only the contract's readers know is an annotation.
    for (const [, format = ''] of JSON.stringify(schema).matchAll(/"format":"([^"]*)"/g))
      if (!(format in ajv.formats)) ajv.addFormat(format, true);
    const validate = ajv.compile(schema);
    if (httpPart === 'body') return validate;
    const parameters = Object.entries<AnySchemaObject>(schema.properties ?? {});
    return (values: Record<string, unknown>) => {
      for (const [name, { type, items }] of parameters) {
        const value = values[name];
        if (value === undefined) continue;
        if (type === 'array') values[name] = [value].flat().map((each) => read(each, items?.type));
        else values[name] = read(value, type);
      }
      if (validate(values)) return { value: values };
      return { error: validate.errors ?? [] };
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
  for (const name in query as Record<string, unknown>) {
    if (!queryParameters.includes(name)) {
      return new ApiError(400, `query parameter ${quote(name)} is unknown`);
    }
    if (Array.isArray((query as Record<string, unknown>)[name]) && properties[name]?.type !== 'array') {
      return new ApiError(400, `query parameter ${name} is given more than once`);
    }
  }
  return bodyRequired && body === undefined ? new ApiError(400, 'body is required') : undefined;
}

/** The failure of a schema, with the name of the field. A path value that fails its schema is a 404. */
function validationFailure(error: ErrorObject, context: string): ApiError {
  if (context === 'params') return new ApiError(404, NOT_FOUND);
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  const places: Record<string, string> = { querystring: `query parameter ${path}`, headers: `header ${path}` };
  const place = places[context] ?? ['body', path].filter(Boolean).join('.');
  const reason = REASONS[error.keyword]?.(error.params) ?? ` ${error.message}`;
  return new ApiError(400, place + reason);
}

/** The end of the message, by the keyword that failed. */
const REASONS: Record<string, (params: ErrorObject['params']) => string> = {
  required: ({ missingProperty }) => `.${missingProperty} is required`,
  additionalProperties: ({ additionalProperty }) => `.${quote(additionalProperty)} is unknown`,
  enum: ({ allowedValues }) => ` must be one of ${allowedValues.join(', ')}`,
  pattern: () => ' contains an invalid character',
  minLength: ({ limit }) => (limit === 1 ? ' must not be empty' : ` must have at least ${limit} characters`),
  maxLength: ({ limit }) => ` must have at most ${limit} characters`,
  minimum: ({ limit }) => ` must be at least ${limit}`,
  maximum: ({ limit }) => ` must be at most ${limit}`,
  minProperties: ({ limit }) => (limit === 1 ? ' must not be empty' : ` must have at least ${limit} properties`),
  type: ({ type }) => ` must be ${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`,
};

/** Shortens a name chosen by the client. */
function quote(name: string): string {
  return name.length > 64 ? `${name.slice(0, 64)}…` : name;
}
