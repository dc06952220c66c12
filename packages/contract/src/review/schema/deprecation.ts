import type { Finding } from '../finding.ts';
import { describe } from '../label.ts';
import type { Place } from '../source.ts';
import { having, shapeOf } from './shape.ts';

/** Deprecating what clients use is news for them, though nothing breaks (SemVer 2.0.0, 7). */
export function deprecation(old: readonly Place[], now: readonly Place[]): Finding[] {
  const flag = (places: readonly Place[]) => having(shapeOf(places), 'deprecated').find(({ value }) => value === true);
  const [before, after] = [flag(old), flag(now)];
  if ((before === undefined) === (after === undefined)) return [];
  const place = (after ?? before) as Place;
  const message = `${describe(place.parent)} is ${after ? 'deprecated' : 'no longer deprecated'}.`;
  return [{ rule: after ? 'deprecated' : 'reactivated', effect: 'compatible', place, message }];
}
