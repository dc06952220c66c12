import { stringify } from 'safe-stable-stringify';
import { lettersOf } from '../contract.ts';
import { describe } from './describe.ts';
import { isDocumentation } from './documentation.ts';
import { type Finding, finding } from './finding.ts';
import { type Place, paired } from './source.ts';

/**
 * Like {@link paired}, except that a name that is gone has the value of the one that it possibly became: of an equal schema,
 * and the only such one or different only in case or separators.
 *
 * @param schemaOf - JSON to compare; undefined for what has no possible rename
 */
export function pairedWithRenames<Value>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
  schemaOf: (value: Value) => unknown,
): [name: string, old: Value | undefined, now: Value | undefined, isRenamed: boolean][] {
  const onlyIn = (some: ReadonlyMap<string, Value>, others: ReadonlyMap<string, Value>) => {
    const names = [...some.keys()].filter((name) => !others.has(name));
    return Map.groupBy(names, (name) =>
      stringify(schemaOf(some.get(name) as Value), (key, value) => (isDocumentation(key) ? undefined : value)),
    );
  };
  const [lost, gained] = [onlyIn(before, after), onlyIn(after, before)];
  const renames = new Map<string, string>();
  for (const [schema, names] of lost) {
    if (schema === undefined) continue;
    const others = gained.get(schema) ?? [];
    const byLetters = new Map(others.map((other) => [lettersOf(other), other]));
    const [sole] = names.length === 1 && others.length === 1 ? others : [];
    for (const name of names) {
      const other = sole ?? byLetters.get(lettersOf(name));
      if (other !== undefined) renames.set(name, other);
    }
  }
  const renamed = new Set(renames.values());
  return paired(before, after)
    .filter(([name]) => !renamed.has(name))
    .map(([name, old, now]) => [name, old, now ?? after.get(renames.get(name) ?? ''), renames.has(name)]);
}

/** Breaking, like a removal: it is one, beside an addition. */
export function rename(thing: string, old: Place, now: Place, name: string): Finding {
  return finding(`${thing}-renamed`, 'changed', now, `Possibly renamed: ${describe(old)} → \`${name}\`.`);
}
