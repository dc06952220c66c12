import { type Place, paired } from '@petstore-platform/openapi';
import { stringify } from 'safe-stable-stringify';
import { describe } from './describe.ts';
import { type Finding, finding } from './finding.ts';
import { isDocumentation } from './rest.ts';
import { code, lettersOf } from './words.ts';

/**
 * Like {@link paired}, but pairs a removed name with the name that it possibly became: the only added one with an equal schema, or
 * one that also differs only in case or separators.
 *
 * @param schemaOf - returns the part of a value that has to be equal; undefined for a value that cannot be renamed
 */
export function pairedWithRenames<Value>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
  schemaOf: (value: Value) => unknown,
): [name: string, old: Value | undefined, now: Value | undefined, isRenamed: boolean][] {
  const onlyIn = (some: ReadonlyMap<string, Value>, others: ReadonlyMap<string, Value>) => {
    const entries = [...some].filter(([name, value]) => !others.has(name) && schemaOf(value) !== undefined);
    const textOf = (value: Value) =>
      stringify(schemaOf(value), (key, part) => (isDocumentation(key) ? undefined : part));
    return Map.groupBy(entries, ([, value]) => textOf(value));
  };
  const gained = onlyIn(after, before);
  const renames = new Map<string, string>();
  for (const [schema, lost] of onlyIn(before, after)) {
    const names = gained.get(schema)?.map(([name]) => name) ?? [];
    const byLetters = new Map(names.map((name) => [lettersOf(name), name]));
    for (const [name] of lost) {
      const other = lost.length === 1 && names.length === 1 ? names[0] : byLetters.get(lettersOf(name));
      if (other !== undefined) renames.set(name, other);
    }
  }
  const renamed = new Set(renames.values());
  const pairs = paired(before, after).filter(([name]) => !renamed.has(name));
  return pairs.map(([name, old, now]) => [name, old, now ?? after.get(renames.get(name) ?? ''), renames.has(name)]);
}

export function rename(thing: string, old: Place, now: Place, name: string): Finding {
  return {
    ...finding(`${thing}-renamed`, 'changed', now, `Possibly renamed: ${describe(old)} → ${code(name)}.`),
    covers: [old],
  };
}
