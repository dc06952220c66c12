import type { ErrorObject } from 'ajv';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';
import type { Operation } from './exchange.ts';

/** Annotations of OpenAPI and of this contract, which a strict Ajv would refuse. */
const ANNOTATIONS = ['example', 'x-extensible-enum'];

/**
 * Validates requests against the contract with Ajv (JSON Schema 2020-12), strictly: nothing is removed, a body is never
 * coerced, and a query or path value becomes an integer only when it is written in decimal digits.
 */
export function registerValidation(app: FastifyInstance): void {
  const body = createAjv({});
  const parameters = createAjv({ useDefaults: true });
  app.setSchemaErrorFormatter(([error], place) => validationFailure(error as unknown as ErrorObject, place));
  app.setValidatorCompiler<AnySchemaObject>(({ schema, httpPart }) => {
    if (httpPart === 'body') return body.compile(schema);
    const validate = parameters.compile(httpPart === 'headers' ? lowerCaseNames(schema) : schema);
    const integers = integerNames(schema);
    return (values: Record<string, unknown>) => {
      for (const name of integers) values[name] = decimal(values[name]);
      if (validate(values)) return { value: values };
      return { error: validate.errors as unknown as Error };
    };
  });
}

function createAjv(options: { useDefaults?: boolean }): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, strictTypes: true, allowUnionTypes: true, ...options });
  addFormats.default(ajv);
  ajv.addVocabulary(ANNOTATIONS);
  return ajv;
}

/** Node.js has the names of headers in lower case. */
function lowerCaseNames(schema: AnySchemaObject): AnySchemaObject {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [name.toLowerCase(), property]);
  const required = schema.required?.map((name: string) => name.toLowerCase());
  return { ...schema, properties: Object.fromEntries(properties), ...(required && { required }) };
}

function integerNames(schema: AnySchemaObject): string[] {
  const properties = Object.entries<AnySchemaObject>(schema.properties ?? {});
  return properties.filter(([, property]) => property.type === 'integer').map(([name]) => name);
}

/** `"20"` → 20. Anything else (`0x10`, `1e1`, `+5`, ``, an array) stays as it is and fails its schema. */
function decimal(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
}

/**
 * What a schema for the query cannot see: an operation without parameters, and a missing body.
 *
 * @returns the failure: 400
 */
export function checkRequest(operation: Operation, { query, body }: FastifyRequest): ApiError | undefined {
  for (const name in query as Record<string, unknown>) {
    if (!operation.queryParameters.includes(name)) {
      return new ApiError(400, `query parameter ${quote(name)} is not known`);
    }
    if (Array.isArray((query as Record<string, unknown>)[name])) {
      return new ApiError(400, `query parameter ${name} is given more than once`);
    }
  }
  return operation.bodyRequired && body === undefined ? new ApiError(400, 'body is required') : undefined;
}

/** A failed schema as an answer that names the field. A path value that fits no animal is a 404: there is no such thing. */
function validationFailure(error: ErrorObject, context: string): ApiError {
  if (context === 'params') return new ApiError(404, 'The requested resource could not be found');
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  const places: Record<string, string> = { querystring: `query parameter ${path}`, headers: `header ${path}` };
  const place = places[context] ?? ['body', path].filter(Boolean).join('.');
  const reason = REASONS[error.keyword]?.(error.params) ?? ` ${error.message}`;
  return new ApiError(400, place + reason);
}

/** What follows the name of the place, by the keyword of the schema that the value fails. */
const REASONS: Record<string, (params: ErrorObject['params']) => string> = {
  required: ({ missingProperty }) => `.${missingProperty} is required`,
  additionalProperties: ({ additionalProperty }) => `.${quote(additionalProperty)} is not a known field`,
  enum: ({ allowedValues }) => ` must be one of ${allowedValues.join(', ')}`,
  pattern: () => ' has a character that is not allowed',
  minLength: ({ limit }) => (limit === 1 ? ' must not be empty' : ` must have at least ${limit} characters`),
  maxLength: ({ limit }) => ` must have at most ${limit} characters`,
  minimum: ({ limit }) => ` must be at least ${limit}`,
  maximum: ({ limit }) => ` must be at most ${limit}`,
  type: ({ type }) => ` must be ${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`,
};

/** A name that the client chose, short enough for a message. */
function quote(name: string): string {
  return name.length > 64 ? `${name.slice(0, 64)}…` : name;
}
