import type { ErrorObject } from 'ajv';
import type { AnySchema, AnySchemaObject } from 'ajv/dist/2020.js';
import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import type { FieldError, Operation } from '../contract.ts';
import { ApiError, NOT_FOUND } from '../errors.ts';
import { fieldErrors, MOST } from './field-errors.ts';
import { isFraction, isRounded } from './numbers.ts';
import { below, fieldError, nameOf, quote, reasonOf } from './reasons.ts';
import { Compiler, isKeyed, type Schemas } from './schemas.ts';
import { type ReadStyles, stylesReader } from './styles.ts';

/**
 * Validates requests against the contract with Ajv (JSON Schema 2020-12). Nothing is removed but read-only fields that the contract
 * ignores, and bodies are never coerced. Query and path values become numbers or booleans only if they are written as such. The values
 * of a query array become its items.
 *
 * @param schemas - those to which `$ref`s of the form `#/schemas/<name>` lead
 * @param schemaOf - finds the schema of a part of requests by that of its route
 */
export function registerValidation(
  app: FastifyInstance,
  schemas?: Schemas,
  schemaOf = (written: AnySchemaObject) => written,
): void {
  const compiler = new Compiler(schemas);
  const readStyles = stylesReader(({ schema }) => typesOf(compiler, schema).includes('array'));
  app.addHook('preValidation', (request, _reply, done) => done(ruleFailure(readStyles, request)));
  const compile: FastifySchemaCompiler<AnySchemaObject> = ({ schema: written, httpPart }) => {
    const schema = schemaOf(written);
    const validate = compiler.compile(schema);
    const part = POINTERS[`${httpPart}`];
    /** Validates a value, and says why it fails. Nothing that a client sends can make this throw. */
    const failureOf = (value: unknown): ApiError | undefined => {
      if (validate(value)) return undefined;
      return part ? wordedFailure(compiler, schema, value, part, validate.errors) : new ApiError(404, NOT_FOUND);
    };
    if (httpPart === 'body' && !written[TEXTS]) {
      return (value: unknown) => {
        const error = failureOf(value);
        return error ? { error } : true;
      };
    }
    const parameters = Object.entries(propertiesOf(compiler, schema)).map(([name, parameter]) => {
      const types = typesOf(compiler, parameter);
      const isArray = types.includes('array');
      const fieldPatterns = (field: string) => patternsOf(fieldTypesOf(compiler, parameter, field));
      return { name, isArray, fieldPatterns, patterns: patternsOf(isArray ? itemTypesOf(compiler, parameter) : types) };
    });
    return (values: Record<string, unknown>) => {
      const rounded: string[] = [];
      for (const { name, isArray, patterns, fieldPatterns } of parameters) {
        const value = values[name];
        if (value === undefined) continue;
        if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null) {
          const fields = value as Record<string, unknown>;
          for (const field in fields) {
            const text = fields[field];
            fields[field] = readText(text, fieldPatterns(field));
            if (isRoundedFrom(text, fields[field])) rounded.push(name);
          }
          continue;
        }
        const given = isArray || Array.isArray(value) ? [value].flat() : undefined;
        const read = given ? given.map((text) => readText(text, patterns)) : readText(value, patterns);
        const isLossy = Array.isArray(read)
          ? read.some((one, index) => isRoundedFrom(given?.[index], one))
          : isRoundedFrom(value, read);
        if (isLossy) rounded.push(name);
        values[name] = read;
      }
      const error = failureOf(values);
      if (error || rounded.length === 0) return error ? { error } : true;
      if (!part) return { error: new ApiError(404, NOT_FOUND) };
      const pointers = rounded.map((name) => below(part, name));
      return { error: roundedFailure(pointers, nameOf(part, rounded[0])) };
    };
  };
  // The schemas are satisfied.
  app.addHook('preHandler', ({ raw: { state } }, _reply, done) => {
    const [first] = state.rounded ?? [];
    done(first === undefined ? undefined : roundedFailure(state.rounded, nameOf(first)));
  });
  // With `setValidatorCompiler`, Fastify would not convert header names to lower case, which Node.js uses. The types of these are wrong.
  const buildValidator = (() => compile) as never;
  // Responses are text that Postgres wrote, or errors. Compiling a serializer for each of their schemas would slow the start down.
  const buildSerializer = (() => () => JSON.stringify) as never;
  app.setSchemaController({ compilersFactory: { buildValidator, buildSerializer } });
}

/** The keyword for the schema of a form, whose values are texts as those of a query. */
export const TEXTS = 'x-texts';

const ROUNDED = 'is a number that is not kept exactly';

const roundedFailure = (pointers: string[], name: string) =>
  new ApiError(400, `${name} ${ROUNDED}`, {
    errors: pointers.slice(0, MOST).map((pointer) => fieldError(pointer, ROUNDED)),
  });

/** The failure of a value by what Ajv found first, with all failures for forms. */
function wordedFailure(
  compiler: Compiler,
  schema: AnySchemaObject,
  value: unknown,
  pointer: string,
  found: ErrorObject[] | null | undefined,
): ApiError {
  const [error] = found as [ErrorObject];
  const { field, path, reason } = reasonOf(error);
  const own = fieldError(`${pointer}${error.instancePath}${path}`, reason);
  const errors = listed(() => fieldErrors(compiler, schema, value, pointer)) ?? [own];
  const isListed = errors.some((each) => each.pointer === own.pointer && each.message === own.message);
  // Ajv's first failure is that of the first alternative.
  const [first] = isListed ? [] : errors;
  const message = first
    ? `${nameOf(first.pointer)} ${first.message}`
    : `${nameOf(`${pointer}${error.instancePath}`, field)} ${reason}`;
  return new ApiError(400, message, { errors });
}

/** The failures, if there are any: a list that cannot be made must not hide that the request is refused. */
function listed(list: () => FieldError[]): FieldError[] | undefined {
  try {
    const errors = list();
    return errors.length > 0 ? errors : undefined;
  } catch {
    return undefined;
  }
}

/** The types that a schema admits by its keywords, those of its parts included. */
function typesOf(compiler: Compiler, schema: AnySchema, depth = 0): string[] {
  const target = compiler.resolve(schema);
  if (!isKeyed(target) || depth > 8) return [];
  const { type, enum: values, const: only, allOf = [], anyOf = [], oneOf = [] } = target;
  const own: string[] = type ?? (values ?? [only]).map((value: unknown) => typeof value);
  return [own, ...[allOf, anyOf, oneOf].flat().map((part) => typesOf(compiler, part, depth + 1))].flat();
}

/** The properties of an object and its parts. */
function propertiesOf(compiler: Compiler, schema: AnySchema, depth = 0): Record<string, AnySchema> {
  const target = compiler.resolve(schema);
  if (!isKeyed(target) || depth > 8) return {};
  const { properties, allOf = [], anyOf = [], oneOf = [] } = target;
  const parts = [allOf, anyOf, oneOf].flat().map((part: AnySchema) => propertiesOf(compiler, part, depth + 1));
  return Object.assign({}, ...parts, properties);
}

/** The types of a field of an object. */
function fieldTypesOf(compiler: Compiler, schema: AnySchema, field: string, depth = 0): string[] {
  const target = compiler.resolve(schema);
  if (!isKeyed(target) || depth > 8) return [];
  const { properties, additionalProperties, allOf = [], anyOf = [], oneOf = [] } = target;
  const own = Object.hasOwn(Object(properties), field) ? properties[field] : additionalProperties;
  const parts = [allOf, anyOf, oneOf].flat().flatMap((part) => fieldTypesOf(compiler, part, field, depth + 1));
  return [...(own === undefined ? [] : typesOf(compiler, own)), ...parts];
}

/** The types of the items of an array. */
function itemTypesOf(compiler: Compiler, schema: AnySchema): string[] {
  const target = compiler.resolve(schema);
  if (!isKeyed(target)) return [];
  const own = target.items === undefined ? [] : typesOf(compiler, target.items);
  const parts: AnySchema[] = [target.allOf ?? [], target.anyOf ?? [], target.oneOf ?? []].flat();
  return [...own, ...parts.flatMap((part) => itemTypesOf(compiler, part))];
}

const WRITTEN: Record<string, RegExp> = {
  integer: /^-?\d+$/,
  number: /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/,
  boolean: /^(true|false)$/,
};

const patternsOf = (types: string[]): RegExp[] => types.flatMap((type) => WRITTEN[type] ?? []);

/**
 * `"20"` → 20, `"1e-7"` → 0.0000001 (for the type `number` only), `"true"` → true. Any other value (`0x10`, `+5`, ``, an array) stays
 * unchanged and fails its schema, as does a number that would become another one.
 */
function readText(value: unknown, patterns: RegExp[]): unknown {
  if (typeof value !== 'string' || !patterns.some((pattern) => pattern.test(value))) return value;
  if (value === 'true' || value === 'false') return value === 'true';
  const read = Number(value);
  return Number.isInteger(read) && isFraction(value) ? value : read;
}

const isRoundedFrom = (text: unknown, value: unknown) => typeof value === 'number' && isRounded(`${text}`, value);

/** The failure of a rule that is in no schema: parameters of an operation that has none, repeated parameters, a missing body. */
/** Tools send `<string>` where nobody has written a key, so that the second change would seem to be the first. */
const PLACEHOLDER = 'is a placeholder: send a new value with each change, or none';

function ruleFailure(readStyles: ReadStyles, request: FastifyRequest): ApiError | undefined {
  const { body, raw } = request;
  const operation = raw.state.operation as Operation;
  const isKeyed = operation.parameters.some(({ name }) => /^idempotency-key$/i.test(name));
  if (isKeyed && /^"?<.*>"?$/.test(`${request.headers['idempotency-key']}`))
    return new ApiError(400, `header Idempotency-Key ${PLACEHOLDER}`, {
      errors: [{ pointer: '/header/Idempotency-Key', message: PLACEHOLDER }],
    });
  if (!hasDecodableQuery(raw.url ?? '')) {
    const message = 'has an invalid percent-encoding';
    return new ApiError(400, `query ${message}`, { errors: [{ pointer: '/query', message }] });
  }
  const failures = readStyles(operation, request);
  const [first] = failures;
  if (first) {
    const errors = failures
      .slice(0, MOST)
      .map(([name, message]) => ({ pointer: below('/query', quote(name)), message }));
    return new ApiError(400, `query parameter ${quote(first[0])} ${first[1]}`, { errors });
  }
  if (!operation.body?.required || body !== undefined) return undefined;
  return new ApiError(400, 'body is required', { errors: [{ pointer: '/body', message: 'is required' }] });
}

/** Whether the query of a URL is percent-encoded UTF-8. */
function hasDecodableQuery(url: string): boolean {
  const query = url.indexOf('?');
  if (query === -1 || !url.includes('%', query)) return true;
  try {
    decodeURIComponent(url.slice(query + 1));
    return true;
  } catch {
    return false;
  }
}

/** The pointers of the parts of a request. A path value that fails its schema is a 404. */
const POINTERS: Record<string, string> = { body: '/body', querystring: '/query', headers: '/header' };
