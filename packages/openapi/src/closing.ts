import { ANNOTATION } from './dialect.ts';
import { READ_ONLY_FIELDS } from './directions.ts';
import type { Schema } from './document.ts';
import { isObject } from './place.ts';
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
    return { $ref: `#/schemas/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}` };
  };
  const targetOf = ({ $ref }: Schema): SchemaOrBoolean => components[nameOf($ref)] ?? true;

  /** The parts of a schema that apply to the same value. */
  const partsOf = (schema: Schema): SchemaOrBoolean[] => [
    ...(schema.$ref === undefined ? [] : [targetOf(schema)]),
    ...LISTS.flatMap((key) => schema[key] ?? []),
    ...CONDITIONS.flatMap((key) => schema[key] ?? []),
    ...Object.values<SchemaOrBoolean>(schema.dependentSchemas ?? {}),
  ];

  /** Whether a schema or one of its parts satisfies a condition. */
  const some = (schema: SchemaOrBoolean, is: (part: Schema) => boolean, within: Schema[] = []): boolean => {
    if (!isObject(schema) || within.includes(schema)) return false;
    return is(schema) || partsOf(schema).some((part) => some(part, is, [...within, schema]));
  };
  const hasFields = (schema: SchemaOrBoolean) =>
    some(schema, ({ properties = {}, patternProperties = {}, [READ_ONLY_FIELDS]: hidden = [] }) =>
      [properties, patternProperties, hidden].some((fields) => Object.keys(fields).length > 0),
    );
  const describes = (schema: SchemaOrBoolean) => hasFields(schema) || some(schema, isOpen);

  /** The schemas of a field in a schema and its parts, and how many of them may apply to one value. */
  const fieldOf = (schema: SchemaOrBoolean, name: string, isCertain = true, within: Schema[] = []): Field => {
    if (!isObject(schema) || within.includes(schema)) return NO_FIELD;
    const fieldsOf = (parts: SchemaOrBoolean[], isCertain: boolean) =>
      parts.map((part) => fieldOf(part, name, isCertain, [...within, schema]));
    const own = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties[name] : undefined;
    const certain = fieldsOf(
      [...(schema.$ref === undefined ? [] : [targetOf(schema)]), ...(schema.allOf ?? [])],
      isCertain,
    );
    const possible = fieldsOf(
      [...(schema.anyOf ?? []), ...Object.values<Schema>(schema.dependentSchemas ?? {})],
      false,
    );
    const exclusive = [schema.oneOf ?? [], [schema.then, schema.else].filter(isObject)].map((parts) =>
      fieldsOf(parts, false),
    );
    const all = [...certain, ...possible, ...exclusive.flat()];
    const most = exclusive.map((fields) => Math.max(0, ...fields.map(({ count }) => count)));
    return {
      certain: [...(isCertain && own !== undefined ? [own] : []), ...all.flatMap(({ certain }) => certain)],
      possible: [...(isCertain || own === undefined ? [] : [own]), ...all.flatMap(({ possible }) => possible)],
      count:
        (own !== undefined && describes(own) ? 1 : 0) +
        [...certain, ...possible].reduce((sum, { count }) => sum + count, 0) +
        most.reduce((sum, count) => sum + count, 0),
    };
  };

  /** The names of the fields in a schema and its parts. */
  const namesIn = (schema: SchemaOrBoolean): string[] => {
    const names = new Set<string>();
    some(schema, ({ properties = {} }) => {
      for (const name of Object.keys(properties)) names.add(name);
      return false;
    });
    return [...names];
  };

  /** A schema of a whole value. */
  const value = (schema: SchemaOrBoolean): SchemaOrBoolean => {
    if (!isObject(schema)) return schema;
    const { default: usual, ...constraints } = withoutAnnotations(schema);
    const name = constraints.$ref === undefined ? undefined : nameOf(constraints.$ref);
    if (name !== undefined && Object.keys(constraints).length === 1) {
      const target = components[name] ?? true;
      // Ajv fills in a default that stands beside the reference.
      const { default: lifted = usual } = { default: usual ?? (isObject(target) ? target.default : undefined) };
      return { ...refer(name, () => value(target)), ...(lifted !== undefined && { default: lifted }) };
    }
    const isComposed = partsOf(constraints).length > 0;
    const shared = isComposed ? namesIn(schema).filter((name) => fieldOf(schema, name).count > 1) : [];
    const copy = part(schema, new Set(shared), true) as Schema;
    const wholes = shared.map((name) => [name, wholeOf(fieldOf(schema, name))]);
    if (wholes.length > 0) copy.allOf = [...(copy.allOf ?? []), { properties: Object.fromEntries(wholes) }];
    if (!hasFields(schema) || isOpen(schema) || schema.additionalProperties === false) return copy;
    return isComposed ? { ...copy, unevaluatedProperties: false } : { ...copy, additionalProperties: false };
  };

  /** A field that several parts describe: each of them takes the fields of the others. */
  const wholeOf = ({ certain, possible }: Field): SchemaOrBoolean => {
    const all = distinct(certain).filter(describes);
    const some = distinct(possible).filter(describes);
    // `true` makes the alternatives describe fields, and refuse none.
    const whole = { ...(all.length > 0 && { allOf: all }), ...(some.length > 0 && { anyOf: [...some, true] }) };
    return refer(wholeName(JSON.stringify(whole)), () => value(whole));
  };
  const wholeNames = new Map<string, string>();
  const wholeName = (text: string) => {
    if (!wholeNames.has(text)) wholeNames.set(text, `:${wholeNames.size + 1}`);
    return wholeNames.get(text) as string;
  };

  /**
   * A part of the schema of a value, open for the fields of the other parts. The values in it are closed.
   *
   * @param shared - the fields that other parts describe, too
   * @param isBare - whether there are no fields beside the part
   */
  const part = (
    schema: SchemaOrBoolean,
    shared: Set<string>,
    isBare: boolean,
    within: Schema[] = [],
  ): SchemaOrBoolean => {
    if (!isObject(schema)) return schema;
    const copy = withoutAnnotations(schema);
    const inner = (each: SchemaOrBoolean, isBare = false) => part(each, shared, isBare, [...within, schema]);
    const isAlone = (key: string) => isBare && !hasFields({ ...schema, [key]: undefined });
    if (copy.$ref !== undefined) {
      const [name, target] = [nameOf(copy.$ref), targetOf(copy)];
      const isOwn =
        namesIn(target).some((field) => shared.has(field)) ||
        (isAlone('$ref') && some(target, ({ anyOf, oneOf }) => (anyOf ?? oneOf) !== undefined));
      if (isOwn && isObject(target) && !within.includes(target)) {
        delete copy.$ref;
        copy.allOf = [
          inner(target, isAlone('$ref')),
          ...(schema.allOf ?? []).map((each: SchemaOrBoolean) => inner(each)),
        ];
      } else copy.$ref = refer(`${name}:part`, () => part(target, new Set(), false)).$ref;
    }
    if (schema.allOf && !(schema.$ref !== undefined && copy.$ref === undefined)) {
      const isOnly = isAlone('allOf') && schema.allOf.filter(hasFields).length < 2;
      copy.allOf = schema.allOf.map((each: SchemaOrBoolean) => inner(each, isOnly));
    }
    for (const key of ['anyOf', 'oneOf'])
      if (schema[key])
        copy[key] = schema[key].map((each: SchemaOrBoolean) => {
          const copied = inner(each, isAlone(key));
          if (!isAlone(key) || each === false || hasFields(each)) return copied;
          return { additionalProperties: true, ...(isObject(copied) && copied) };
        });
    for (const key of ['then', 'else']) if (schema[key] !== undefined) copy[key] = inner(schema[key]);
    for (const key of TESTS) if (schema[key] !== undefined) copy[key] = test(schema[key]);
    for (const key of VALUES)
      if (schema[key] !== undefined)
        copy[key] = Array.isArray(schema[key]) ? schema[key].map(value) : value(schema[key]);
    for (const key of ['properties', 'patternProperties', 'dependentSchemas'])
      if (schema[key])
        copy[key] = mapped<SchemaOrBoolean, SchemaOrBoolean>(schema[key], (each, name) => {
          if (key === 'dependentSchemas') return inner(each);
          // The whole of it closes it.
          return key === 'properties' && shared.has(name) ? test(each) : value(each);
        });
    const named = [...(schema.required ?? []), ...Object.values<string[]>(schema.dependentRequired ?? {}).flat()];
    if (schema.additionalProperties === undefined && schema.unevaluatedProperties === undefined)
      for (const name of [...named, ...namesIn(schema.if ?? true)])
        if (!Object.hasOwn(copy.properties ?? {}, name)) copy.properties = { ...copy.properties, [name]: true };
    return copy;
  };

  /** A schema that is a condition. It takes what it says: an unknown field does not make it fail. */
  const test = (schema: SchemaOrBoolean): SchemaOrBoolean => {
    if (!isObject(schema)) return schema;
    const copy = withoutAnnotations(schema);
    if (copy.$ref !== undefined) copy.$ref = refer(`${nameOf(copy.$ref)}:test`, () => test(targetOf(schema))).$ref;
    for (const key of [...LISTS, ...CONDITIONS, ...TESTS, ...VALUES])
      if (copy[key] !== undefined) copy[key] = Array.isArray(copy[key]) ? copy[key].map(test) : test(copy[key]);
    for (const key of ['properties', 'patternProperties', 'dependentSchemas'])
      if (copy[key]) copy[key] = mapped(copy[key], test);
    return copy;
  };

  return { values: mapped(values, value), schemas };
}

interface Field {
  /** Of parts that always apply. */
  certain: SchemaOrBoolean[];
  /** Of alternatives and conditions. */
  possible: SchemaOrBoolean[];
  count: number;
}
const NO_FIELD: Field = { certain: [], possible: [], count: 0 };

/** The keywords with schemas for the same value. */
const LISTS = ['allOf', 'anyOf', 'oneOf'];
const CONDITIONS = ['if', 'then', 'else'];
/** The keywords with schemas that only test a value, which others describe. */
const TESTS = ['not', 'if', 'contains', 'propertyNames'];
/** The keywords with schemas for the values in a value. */
const VALUES = ['items', 'prefixItems', 'unevaluatedItems', 'additionalProperties', 'unevaluatedProperties'];

/** Whether a schema says by itself that its objects take other fields. */
const isOpen = ({ additionalProperties = false, unevaluatedProperties = false }: Schema) =>
  additionalProperties !== false || unevaluatedProperties !== false;

/** Annotations that validators read. */
const KEPT = ['default', READ_ONLY_FIELDS, 'x-read-only'];
const OTHERS = ['$id', '$schema', 'discriminator'];
const isKept = (key: string) => KEPT.includes(key) || !(ANNOTATION.test(key) || OTHERS.includes(key));
const withoutAnnotations = (schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => isKept(key)));

const nameOf = (reference: string) => schemaIn(reference) ?? '';

function mapped<From, To>(record: Record<string, From>, change: (value: From, name: string) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, each]) => [name, change(each, name)]));
}

/** The different ones. */
const distinct = (schemas: SchemaOrBoolean[]) => [
  ...new Map(
    schemas.map((schema) => [JSON.stringify(isObject(schema) ? withoutAnnotations(schema) : schema), schema]),
  ).values(),
];
