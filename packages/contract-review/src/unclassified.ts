/** Finds the differences without a finding. They mean the same, or else a comparator is wrong. */
import { isMap, type Place } from '@petstore-platform/openapi';
import { stringify } from 'safe-stable-stringify';
import type { Change } from './compare.ts';
import { idOf, type Version, written } from './version.ts';

/**
 * The parts of two normalized documents that differ and have no change within or around them. References are not followed, because
 * their targets are parts of their own.
 */
export function unclassified(base: Version, head: Version, changes: readonly Change[]): Place[] {
  const [exact, around] = [new Set<string>(), new Set<string>()];
  for (const place of changes.flatMap(({ place, covers = [] }) => [place, ...covers])) {
    exact.add(idOf(place));
    for (let at = written(place); at !== at.parent; at = at.parent) around.add(idOf(at.parent));
  }
  // The fields of the document are always compared one by one.
  for (const { root } of [base, head]) around.add(idOf(root));
  const isExact = (place: Place) => exact.has(idOf(place));
  const isAround = (place: Place) => around.has(idOf(place));
  /** Whether there is a change in a target of the value's references, because the target is compared instead of the value. */
  const isFoundAt = (place: Place): boolean => {
    // The operations of a path have copies of its parameters, and a change has the place of the author's.
    if (!isMap(place.value)) return place.items().some((one) => isExact(one) || isAround(one) || isFoundAt(one));
    const target = place.targetIfAny;
    return target
      ? isExact(target) || isAround(target)
      : place.entries().some(([, child]) => isExact(child) || isFoundAt(child));
  };
  /** The parts that differ between two places. */
  const partsOf = (old: Place, now: Place): Place[] => {
    const [was, is] = [old.value, now.value];
    if (stringify(was) === stringify(is) || isNoChange(old, now)) return [];
    const both = [old, now];
    const names = isMap(was) && isMap(is) ? [...new Set([...Object.keys(was), ...Object.keys(is)])] : undefined;
    const parts = (names ?? []).flatMap((key) => partsOf(old.at(key), now.at(key)));
    if ((names && parts.length === 0) || both.some(isExact)) return [];
    const isRef = !names || was.$ref !== is.$ref;
    if (isRef && both.some(isFoundAt)) return [];
    // A change in a list covers all of it, because its items have no names. A change of a keyword covers those beside it.
    const isKeyword = !isMap(was ?? is) && old.keys.length > 2 && both.some(({ parent }) => isAround(parent));
    return both.some(isAround) || isKeyword || parts.length === 1 ? parts : [now.exists ? now : old];
  };
  return partsOf(base.root, head.root);
}

/** Differences that are no changes by themselves. */
function isNoChange({ value: was, keys }: Place, { value: is }: Place): boolean {
  const [first, section] = keys;
  const isOnlyIn = was === undefined || is === undefined;
  // The version results from the changes. A new or removed component counts where it is used.
  if (['openapi', 'info version'].includes(keys.slice(0, 2).join(' '))) return true;
  if (first === 'components' && keys.length < 4 && isOnlyIn) return true;
  // Paths are the same whatever the names of their parameters.
  return first === 'paths' && keys.length === 2 && isOnlyIn && String(section).includes('{');
}
