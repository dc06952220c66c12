import type { Place } from './place.ts';
import { canonical } from './schema/shape.ts';
import { describe } from './words.ts';

/** Whether the client sends or receives a value. */
export type Direction = 'request' | 'response';

export type Impact = 'major' | 'minor' | 'patch';
export type Bump = Impact | 'none';

/**
 * The effect of a change on the set of allowed values.
 *
 * `narrower` breaks requests, `wider` breaks responses. `guarantee` is narrower without a change of the SDK's types, such
 * as a larger `minLength` in a response. `words` allows the same values; `gone` is a removed type of the SDK.
 */
export type Effect = 'narrower' | 'wider' | 'changed' | 'compatible' | 'guarantee' | 'words' | 'gone';

export interface Finding {
  /** Without the direction, such as `max-length-decreased`. */
  rule: string;
  effect: Effect;
  /** In head; in base if it was removed. */
  place: Place;
  message: string;
}

export function finding(rule: string, effect: Effect, place: Place, message: string): Finding {
  return { rule, effect, place, message };
}

/** The effects of adding, removing and changing something. An absent one is no finding. */
export type Verdicts = { readonly [verb in 'added' | 'removed' | 'changed']?: Effect };

/** Compatible to add; breaking to remove or change. */
export const KEPT: Verdicts = { added: 'compatible', removed: 'changed', changed: 'changed' };

/** The finding of an addition, removal or change, if any. `text`: replaces the default message. */
export function told(
  rule: string,
  subject: string,
  old: Place | undefined,
  now: Place | undefined,
  verdicts: Verdicts,
  text?: string,
): Finding[] {
  const [was, is] = [old?.value, now?.value];
  const verb = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';
  const [place, effect] = [verb === 'removed' ? old : now, verdicts[verb]];
  if (!place || !effect || canonical(was) === canonical(is)) return [];
  return [finding(`${rule}-${verb}`, effect, place, text ?? `${subject} was ${verb}.`)];
}

/** The findings for values removed from and added to a list. */
export function lostAndGained(
  rule: string,
  subject: string,
  place: Place,
  [before, after]: readonly [ReadonlySet<unknown>, ReadonlySet<unknown>],
  verdicts: Verdicts,
  end = '',
): Finding[] {
  const words = (values: Iterable<unknown>) =>
    [...values].map((value) => `\`${String(value).replace(/^"(.*)"$/, '$1')}\``).join(', ');
  const [lost, gained] = [new Set(before).difference(after), new Set(after).difference(before)];
  const { removed = 'words', added = 'words' } = verdicts;
  return [
    ...(lost.size > 0 ? [finding(`${rule}-removed`, removed, place, `${subject} lost ${words(lost)}.`)] : []),
    ...(gained.size > 0 ? [finding(`${rule}-added`, added, place, `${subject} gained ${words(gained)}${end}.`)] : []),
  ];
}

type Verdict = readonly [rule: string, effect: Effect, words: string];

/** Boolean keys with the default `false`. */
const FLAGS: Record<'required' | 'allowEmptyValue' | 'deprecated', { on: Verdict; off: Verdict }> = {
  required: {
    on: ['became-required', 'narrower', 'is now required'],
    off: ['became-optional', 'wider', 'is no longer required'],
  },
  allowEmptyValue: {
    on: ['empty-value-allowed', 'wider', 'may now be empty'],
    off: ['empty-value-disallowed', 'narrower', 'may no longer be empty'],
  },
  // A deprecation is a minor change (SemVer 2.0.0, section 7).
  deprecated: {
    on: ['deprecated', 'compatible', 'is deprecated'],
    off: ['reactivated', 'compatible', 'is no longer deprecated'],
  },
};

/** @param old, now - places that form one thing together, such as the schemas of an `allOf` */
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

const BOTH = { changed: 'major', compatible: 'minor', words: 'patch', gone: 'major' } as const;

const IMPACTS: Record<Direction, Record<Effect, Impact>> = {
  request: { ...BOTH, narrower: 'major', wider: 'minor', guarantee: 'major' },
  response: { ...BOTH, narrower: 'minor', wider: 'major', guarantee: 'patch' },
};

export function impactOf(effect: Effect, direction: Direction): Impact {
  return IMPACTS[direction][effect];
}

const ORDER: readonly Bump[] = ['none', 'patch', 'minor', 'major'];

/** Negative when `a` is the smaller bump. */
export function compareBumps(a: Bump, b: Bump): number {
  return ORDER.indexOf(a) - ORDER.indexOf(b);
}

export function largestBump(bumps: readonly Bump[]): Bump {
  return bumps.reduce((largest, bump) => (compareBumps(bump, largest) > 0 ? bump : largest), 'none');
}
