import { Ajv2020, type AnySchema, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { addTextFormats, putTimesInUtc } from './formats.ts';
import { addKeywords, rememberRecursion } from './keywords.ts';
import { regExp } from './patterns.ts';
import { escapePointer, unescapePointer } from './reasons.ts';

/** Schemas by name, to which `$ref`s of the forms `#/components/schemas/<name>` and `#/schemas/<name>` lead. */
export type Schemas = Record<string, AnySchema>;

/** Compiles schemas in JSON Schema 2020-12 that share others by `$ref`. All schemas that the standard allows compile. */
export class Compiler {
  readonly #ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    validateSchema: false,
    logger: false,
    useDefaults: true,
    ownProperties: true,
    code: { regExp },
  });
  /** One document with all of them, so that each is compiled once. */
  readonly #document = { $id: DOCUMENT, schemas: {} as Schemas, components: {}, others: [] as AnySchema[] };
  readonly #compiled = new Map<AnySchema | string, ValidateFunction>();

  constructor(schemas: Schemas = {}) {
    addTextFormats(this.#ajv);
    putTimesInUtc(this.#ajv);
    addKeywords(this.#ajv);
    const recursive = recursiveNames(schemas);
    const isRecursive = (ref: string) => recursive.has(schemaNameOf(ref) ?? '');
    rememberRecursion(this.#ajv, isRecursive, (ref) => this.#find(ref));
    // Ajv would take each `$id` in an example for a schema, so it gets the schemas later.
    this.#ajv.addSchema(this.#document);
    this.#document.schemas = schemas;
    this.#document.components = { schemas };
    // Their validators are found by a value, which must not be the first to hear that one does not compile.
    for (const name of recursive) this.#find(refTo(name));
  }

  /** The validator of a schema, always the same for equal ones: operations have equal headers, and servers the same operations. */
  compile(schema: AnySchema): ValidateFunction {
    const compiled = this.#compiled.get(schema);
    if (compiled) return compiled;
    const text = JSON.stringify(schema);
    const validate = this.#compiled.get(text) ?? this.#find(`#/others/${this.#document.others.push(schema) - 1}`);
    this.#compiled.set(schema, validate).set(text, validate);
    return validate;
  }

  /** The schema itself, or the one to which its `$ref` leads. */
  resolve(schema: AnySchema): AnySchema {
    const name = typeof schema === 'object' ? schemaNameOf(schema.$ref) : undefined;
    const target = name === undefined ? undefined : this.#document.schemas[name];
    return target === undefined ? schema : target;
  }

  #find(ref: string): ValidateFunction {
    const validate = this.#ajv.getSchema(`${DOCUMENT}${ref}`);
    if (!validate) throw new Error(`there is no schema ${ref}`);
    return validate as ValidateFunction;
  }
}

const DOCUMENT = 'openapi';

const refTo = (name: string) => `#/schemas/${encodeURIComponent(escapePointer(name))}`;

function schemaNameOf(ref: unknown): string | undefined {
  const [, name] = /^#\/(?:components\/)?schemas\/([^/]+)$/.exec(`${ref}`) ?? [];
  return name === undefined ? undefined : unescapePointer(decodeURIComponent(name));
}

/** The schemas that may lead to themselves. */
function recursiveNames(schemas: Schemas): Set<string> {
  const refs = (schema: unknown) => JSON.stringify(schema).matchAll(/"\$ref":"([^"]*)"/g);
  const next = new Map(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      [...refs(schema)].map(([, ref]) => schemaNameOf(ref) ?? ''),
    ]),
  );
  const reached = (name: string) => {
    const names = new Set(next.get(name));
    // A set also iterates over what is added meanwhile.
    for (const each of names) for (const further of next.get(each) ?? []) names.add(further);
    return names;
  };
  return new Set([...next.keys()].filter((name) => reached(name).has(name)));
}

/** A schema, and all that applies to the same value by these keywords or a reference. */
export function partsOf(
  compiler: Compiler,
  schema: AnySchema,
  keywords = ['allOf', 'anyOf', 'oneOf'],
  seen = new Set<AnySchema>(),
): AnySchemaObject[] {
  if (!isKeyed(schema) || seen.has(schema)) return [];
  seen.add(schema);
  const parts: AnySchema[] = [compiler.resolve(schema), ...keywords.flatMap((keyword) => schema[keyword] ?? [])];
  return [...parts.flatMap((part) => partsOf(compiler, part, keywords, seen)), schema];
}

export const propertiesOf = (...args: Parameters<typeof partsOf>): Record<string, AnySchema> =>
  Object.assign({}, ...partsOf(...args).map(({ properties }) => properties));

/** Whether a schema is one with keywords, and not `true` or `false`. */
export const isKeyed = (schema: unknown): schema is AnySchemaObject => typeof schema === 'object' && schema !== null;
