/** Finds the differences without a finding. They mean the same, or else a comparator is wrong. */
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Place, pointerOf } from '@repo/openapi';
import type { Change } from './compare.ts';
import type { Version } from './version.ts';

type Keys = readonly (string | number)[];

/** The path of a file from the contract, which is '' itself. */
const nameOf = (contract: { file: string }, file: string) =>
  file === contract.file ? '' : path.relative(path.dirname(contract.file), file);

/**
 * The parts of two normalized contracts that differ and have no change within or around them. References are not followed, because
 * their targets are parts of their own.
 */
export function unrated(base: Version, head: Version, changes: readonly Change[]): Place[] {
  const [exact, around] = [new Set<string>(), new Set<string>()];
  for (const { source, file, keys } of changes.flatMap(({ place, covers = [] }) => [place, ...covers])) {
    const name = nameOf(source, file);
    exact.add(name + pointerOf(keys));
    for (let end = 0; end < keys.length; end += 1) around.add(name + pointerOf(keys.slice(0, end)));
  }
  /** Whether there is a change in a target of the value's references, because the target is compared instead of the value. */
  const isFoundAt = (version: Version, file: string, value: unknown): boolean => {
    if (typeof value !== 'object' || value === null) return false;
    if (!('$ref' in value)) return Object.values(value).some((child) => isFoundAt(version, file, child));
    const target = new Place(version, file, value).targetIfAny;
    const id = target && nameOf(version, target.file) + target.pointer;
    return id !== undefined && (exact.has(id) || around.has(id));
  };
  return base.files.flatMap((inBase) => {
    const file = nameOf(base, inBase);
    const inHead = file === '' ? head.file : path.resolve(path.dirname(head.file), file);
    if (!head.files.includes(inHead)) return [];
    const [before, after] = [base.in(inBase), head.in(inHead)];
    /**
     * The keys of the parts that differ between two values.
     *
     * @param isWithin - whether the value is in an object that both contracts use. A file may have several objects by name
     */
    const partsOf = (keys: Keys, was: unknown, is: unknown, isWithin = false): Keys[] => {
      if (was === is || isNoChange(keys, was, is)) return [];
      const [old, now] = [was, is].map((value) => (isObject(value) ? value : undefined));
      const isMap = old !== undefined && now !== undefined;
      if (!isMap && (!isWithin || isDeepStrictEqual(was, is))) return [];
      const isHere = isWithin || (base.objects.has(was) && head.objects.has(is));
      const names = isMap ? [...new Set([...Object.keys(old), ...Object.keys(now)])] : [];
      const parts = names.flatMap((key) => partsOf([...keys, key], old?.[key], now?.[key], isHere));
      if (!isHere || (isMap && parts.length === 0)) return parts;
      const id = file + pointerOf(keys);
      if (exact.has(id)) return [];
      const isRef = !isMap || old?.$ref !== now?.$ref;
      if (isRef && (isFoundAt(base, inBase, was) || isFoundAt(head, inHead, is))) return [];
      // A change in a list covers all of it, because its items have no names. A change of a keyword covers those beside it.
      const isKeyword = !isObject(was ?? is) && keys.length > 2 && around.has(file + pointerOf(keys.slice(0, -1)));
      return around.has(id) || isKeyword || parts.length === 1 ? parts : [keys];
    };
    // The fields at the root of the document are always compared one by one.
    for (const keys of [[], ['info'], ['components'], ['paths']]) around.add(file + pointerOf(keys));
    return partsOf([], before.value, after.value).map((keys) =>
      (after.at(...keys).exists ? after : before).at(...keys),
    );
  });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Differences that are no changes by themselves. */
function isNoChange(keys: Keys, was: unknown, is: unknown): boolean {
  const [first, section] = keys;
  const isOnlyIn = was === undefined || is === undefined;
  // The version results from the changes. A new or removed component counts where it is used.
  if (['openapi', 'info version'].includes(keys.slice(0, 2).join(' '))) return true;
  if (first === 'components' && keys.length < 4 && isOnlyIn) return true;
  // Paths are the same whatever the names of their parameters.
  return first === 'paths' && keys.length === 2 && isOnlyIn && String(section).includes('{');
}
