/** Schemas from which others inherit by `allOf`, and which stand for these. */
import { ANNOTATION } from './dialect.ts';
import type { Document } from './document.ts';
import { type Any, isMap, rebuild } from './objects.ts';
import { from } from './origin.ts';
import { freeName, refTo, schemaIn } from './references.ts';

/**
 * A component from which others inherit, and which has a discriminator or lists them itself, stands for these wherever else it is referred
 * to (OpenAPI 3.1, section 4.8.25): `Vehicle` becomes the choice of its subtypes, which inherit from `VehicleBase`. Without a list, these are all that
 * inherit, and itself, unless it has a mapping that does not lead to it.
 */
export function withSubtypes(document: Document): Document {
  const schemas: Record<string, Any> = document.components.schemas;
  const names = Object.keys(schemas);
  const parentsOf = (name: string): string[] => listOf(schemas[name]?.allOf).flatMap((part) => refNameOf(part) ?? []);
  const inherits = (name: string, parent: string, within: string[] = []): boolean =>
    parentsOf(name).some((one) => one === parent || (!within.includes(one) && inherits(one, parent, [...within, one])));
  const used = usedIn(document);
  const listIn = (schema: Any) => (['oneOf', 'anyOf'] as const).find((key) => schema[key]);
  const isSplit = (name: string, schema: Any): boolean => {
    if (!isMap(schema)) return false;
    const list = listIn(schema);
    if (list) return listOf(schema[list]).some((one) => inherits(refNameOf(one) ?? '', name));
    const isMeant = typeof schema.discriminator?.propertyName === 'string' && used.has(name);
    return isMeant && names.some((one) => inherits(one, name));
  };
  const isTaken = (name: string) => Object.hasOwn(schemas, name);
  const split = names.filter((one) => isSplit(one, schemas[one]));
  const bases = new Map(split.map((name) => [name, freeName(`${name}Base`, isTaken)]));
  if (bases.size === 0) return document;

  const toBase = (part: Any): Any => {
    const base = bases.get(refNameOf(part) ?? '');
    return base === undefined ? part : from(part, { ...part, $ref: refTo(base) });
  };
  const withBases = (schema: Any) =>
    isMap(schema) && schema.allOf ? from(schema, { ...schema, allOf: listOf(schema.allOf).map(toBase) }) : schema;
  const choice = (name: string, { discriminator, ...schema }: Any, list: 'oneOf' | 'anyOf'): Any => {
    const entries = Object.entries<Any>(Object(discriminator?.mapping));
    const targets = entries.map(([, to]) => schemaIn(to) ?? `${to}`);
    const isAbstract = targets.length > 0 && !targets.includes(name);
    const subtypes = names.filter((one) => inherits(one, name) || (one === name && !isAbstract));
    const written: Any[] = schema[list] ?? subtypes.map((one) => from(schema, { $ref: refTo(one) }));
    // The name of a base is no value.
    const implied = written
      .flatMap((one) => refNameOf(one) ?? [])
      .filter((one) => bases.has(one) && !targets.includes(one));
    const all = [...entries.map(([value], index) => [value, targets[index]]), ...implied.map((one) => [one, one])];
    const mapping = Object.fromEntries(all.map(([value, to = '']) => [value, refTo(bases.get(to) ?? to)]));
    return {
      ...Object.fromEntries(Object.entries(schema).filter(([key]) => ANNOTATION.test(key))),
      [list]: written.map(toBase),
      ...(discriminator && { discriminator: { ...discriminator, mapping } }),
    };
  };
  const all = Object.entries(schemas).flatMap(([name, schema]): [string, Any][] => {
    const base = bases.get(name);
    if (base === undefined) return [[name, withBases(schema)]];
    const list = listIn(schema) ?? 'oneOf';
    const { discriminator: _, [list]: __, ...rest } = withBases(schema);
    return [
      [name, from(schema, choice(name, schema, list))],
      [base, from(schema, rest)],
    ];
  });
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(all) } };
}

const listOf = (value: unknown): Any[] => (Array.isArray(value) ? value : []);
const refNameOf = (schema: Any) => schemaIn(Object(schema).$ref);

/** The components to which a document refers, other than by the `allOf` of one. */
function usedIn(document: Document): Set<string | undefined> {
  const inherited = new Set(Object.values<Any>(document.components.schemas).flatMap((one) => listOf(one?.allOf)));
  const used = new Set<string | undefined>();
  const note = (one: Any) => {
    if (!inherited.has(one)) used.add(refNameOf(one));
    return one;
  };
  rebuild(document, 'document', (one) => one, note);
  return used;
}
