import { type Effect, type Finding, finding } from './finding.ts';
import { describe } from './label.ts';
import type { Place } from './place.ts';

type Verdict = readonly [rule: string, effect: Effect, words: string];

/** Keys that are off unless they are `true`. */
const FLAGS: Record<'required' | 'allowEmptyValue' | 'deprecated', { on: Verdict; off: Verdict }> = {
  required: {
    on: ['became-required', 'narrower', 'is now required'],
    off: ['became-optional', 'wider', 'is no longer required'],
  },
  allowEmptyValue: {
    on: ['empty-value-allowed', 'wider', 'may now be empty'],
    off: ['empty-value-disallowed', 'narrower', 'may no longer be empty'],
  },
  // Deprecating what clients use is news for them, though nothing breaks (SemVer 2.0.0, 7).
  deprecated: {
    on: ['deprecated', 'compatible', 'is deprecated'],
    off: ['reactivated', 'compatible', 'is no longer deprecated'],
  },
};

/** @param old, now - places that together make up one thing, as `allOf` joins schemas */
export function* compareFlag(
  key: keyof typeof FLAGS,
  old: readonly Place[],
  now: readonly Place[],
  prefix = '',
): Generator<Finding> {
  const isOn = (places: readonly Place[]) => places.some(({ value }) => value[key] === true);
  const owner = [...now, ...old].find(({ value }) => value[key] !== undefined);
  if (owner === undefined || isOn(old) === isOn(now)) return;
  const [rule, effect, words] = FLAGS[key][isOn(now) ? 'on' : 'off'];
  const sunset = rule === 'deprecated' && owner.value['x-sunset'];
  const message = `${describe(owner)} ${words}.${sunset ? ` It goes on ${sunset}.` : ''}`;
  yield finding(prefix + rule, effect, owner.at(key), message);
}
