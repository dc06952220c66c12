import type { Place } from '../source.ts';

/**
 * A schema as the values that it allows: `$ref`s followed, `allOf` dissolved, the many ways to write "or null" and "a
 * single alternative" made one. Several places make up one schema when `allOf` or keywords beside a `$ref` join them.
 */
export interface Shape {
  /** The places whose own keywords apply, all of them at once. None: anything goes. */
  readonly parts: readonly Place[];
  /** No value is allowed (`false`). */
  readonly never: boolean;
  /** `null` is allowed besides what the parts say. */
  readonly nullable: boolean;
  /** The component schemas and files that were gone through. */
  readonly names: readonly string[];
  /** Where the schema was written, if it was. */
  readonly origin: Place | undefined;
}

export function shapeOf(places: readonly Place[]): Shape {
  const parts: Place[] = [];
  const names: string[] = [];
  const seen = new Set<string>();
  let never = false;
  let nullable = false;

  const visit = (place: Place): void => {
    const { value } = place;
    if (value === false) never = true;
    if (typeof value !== 'object' || value === null || seen.has(place.id)) return;
    seen.add(place.id);
    if (typeof value.$ref === 'string') {
      names.push(value.$ref);
      visit(place.target());
    }
    for (const part of place.at('allOf').items()) visit(part);
    const alternatives = alternativesOf(place);
    const others = alternatives.filter((alternative) => !isNullType(alternative));
    if (alternatives.length > 0 && others.length === 1) {
      nullable ||= others.length < alternatives.length;
      for (const only of others) visit(only);
      parts.push(place);
      return;
    }
    parts.push(place);
  };
  for (const place of places) visit(place);
  return { parts, never, nullable, names, origin: places[0] };
}

/** The alternatives of a place's own `oneOf` or `anyOf`. */
export function alternativesOf(place: Place): Place[] {
  return [...place.at('oneOf').items(), ...place.at('anyOf').items()];
}

/** Whether a place's alternatives are a choice: one alone, or one and null, is not. */
export function isChoice(place: Place): boolean {
  return alternativesOf(place).filter((alternative) => !isNullType(alternative)).length > 1;
}

function isNullType({ value }: Place): boolean {
  return value?.type === 'null' || (Array.isArray(value?.type) && value.type.join() === 'null');
}

/** Where a keyword stands, once for each part that has it. */
export function having(shape: Shape, keyword: string): Place[] {
  return shape.parts.map((part) => part.at(keyword)).filter((place) => place.exists);
}

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] as const;

/**
 * The types allowed. `number` includes `integer`.
 *
 * @param choices - whether what the alternatives of a choice allow counts
 */
export function typesOf(shape: Shape, choices = true): Set<string> {
  let types = new Set<string>(TYPES);
  let nullable = shape.nullable;
  for (const part of shape.parts) {
    const { type, enum: values, const: constant } = part.value;
    const named = typeof type === 'string' ? [type] : Array.isArray(type) ? type.map(String) : undefined;
    const implied = Array.isArray(values) ? values : constant !== undefined ? [constant] : undefined;
    const own = new Set(named ?? implied?.map(typeOf) ?? TYPES);
    if (own.has('number')) own.add('integer');
    // A list of values without null does not allow it, whatever the types are.
    if (implied && !implied.includes(null)) own.delete('null');
    if (part.value.nullable === true) nullable = true;
    types = types.intersection(own);
    if (choices && isChoice(part)) types = types.intersection(typesOfAny(alternativesOf(part)));
  }
  if (nullable) types.add('null');
  return types;
}

function typesOfAny(alternatives: readonly Place[]): Set<string> {
  return new Set(alternatives.flatMap((alternative) => [...typesOf(shapeOf([alternative]))]));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** The values allowed by `enum` and `const`, as JSON; undefined when neither is there. */
export function valuesOf(shape: Shape): Set<string> | undefined {
  let allowed: Set<string> | undefined;
  for (const { value } of shape.parts) {
    const lists = [Array.isArray(value.enum) && value.enum, value.const !== undefined && [value.const]].filter(Boolean);
    for (const list of lists) {
      const values = new Set<string>(list.map((item: unknown) => JSON.stringify(item)));
      allowed = allowed === undefined ? values : allowed.intersection(values);
    }
  }
  // That null is allowed is told by the types.
  allowed?.delete('null');
  return allowed;
}
