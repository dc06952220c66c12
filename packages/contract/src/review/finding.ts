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
type Verdicts = { readonly [verb in 'added' | 'removed' | 'changed']?: Effect };

/** Compatible to add; breaking to remove or change. */
export const KEPT: Verdicts = { added: 'compatible', removed: 'changed', changed: 'changed' };

/** The presence of a keyword that limits the allowed values. */
export const LIMIT: Verdicts = { added: 'narrower', removed: 'wider' };

/** Compatible to add; breaking to remove. Its parts are compared one by one. */
const PRESENT: Verdicts = { added: 'compatible', removed: 'changed' };

/**
 * The finding of an addition, removal or change, if any.
 *
 * @param verdicts - one effect for all three, or the effect of each
 * @param text - replaces the default message
 */
export function told(
  rule: string,
  subject: string,
  old: Place | undefined,
  now: Place | undefined,
  verdicts: Verdicts | Effect = PRESENT,
  text?: string,
): Finding[] {
  const [was, is] = [old?.value, now?.value];
  const verb = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';
  const place = verb === 'removed' ? old : now;
  const effect = typeof verdicts === 'string' ? verdicts : verdicts[verb];
  if (!place || !effect || canonical(was) === canonical(is)) return [];
  const isText = verb === 'changed' && typeof is !== 'object';
  const usual = isText ? `${subject} is \`${is}\`; it was \`${was}\`.` : `${subject} was ${verb}.`;
  return [finding(`${rule}-${verb}`, effect, place, text ?? usual)];
}

/** Values in a message, without the quotes of JSON. */
export function list(values: Iterable<unknown>): string {
  return [...values].map((value) => `\`${String(value).replace(/^"(.*)"$/, '$1')}\``).join(', ');
}

/** The findings for values removed from and added to a list. */
export function lostAndGained(
  rule: string,
  subject: string,
  place: Place,
  [before, after]: readonly [ReadonlySet<unknown>, ReadonlySet<unknown>],
  { removed = 'changed', added = 'compatible' }: Verdicts = PRESENT,
  end = '',
): Finding[] {
  const [lost, gained] = [new Set(before).difference(after), new Set(after).difference(before)];
  return [
    ...(lost.size > 0 ? [finding(`${rule}-removed`, removed, place, `${subject} lost ${list(lost)}.`)] : []),
    ...(gained.size > 0 ? [finding(`${rule}-added`, added, place, `${subject} gained ${list(gained)}${end}.`)] : []),
  ];
}

/** Something that is on or off: the rule and the words for both. Default effects: on is narrower, off is wider. */
interface Switch {
  on: readonly [rule: string, words: string];
  off: readonly [rule: string, words: string];
  effects?: readonly [on: Effect, off: Effect];
}

const SWITCHES = {
  required: { on: ['became-required', 'is now required'], off: ['became-optional', 'is no longer required'] },
  allowEmptyValue: {
    on: ['empty-value-allowed', 'may now be empty'],
    off: ['empty-value-disallowed', 'may no longer be empty'],
    effects: ['wider', 'narrower'],
  },
  // A deprecation is a minor change (SemVer 2.0.0, section 7).
  deprecated: {
    on: ['deprecated', 'is deprecated'],
    off: ['reactivated', 'is no longer deprecated'],
    effects: ['compatible', 'compatible'],
  },
  forbidden: { on: ['schema-forbidden', 'is no longer allowed'], off: ['schema-allowed', 'is now allowed'] },
  closedEnum: {
    on: ['extensible-enum-became-closed', 'is limited to the values listed'],
    off: ['enum-became-extensible', 'may have values that are not listed'],
  },
  exclusiveChoice: {
    on: ['any-of-became-one-of', 'may match only one of its alternatives'],
    off: ['one-of-became-any-of', 'may match several of its alternatives'],
  },
} satisfies Record<string, Switch>;

/** The finding of a switch that was turned on or off. */
export function turned(
  name: keyof typeof SWITCHES,
  isOn: boolean,
  place: Place,
  subject = describe(place),
  prefix = '',
): Finding {
  const { on, off, effects: [narrower, wider] = ['narrower', 'wider'] }: Switch = SWITCHES[name];
  const [rule, words] = isOn ? on : off;
  return finding(prefix + rule, isOn ? narrower : wider, place, `${subject} ${words}.`);
}

/** @param old, now - places that form one thing together, such as the schemas of an `allOf` */
export function* compareFlag(
  key: 'required' | 'allowEmptyValue' | 'deprecated',
  old: readonly Place[],
  now: readonly Place[],
  prefix = '',
): Generator<Finding> {
  const isOn = (places: readonly Place[]) => places.some(({ value }) => value[key] === true);
  const owner = [...now, ...old].find(({ value }) => value[key] !== undefined);
  if (owner === undefined || isOn(old) === isOn(now)) return;
  const one = turned(key, isOn(now), owner.at(key), describe(owner), prefix);
  const sunset = key === 'deprecated' && isOn(now) && owner.value['x-sunset'];
  yield sunset ? { ...one, message: `${one.message} It goes on ${sunset}.` } : one;
}

const ORDER: readonly Bump[] = ['none', 'patch', 'minor', 'major'];

/** Negative when `a` is the smaller bump. */
export function compareBumps(a: Bump, b: Bump): number {
  return ORDER.indexOf(a) - ORDER.indexOf(b);
}

export function largestBump(bumps: readonly Bump[]): Bump {
  return ORDER.findLast((bump) => bumps.includes(bump)) ?? 'none';
}
