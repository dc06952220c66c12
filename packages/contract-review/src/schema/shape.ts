import { ANNOTATION, Place, type Places, TYPES } from '@petstore-platform/openapi';
import { stringify } from 'safe-stable-stringify';
import type { Direction, Effect, Finding } from '../finding.ts';
import { matches } from '../patterns.ts';

/** Two versions of a nested schema to compare. No places: any value is allowed. */
export interface Pair {
  base: Places;
  head: Places;
  /** Overrides the effect of every finding in the pair. */
  as?: Effect | undefined;
}

/** Compares nested schemas, also for the rules of single keywords. */
export interface Schemas {
  readonly direction: Direction;
  /** Whether parts differ only because the overlay follows from what the author changed elsewhere. */
  isImplied(...places: Places): boolean;
  findings(base: Places, head: Places): Iterable<Finding>;
  /** The effect of replacing one schema by the other; undefined if they allow the same values. */
  effectOf(base: Places, head: Places): 'compatible' | 'wider' | 'narrower' | 'changed' | undefined;
}

/**
 * A normalized schema: `$ref`s followed, `allOf` and single alternatives inlined, all notations of "or null" unified. It has
 * several places if `allOf` or keywords beside a `$ref` combine them.
 */
export class Shape {
  /** The places of the schema itself. Without any, every value is allowed. */
  readonly places: Places;
  readonly parts: Place[] = [];
  /** The parts with a `oneOf` or `anyOf` that has more than one alternative besides null. */
  readonly choices: Place[] = [];
  readonly seen = new Set<string>();
  /** Whether no value is allowed (`false`, or `not: {}`). */
  never = false;
  /** Whether `null` is allowed in addition to the values that the parts allow. */
  #nullable = false;

  constructor(places: Places) {
    this.places = places;
    for (const place of places) this.#visit(place);
  }

  #visit(place: Place): void {
    const { value } = place;
    if (value === false || (value?.not !== undefined && isAny(value.not))) this.never = true;
    if (typeof value !== 'object' || value === null || this.seen.has(place.id)) return;
    this.seen.add(place.id);
    if (typeof value.$ref === 'string') this.#visit(place.target());
    for (const part of place.at('allOf').items()) this.#visit(part);
    const alternatives = alternativesOf(place);
    const values = alternatives.filter((alternative) => !isNullType(alternative));
    const [sole, ...others] = values.length > 0 ? values : alternatives.slice(0, 1);
    const isSole = sole !== undefined && others.length === 0;
    this.#nullable ||= values.length === 1 && alternatives.length > 1;
    if (isSole) this.#visit(sole);
    // A base schema that lists its derived schemas does not limit these.
    const isListed = alternatives.some((one) => this.seen.has(one.follow().id));
    if (others.length > 0 && !isListed) this.choices.push(place);
    this.parts.push(place);
  }

  get isAny(): boolean {
    return !this.never && this.parts.every((part) => isSilent(part.without('$ref', 'allOf')));
  }

  having(keyword: string): Place[] {
    return this.parts.filter(({ value }) => value[keyword] !== undefined).map((part) => part.at(keyword));
  }

  /** The entries of a keyword that maps names to schemas, joined over all parts. */
  mapOf(keyword: string): Map<string, Place[]> {
    const entries = this.having(keyword).flatMap((owner) => owner.entries());
    const byName = Map.groupBy(entries, ([name]) => name);
    return new Map([...byName].map(([name, all]) => [name, all.map(([, place]) => place)]));
  }

  property(name: string): Shape {
    return new Shape(this.mapOf('properties').get(name) ?? []);
  }

  patternsFor(name: string): Place[] {
    return this.having('patternProperties').flatMap((patterns) => patternsIn(patterns, name));
  }

  /** The schema of a property of any name, which may be listed, match a pattern, or be one of the others. */
  applyingTo(name: string): Shape {
    const forbidden = this.having('propertyNames').find((names) => !admits(new Shape([names]), name));
    if (forbidden) return new Shape([new Place(forbidden.source, forbidden.file, false, forbidden, name)]);
    const listed = this.parts.flatMap((part) => {
      const declared = [part.at('properties', name), ...patternsIn(part.at('patternProperties'), name)];
      const found = declared.filter(({ exists }) => exists);
      return found.length > 0 ? found : [part.at('additionalProperties')].filter(({ exists }) => exists);
    });
    return new Shape(listed.length > 0 ? listed : this.having('unevaluatedProperties'));
  }

  get required(): Map<string, Place> {
    const lists = this.having('required').flatMap((list) => list.items());
    return new Map(lists.map((place) => [String(place.value), place]));
  }

  /** The types allowed. `number` includes `integer`. Ignores choices in alternatives, which may form cycles. */
  get types(): Set<string> {
    const choices = this.choices.map((choice) => alternativesOf(choice).map((one) => new Shape([one]).ownTypes));
    const isAllowed = (type: string) =>
      (this.#nullable && type === 'null') || choices.every((alternatives) => alternatives.some((one) => one.has(type)));
    return new Set([...this.ownTypes].filter(isAllowed));
  }

  /** Like {@link types}, without the alternatives of choices. */
  get ownTypes(): Set<string> {
    const types = this.parts.reduce((all, part) => all.intersection(typesIn(part)), new Set<string>(TYPES));
    return this.#nullable ? types.add('null') : types;
  }

  /** The values allowed by `enum` and `const`, as JSON; undefined without both. */
  get values(): Set<string> | undefined {
    const lists = this.parts.map(listIn).filter((list) => list !== undefined);
    if (lists.length === 0) return undefined;
    const sets = lists.map((list) => new Set(list.map((value) => `${stringify(value)}`)));
    const allowed = sets.reduce((all, one) => all.intersection(one));
    // compareTypes reports changes of null.
    allowed.delete('null');
    return allowed;
  }
}

const patternsIn = (patterns: Place, name: string) =>
  patterns.entries().flatMap(([pattern, schema]) => (matches(pattern, name) ? [schema] : []));

/** Whether a schema allows a text. Keywords other than those of texts count as allowing it. */
function admits(schema: Shape, text: string): boolean {
  const { length } = [...text];
  const meet = (keyword: string, isMet: (limit: unknown) => boolean) =>
    schema.having(keyword).every(({ value }) => isMet(value));
  return (
    !schema.never &&
    schema.types.has('string') &&
    schema.values?.has(JSON.stringify(text)) !== false &&
    meet('pattern', (pattern) => matches(`${pattern}`, text)) &&
    meet('maxLength', (most) => length <= Number(most)) &&
    meet('minLength', (least) => length >= Number(least))
  );
}

export function alternativesOf(place: Place): Place[] {
  return [...place.at('oneOf').items(), ...place.at('anyOf').items()];
}

/** Whether a place has no constraints of its own. A discriminator is written into the alternatives, too. */
export const isSilent = ({ value }: Place) =>
  Object.keys(value ?? {}).every((keyword) => ANNOTATION.test(keyword) || keyword === 'discriminator');

const isAny = (value: unknown) => value === true || Object.keys(Object(value)).length === 0;

const isNullType = ({ value }: Place) => [value?.type].flat().join() === 'null';

function listIn({ value }: Place): unknown[] | undefined {
  const list: unknown[] | undefined = Array.isArray(value.enum) ? value.enum : undefined;
  if (value.const === undefined) return list;
  return list?.every((one) => stringify(one) !== stringify(value.const)) ? [] : [value.const];
}

function typesIn(place: Place): Set<string> {
  const [{ type }, list] = [place.value, listIn(place)];
  const named = typeof type === 'string' || Array.isArray(type) ? [type].flat() : undefined;
  const types = new Set<string>(named?.map(String) ?? list?.map(typeOf) ?? TYPES);
  if (types.has('number')) types.add('integer');
  // A list of values without null excludes null, whatever the types.
  if (list && !list.includes(null)) types.delete('null');
  return types;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) || typeof value === 'bigint' ? 'integer' : typeof value;
}
