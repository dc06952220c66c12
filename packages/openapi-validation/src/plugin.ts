import type { ErrorObject } from 'ajv';
import type { AnySchema, AnySchemaObject } from 'ajv/dist/2020.js';
import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import plugin from 'fastify-plugin';
import { fieldErrors, MAX_ERRORS } from './field-errors.ts';
import { roundedIn } from './json.ts';
import { isFraction, isRounded } from './numbers.ts';
import { type Operation, operationOf, schemaOf } from './operation.ts';
import { checkMedia, FORM, registerParsers } from './parsers.ts';
import { below, fieldError, inWords, NOT_FOUND, quote, RequestError, reasonOf, wholeError } from './reasons.ts';
import { Compiler, partsOf, propertiesOf, type Schemas } from './schemas.ts';
import { isDecodable, type ReadStyles, stylesReader } from './styles.ts';
import { textFailure } from './values.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route takes. Default: what its `schema` says. */
    openapi?: Operation | undefined;
  }
}

export interface ValidationOptions {
  /**
   * Schemas by name, to which `$ref`s of the forms `#/components/schemas/<name>` and `#/schemas/<name>` lead. Servers of the same object
   * share their validators, so that it must not change. Default: none.
   */
  schemas?: Schemas | undefined;
}

/** Most tests start a server of their own. */
const compilers = new WeakMap<Schemas, Compiler>();

/**
 * Validates the requests of all routes that are added later, each by `config.openapi` or by its `schema`, with Ajv (JSON Schema 2020-12).
 * Nothing is removed but read-only fields that a schema ignores, and JSON is never coerced. Values of a query, a path, a header or a form
 * become numbers or booleans only if they are written as such. A failure is a {@link RequestError}.
 */
export const openapiValidation = plugin(
  async (app: FastifyInstance, { schemas = {} }: ValidationOptions) => {
    const compiler = compilers.get(schemas) ?? new Compiler(schemas);
    compilers.set(schemas, compiler);
    registerParsers(app);
    app.addHook('onRoute', (route) => {
      const { config, schema, method, url } = route;
      if (config && 'openapi' in config && !config.openapi) throw new Error(`${method} ${url} has no operation`);
      const operation = config?.openapi ?? (schema && operationOf(schema, (each) => propertiesOf(compiler, each)));
      if (!operation) return;
      if (config?.openapi) route.schema = { ...schema, ...schemaOf(operation) };
      route.config = { ...config, openapi: operation };
      route.validatorCompiler = compilerOf(compiler, operation);
    });
    const readStyles = stylesReader(({ schema }) => typesOf(compiler, schema).includes('array'));
    app.addHook('preValidation', (request, _reply, done) => done(ruleFailure(readStyles, request)));
    // The schemas are satisfied.
    app.addHook('preHandler', (request, _reply, done) =>
      done(textFailure(request) ?? roundedFailure(roundedIn(request))),
    );
  },
  { name: '@petstore-platform/openapi-validation', fastify: '5.x' },
);

/** The argument of a compiler, whose type in Fastify lacks the media type. */
type CompiledPart = Parameters<FastifySchemaCompiler<AnySchemaObject>>[0] & { contentType?: string };

/** Makes the validators of an operation's parts. */
const compilerOf =
  (compiler: Compiler, { body }: Operation): FastifySchemaCompiler<AnySchemaObject> =>
  ({ schema, httpPart, contentType = '' }: CompiledPart) => {
    const validate = compiler.compile(schema);
    const part = POINTERS[`${httpPart}`];
    const areTexts = httpPart !== 'body' || isForm(contentType, body);
    const texts = areTexts ? propertiesOf(compiler, schema) : {};
    const parameters = Object.entries(texts).map(([name, parameter]) => {
      const types = typesOf(compiler, parameter);
      const isArray = types.includes('array');
      const ofTexts = isArray ? itemTypesOf(compiler, parameter) : types;
      const patterns = patternsOf(ofTexts);
      // Browsers send untouched fields of a form.
      const isUntouchedEmpty = httpPart === 'body' && patterns.length > 0 && !ofTexts.includes('string');
      const fieldPatterns = (field: string) => patternsOf(fieldTypesOf(compiler, parameter, field));
      return { name, isArray, isUntouchedEmpty, fieldPatterns, patterns };
    });
    // Nothing that a client sends can make this throw.
    return (values: Record<string, unknown> | typeof ABSENT) => {
      if (values === ABSENT) return { value: undefined };
      const rounded: string[] = [];
      for (const { name, isArray, isUntouchedEmpty, patterns, fieldPatterns } of parameters) {
        const value = values[name];
        if (value === '' && isUntouchedEmpty) delete values[name];
        if (values[name] === undefined) continue;
        if (isArray && !isHolder(value)) values[name] = [value];
        const held = values[name];
        const isRoundedHere = isHolder(held)
          ? Object.keys(held).filter((key) => readIn(held, key, Array.isArray(held) ? patterns : fieldPatterns(key)))
              .length > 0
          : readIn(values, name, patterns);
        if (isRoundedHere) rounded.push(name);
      }
      const isValid = validate(values);
      if (isValid && rounded.length === 0) return true;
      if (!part) return { error: new RequestError(404, NOT_FOUND) };
      if (!isValid) return { error: wordedFailure(compiler, schema, values, part, validate.errors) };
      const pointers = rounded.map((name) => below(part, name));
      return { error: roundedFailure(pointers, inWords(part, rounded[0])) as RequestError };
    };
  };

/** Whether a body's values are texts. @param type - of a schema of Fastify that is for one media type */
const isForm = (type: string, body: Operation['body']) =>
  type === FORM || /^(form|parts)$/.test(body?.media?.kind ?? '');

const ROUNDED = 'is a number that is not kept exactly';

function roundedFailure([first, ...others]: string[], name = inWords(`${first}`)): RequestError | undefined {
  if (first === undefined) return undefined;
  const pointers = [first, ...others].slice(0, MAX_ERRORS);
  const errors = pointers.map((pointer) => fieldError(pointer, ROUNDED));
  return new RequestError(400, `${name} ${ROUNDED}`, errors);
}

/** The failure of a value by what Ajv found first, with all failures for forms. */
function wordedFailure(
  compiler: Compiler,
  schema: AnySchemaObject,
  value: unknown,
  pointer: string,
  found: ErrorObject[] | null | undefined,
): RequestError {
  const [error] = found as [ErrorObject];
  const { field, path, reason } = reasonOf(error);
  const failure = fieldError(`${pointer}${error.instancePath}${path}`, reason);
  let errors = [failure];
  try {
    const all = fieldErrors(compiler, schema, value, pointer);
    if (all.length > 0) errors = all;
  } catch {
    // A list that cannot be made must not hide that the request is refused.
  }
  const isListed = errors.some((each) => each.pointer === failure.pointer && each.message === failure.message);
  // Ajv's first failure is that of the first alternative.
  const [first] = isListed ? [] : errors;
  const message = first
    ? `${inWords(first.pointer)} ${first.message}`
    : `${inWords(`${pointer}${error.instancePath}`, field)} ${reason}`;
  return new RequestError(400, message, errors);
}

/** The types that a schema admits by its keywords. */
const typesOf = (compiler: Compiler, schema: AnySchema): string[] =>
  partsOf(compiler, schema).flatMap(
    ({ type, enum: values, const: only }) => type ?? (values ?? [only]).map((value: unknown) => typeof value),
  );

const fieldTypesOf = (compiler: Compiler, schema: AnySchema, field: string): string[] =>
  partsOf(compiler, schema).flatMap(({ properties, additionalProperties = true }) =>
    typesOf(compiler, Object.hasOwn(Object(properties), field) ? properties[field] : additionalProperties),
  );

const itemTypesOf = (compiler: Compiler, schema: AnySchema): string[] =>
  partsOf(compiler, schema).flatMap(({ items = true }) => typesOf(compiler, items));

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

/** Whether a value is a list, or an object that was made of texts. */
const isHolder = (value: unknown): value is Record<string, unknown> =>
  Array.isArray(value) || (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null);

/** Reads a text in place. @returns whether it is a number that is rounded */
function readIn(holder: Record<string, unknown>, name: string, patterns: RegExp[]): boolean {
  const text = holder[name];
  const value = readText(text, patterns);
  holder[name] = value;
  return typeof value === 'number' && isRounded(`${text}`, value);
}

/** The failure of a rule that is in no schema: parameters of an operation that has none, repeated parameters, a missing body. */
function ruleFailure(readStyles: ReadStyles, request: FastifyRequest): RequestError | undefined {
  const { body, raw, routeOptions } = request;
  const operation = routeOptions.config.openapi;
  if (!operation) return undefined;
  if (operation.body && body !== undefined) checkMedia(request);
  if (!isDecodable(raw.url ?? '')) return wholeError('query', 'has an invalid percent-encoding');
  const failures = readStyles(operation, request);
  const [first] = failures;
  if (first) {
    const errors = failures
      .slice(0, MAX_ERRORS)
      .map(([name, message]) => ({ pointer: below('/query', quote(name)), message }));
    return new RequestError(400, `query parameter ${quote(first[0])} ${first[1]}`, errors);
  }
  if (!operation.body || body !== undefined) return undefined;
  if (operation.body.required) return wholeError('body', 'is required');
  request.body = ABSENT;
  return undefined;
}

/** Stands for a body that is not required while schemas are checked: Fastify would check `null` in its place. */
const ABSENT = Symbol('absent');

/** The pointers of the parts of a request. A path value that fails its schema is a 404. */
const POINTERS: Record<string, string> = { body: '/body', querystring: '/query', headers: '/header' };
