import { ANNOTATION } from './dialect.ts';
import { READ_ONLY_FIELDS } from './directions.ts';
import type { Schema } from './document.ts';
import { mapParts, mapValues } from './objects.ts';
import { isObject } from './place.ts';
import { pointerOf } from './pointers.ts';
import { schemaIn } from './references.ts';

/** A schema of JSON Schema. True takes any value, false none. */
export type SchemaOrBoolean = Schema | boolean;

export interface Closed {
  /** By the names that they were given. Their references lead to `#/schemas/<name>`. */
  values: Record<string, SchemaOrBoolean>;
  /** The schemas to which these refer, directly or not: `Thing` as a value, and `Thing:part`, `Thing:test` and `:1` for their parts. */
  schemas: Record<string, SchemaOrBoolean>;
}

/**
 * Closes the schemas of requests: an object takes no field that its schema does not name. Otherwise a handler that passes a body on, as to
 * `set(body)`, would let clients change any column.
 *
 * - One rule holds for all: fields are refused at the outermost object, over all parts that apply to it (`allOf`, `anyOf`, `oneOf`,
 *   `then`, `else`, `dependentSchemas`, references). An object within another one is the outermost of its own.
 * - A schema opens its objects by `additionalProperties` or `unevaluatedProperties`; `patternProperties` opens them for its names.
 * - An object without any named field is free. So is such an alternative, unless there are fields beside the alternatives.
 * - A field that is only required, or only tested by `if`, is named.
 *
 * Annotations that no validator reads are left out. An example might have an `$id`.
 *
 * @param values - normalized schemas, each of a whole value, by any name
 * @param components - the schemas to which they refer, by name
 */
export function closed(values: Record<string, SchemaOrBoolean>, components: Record<string, SchemaOrBoolean>): Closed {
  const schemas: Record<string, SchemaOrBoolean> = {};

  const refer = (name: string, make: () => SchemaOrBoolean): Schema => {
    if (!Object.hasOwn(schemas, name)) {
      // A recursive schema refers to itself.
      schemas[name] = true;
      schemas[name] = make();
    }
    return { $ref: `#/schemas/${encodeURIComponent(pointerOf([name]).slice(2))}` };
  };
  const targetOf = ({ $ref }: Schema): SchemaOrBoolean => components[refName($ref)] ?? true;

  /** The parts of a schema that may apply to a value at once, and lists of those of which one does. */
  const together = ({ $ref, allOf = [], anyOf = [], dependentSchemas = {} }: Schema): SchemaOrBoolean[] => [
    ...($ref === undefined ? [] : [targetOf({ $ref })]),
    ...[...allOf, ...anyOf, ...Object.values<SchemaOrBoolean>(dependentSchemas)],
  ];
  const exclusive = (schema: Schema): SchemaOrBoolean[][] => [
    schema.oneOf ?? [],
    [schema.then ?? [], schema.else ?? []].flat(),
  ];
  /** The parts of a schema that apply to the same value. */
  const partsOf = (schema: Schema) => [...together(schema), ...exclusive(schema).flat(), ...[schema.if ?? []].flat()];

  /** A schema and all its parts. */
  const partsIn = (schema: SchemaOrBoolean, found = new Set<Schema>()): Schema[] => {
    if (!isObject(schema) || found.has(schema)) return [];
    found.add(schema);
    for (const part of partsOf(schema)) partsIn(part, found);
    return [...found];
  };
  const hasFields = (schema: SchemaOrBoolean) =>
    partsIn(schema).some(({ properties = {}, patternProperties = {}, [READ_ONLY_FIELDS]: hidden = [] }) =>
      [properties, patternProperties, hidden].some((fields) => Object.keys(fields).length > 0),
    );
  const describes = (schema: SchemaOrBoolean) => hasFields(schema) || partsIn(schema).some(isOpen);
  const namesIn = (schema: SchemaOrBoolean) =>
    new Set(partsIn(schema).flatMap(({ properties = {} }) => Object.keys(properties)));

  /** The schemas of a field or an item in a schema and its parts, and how many of them may apply to one value. */
  const schemasOf = (schema: SchemaOrBoolean, at: At, within: Schema[] = []): Described => {
    if (!isObject(schema) || within.includes(schema)) return { schemas: [], count: 0 };
    const inner = (part: SchemaOrBoolean) => schemasOf(part, at, [...within, schema]);
    const direct = at(schema) ?? [];
    const [all, lists] = [together(schema).map(inner), exclusive(schema).map((list) => list.map(inner))];
    const counts = [[direct].flat().filter(describes).length, ...all.map(({ count }) => count)];
    const most = lists.map((list) => Math.max(0, ...list.map(({ count }) => count)));
    return {
      schemas: [direct, ...[...all, ...lists.flat()].map(({ schemas }) => schemas)].flat(),
      count: [...counts, ...most].reduce((sum, count) => sum + count),
    };
  };

  /** A schema of a whole value. */
  const value = (schema: SchemaOrBoolean): SchemaOrBoolean => {
    if (!isObject(schema)) return schema;
    const { default: usual, ...constraints } = withoutAnnotations(schema);
    const name = constraints.$ref === undefined ? undefined : refName(constraints.$ref);
    if (name === undefined || Object.keys(constraints).length > 1) return whole(schema, true);
    const target = components[name] ?? true;
    // Ajv fills in a default that stands beside the reference.
    const lifted = usual ?? Object(target).default ?? usual;
    return { ...refer(name, () => value(target)), ...(lifted !== undefined && { default: lifted }) };
  };

  const whole = (schema: Schema, isBare: boolean): Schema => {
    const isComposed = partsOf(schema).length > 0;
    const fields = [...(isComposed ? namesIn(schema) : [])]
      .map((name) => [name, schemasOf(schema, named(name))] as const)
      .filter(([, { count }]) => count > 1);
    // Those of tuples by index, and then all others.
    const length = Math.max(...partsIn(schema).map(({ prefixItems = [] }) => prefixItems.length));
    const items = Array.from({ length: isComposed ? length + 1 : 0 }, (_, index) =>
      schemasOf(schema, ({ prefixItems, items }) => prefixItems?.[index] ?? items),
    );
    const shared = new Set<unknown>(fields.map(([name]) => name));
    if (items.some(({ count }) => count > 1)) shared.add(ITEMS);
    const copy = part(schema, shared, isBare) as Schema;
    const more = {
      ...(fields.length > 0 && { properties: Object.fromEntries(fields.map(([name, each]) => [name, wholeOf(each)])) }),
      ...(shared.has(ITEMS) && { prefixItems: items.slice(0, -1).map(wholeOf), items: wholeOf(items.at(-1)) }),
    };
    if (shared.size > 0) copy.allOf = [...(copy.allOf ?? []), more];
    if (!hasFields(schema) || isOpen(schema) || schema.additionalProperties === false) return copy;
    return isComposed ? { ...copy, unevaluatedProperties: false } : { ...copy, additionalProperties: false };
  };

  /** A value that several parts describe: each of them takes the fields of the others. The parts test the value. */
  const wholeOf = ({ schemas }: Described = { schemas: [], count: 0 }): SchemaOrBoolean => {
    const anyOf = [...distinct(schemas.filter(describes)), true];
    return refer(wholeName(JSON.stringify(anyOf)), () => whole({ anyOf }, false));
  };
  const wholeNames = new Map<string, string>();
  const wholeName = (text: string) => {
    if (!wholeNames.has(text)) wholeNames.set(text, `:${wholeNames.size + 1}`);
    return wholeNames.get(text) as string;
  };

  /**
   * A part of the schema of a value, open for the fields of the other parts. The values in it are closed.
   *
   * @param shared - the fields that other parts describe, too, and {@link ITEMS} for the items
   * @param isBare - whether there are no fields beside the part
   */
  const part = (
    schema: SchemaOrBoolean,
    shared: ReadonlySet<unknown>,
    isBare: boolean,
    within: Schema[] = [],
  ): SchemaOrBoolean => {
    if (!isObject(schema)) return schema;
    const isAlone = (key: string, others?: SchemaOrBoolean[]) => isBare && !hasFields({ ...schema, [key]: others });
    const { $ref, ...rest } = schema;
    if ($ref !== undefined) {
      const target = targetOf(schema);
      const isOwn =
        [...namesIn(target)].some((name) => shared.has(name)) ||
        (shared.has(ITEMS) && partsIn(target).some(({ items, prefixItems }) => (items ?? prefixItems) !== undefined)) ||
        (isAlone('$ref') && partsIn(target).some(({ anyOf, oneOf }) => (anyOf ?? oneOf) !== undefined));
      if (isOwn && isObject(target) && !within.includes(target))
        return part({ ...rest, allOf: [target, ...(rest.allOf ?? [])] }, shared, isBare, [...within, target]);
    }
    const inner = (each: SchemaOrBoolean, isBare = false) => part(each, shared, isBare, within);
    const copy: Schema = mapParts(withoutAnnotations(schema), 'schema', (each, _, key, name) => {
      if (TESTS.includes(key)) return test(each);
      const others = key === 'allOf' ? schema.allOf.filter((other: unknown) => other !== each) : undefined;
      if (others) return inner(each, isAlone(key, others));
      if (key === 'anyOf' || key === 'oneOf') {
        const copied = inner(each, isAlone(key));
        const isFree = isAlone(key) && each !== false && !hasFields(each);
        return isFree ? { additionalProperties: true, ...Object(copied) } : copied;
      }
      if (PARTS.includes(key)) return inner(each);
      // The whole of it closes it.
      const isShared = shared.has(key === 'properties' ? name : /^(prefixI|i)tems$/.test(key) ? ITEMS : undefined);
      return isShared ? test(each) : value(each);
    });
    if ($ref !== undefined)
      copy.$ref = refer(`${refName($ref)}:part`, () => part(targetOf(schema), new Set(), false)).$ref;
    const needed = [...(schema.required ?? []), ...Object.values<string[]>(schema.dependentRequired ?? {}).flat()];
    if (schema.additionalProperties === undefined && schema.unevaluatedProperties === undefined)
      for (const name of [...needed, ...namesIn(schema.if ?? true)])
        if (!Object.hasOwn(copy.properties ?? {}, name)) copy.properties = { ...copy.properties, [name]: true };
    return ordered(copy);
  };

  /** A schema that is a condition. It takes what it says: an unknown field does not make it fail. */
  const test = (schema: SchemaOrBoolean): SchemaOrBoolean => {
    if (!isObject(schema)) return schema;
    const copy: Schema = mapParts(withoutAnnotations(schema), 'schema', test);
    if (copy.$ref !== undefined) copy.$ref = refer(`${refName(copy.$ref)}:test`, () => test(targetOf(schema))).$ref;
    return ordered(copy);
  };

  return { values: mapValues(values, value), schemas };
}

interface Described {
  schemas: SchemaOrBoolean[];
  count: number;
}
/** Finds the schema of a value in the values of a schema. */
type At = (schema: Schema) => SchemaOrBoolean | undefined;
const named =
  (name: string): At =>
  ({ properties = {} }) =>
    Object.hasOwn(properties, name) ? properties[name] : undefined;

/** The items of an array, among the names of fields. */
const ITEMS = Symbol('items');

/** The keywords with schemas that only test a value, which others describe. */
const TESTS = ['not', 'if', 'contains', 'propertyNames'];
/** The keywords with schemas that describe the same value under a condition. */
const PARTS = ['then', 'else', 'dependentSchemas'];

/** Whether a schema says by itself that its objects take other fields. */
const isOpen = ({ additionalProperties = false, unevaluatedProperties = false }: Schema) =>
  additionalProperties !== false || unevaluatedProperties !== false;

/** Annotations that validators read. */
const KEPT = ['default', READ_ONLY_FIELDS, 'x-read-only'];
const OTHERS = ['$id', '$schema', '$defs', 'contentSchema', 'discriminator'];
const isKept = (key: string) => KEPT.includes(key) || !(ANNOTATION.test(key) || OTHERS.includes(key));
const withoutAnnotations = (schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => isKept(key)));

const refName = (reference: string) => schemaIn(reference) ?? '';

/** Patterns come before alternatives and conditions, because the code of Ajv throws for those that come after them. */
function ordered({ patternProperties, ...rest }: Schema): Schema {
  if (!patternProperties) return rest;
  const isAfter = ['anyOf', 'oneOf', 'if'].some((key) => rest[key] !== undefined);
  if (!isAfter || rest.properties || rest.additionalProperties !== undefined) return { ...rest, patternProperties };
  return { ...rest, allOf: [{ patternProperties }, ...(rest.allOf ?? [])] };
}

/** The different ones. */
function distinct(schemas: SchemaOrBoolean[]): SchemaOrBoolean[] {
  const textOf = (schema: SchemaOrBoolean) => JSON.stringify(isObject(schema) ? withoutAnnotations(schema) : schema);
  return [...new Map(schemas.map((schema) => [textOf(schema), schema])).values()];
}
