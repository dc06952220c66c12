import type { Place } from '../place.ts';

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] as const;

/**
 * A normalized schema: `$ref`s followed, `allOf` and single alternatives inlined, all notations of "or null" unified. It has
 * several places if `allOf` or keywords beside a `$ref` combine them.
 */
export class Shape {
  /** The places whose keywords all apply. None: any value is allowed. */
  readonly parts: Place[] = [];
  /** The ids of all visited places. */
  readonly seen = new Set<string>();
  /** The first place of the schema, if any. */
  readonly origin: Place | undefined;
  /** No value is allowed (`false`). */
  never = false;
  /** `null` is allowed in addition to the parts. */
  #nullable = false;
  #types: Set<string> | undefined;

  constructor(places: readonly Place[]) {
    this.origin = places[0];
    for (const place of places) this.#visit(place);
  }

  #visit(place: Place): void {
    const { value } = place;
    if (value === false) this.never = true;
    if (typeof value !== 'object' || value === null || this.seen.has(place.id)) return;
    this.seen.add(place.id);
    if (typeof value.$ref === 'string') this.#visit(place.target());
    for (const part of place.at('allOf').items()) this.#visit(part);
    const alternatives = alternativesOf(place);
    const [sole, ...others] = alternatives.filter((alternative) => !isNullType(alternative));
    if (sole && others.length === 0) {
      this.#nullable ||= alternatives.length > 1;
      this.#visit(sole);
    }
    this.parts.push(place);
  }

  /** The places of a keyword, one per part that has it. */
  having(keyword: string): Place[] {
    return this.parts.filter(({ value }) => value[keyword] !== undefined).map((part) => part.at(keyword));
  }

  has(keyword: string): boolean {
    return this.parts.some(({ value }) => value[keyword] !== undefined);
  }

  /** The entries of a keyword that maps names to schemas, joined over all parts. */
  mapOf(keyword: string): Map<string, Place[]> {
    const map = new Map<string, Place[]>();
    for (const [name, place] of this.having(keyword).flatMap((owner) => owner.entries())) {
      map.set(name, [...(map.get(name) ?? []), place]);
    }
    return map;
  }

  /** `oneOf` and `anyOf` with more than one alternative besides null. */
  get choices(): Place[] {
    return this.parts.filter(isChoice);
  }

  /** The types allowed. `number` includes `integer`. */
  get types(): Set<string> {
    this.#types ??= this.#typesOf(true);
    return this.#types;
  }

  /** Like {@link types}, without the alternatives of choices. */
  get ownTypes(): Set<string> {
    return this.choices.length === 0 ? this.types : this.#typesOf(false);
  }

  #typesOf(choices: boolean): Set<string> {
    let types = new Set<string>(TYPES);
    let nullable = this.#nullable;
    for (const part of this.parts) {
      const { type, enum: values, const: constant } = part.value;
      const named = typeof type === 'string' ? [type] : Array.isArray(type) ? type.map(String) : undefined;
      const implied = Array.isArray(values) ? values : constant !== undefined ? [constant] : undefined;
      const own = new Set(named ?? implied?.map(typeOf) ?? TYPES);
      if (own.has('number')) own.add('integer');
      // An `enum` without null excludes it, whatever the types.
      if (implied && !implied.includes(null)) own.delete('null');
      if (part.value.nullable === true) nullable = true;
      types = types.intersection(own);
      if (choices && isChoice(part)) {
        const allowed = alternativesOf(part).flatMap((alternative) => [...new Shape([alternative]).types]);
        types = types.intersection(new Set(allowed));
      }
    }
    if (nullable) types.add('null');
    return types;
  }

  /** The values allowed by `enum` and `const`, as JSON; undefined without both. */
  get values(): Set<string> | undefined {
    const lists = this.parts.flatMap(({ value }) => [
      ...(Array.isArray(value.enum) ? [value.enum] : []),
      ...(value.const !== undefined ? [[value.const]] : []),
    ]);
    const sets = lists.map((list) => new Set<string>(list.map((value: unknown) => canonical(value))));
    const allowed = sets.length > 0 ? sets.reduce((all, one) => all.intersection(one)) : undefined;
    // compareTypes reports changes of null.
    allowed?.delete('null');
    return allowed;
  }
}

/** The alternatives of a place's `oneOf` and `anyOf`. */
export function alternativesOf(place: Place): Place[] {
  return [...place.at('oneOf').items(), ...place.at('anyOf').items()];
}

function isChoice(place: Place): boolean {
  if (!place.value.oneOf && !place.value.anyOf) return false;
  return alternativesOf(place).filter((alternative) => !isNullType(alternative)).length > 1;
}

function isNullType({ value }: Place): boolean {
  return value?.type === 'null' || (Array.isArray(value?.type) && value.type.join() === 'null');
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** A value as JSON with sorted keys. */
export function canonical(value: unknown, isLeftOut = (_key: string) => false): string {
  return JSON.stringify(value, (_, child) => {
    if (typeof child !== 'object' || child === null || Array.isArray(child)) return child;
    const entries = Object.entries(child).filter(([key]) => !isLeftOut(key));
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
