import type { Place, Places } from '@petstore-platform/openapi';
import { stringify } from 'safe-stable-stringify';
import { describe } from './describe.ts';
import { idOf as idOfPlace } from './version.ts';
import { code, hashOf } from './words.ts';

export type Direction = 'request' | 'response';

/**
 * The effect of a change on the set of allowed values.
 *
 * - `narrower`: allows fewer values, which breaks requests.
 * - `fewer`: is narrower by a listed value, whose `case` in a client's `switch` no longer compiles.
 * - `guarantee`: is narrower without a change of the SDK's types, such as a larger `minLength` in a response.
 * - `wider`: allows more values, which breaks responses.
 * - `changed`: breaks both.
 * - `compatible`: breaks neither.
 * - `documentation`: allows the same values.
 * - `gone`: removes an exported type of the SDK.
 */
export type Effect = 'narrower' | 'fewer' | 'wider' | 'changed' | 'compatible' | 'guarantee' | 'documentation' | 'gone';

export interface Finding {
  /** The identifier of the change. Operations that share a schema share its changes, and so do the views of a schema. */
  key: string;
  /** The name of the rule without the direction, such as `max-length-decreased`. */
  rule: string;
  effect: Effect;
  /** The changed place in head, or in base if it was removed. */
  place: Place;
  message: string;
  /** Both versions of a place that is compared as a whole, because the message does not name the difference. */
  detail?: string | undefined;
  /** The places to which references lead from there, which were compared with it. */
  covers?: readonly Place[] | undefined;
}

/** @param part - distinguishes findings of one rule in one place */
export function finding(rule: string, effect: Effect, place: Place, message: string, part = '', detail?: string) {
  return { key: `${idOfPlace(place)} ${rule} ${part}`, rule, effect, place, message, detail };
}

/**
 * The identifier of a change by its values, so that an exception does not cover the next change of the same place. The values are
 * in the message, or in `detail` if the place is compared as a whole.
 */
export const idOf = ({ rule, message, detail }: Pick<Finding, 'rule' | 'message' | 'detail'>) =>
  hashOf(JSON.stringify([rule, detail ?? message]));

type Verdicts = { readonly [verb in 'added' | 'removed' | 'changed']?: Effect };

/** The effects for something that clients rely on: it is compatible to add, and breaking to remove or change. */
const KEPT: Verdicts = { added: 'compatible', removed: 'changed', changed: 'changed' };

export const LIMIT: Verdicts = { added: 'narrower', removed: 'wider' };

/**
 * The finding of an addition, removal or change, if any.
 *
 * @param verdicts - one effect for all three, or the effect of each. An object is then only added or removed: its parts are
 *   compared one by one
 */
export function compareEntry(
  rule: string,
  subject: string,
  old: Place | undefined,
  now: Place | undefined,
  verdicts: Verdicts | Effect = KEPT,
  text?: string,
): Finding[] {
  const [was, is] = [old?.value, now?.value];
  const verb = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';
  const place = verb === 'removed' ? old : now;
  const isText = typeof verdicts === 'string' || (typeof was !== 'object' && typeof is !== 'object');
  const isWhole = isText || verb !== 'changed';
  const effect = typeof verdicts === 'string' ? verdicts : isWhole && verdicts[verb];
  if (!place || !effect || stringify(was) === stringify(is)) return [];
  // Without quotes, a text may look like the number that it was.
  const isOther = was !== undefined && is !== undefined && typeof was !== typeof is;
  const show = (value: unknown) =>
    value === undefined ? 'none' : isOther ? code(stringify(value)) : list([stringify(value)]);
  const usual = isText ? `${subject} is ${show(is)}; it was ${show(was)}.` : `${subject} was ${verb}.`;
  return [finding(`${rule}-${verb}`, effect, place, text ?? usual)];
}

export function list(values: Iterable<unknown>): string {
  return [...values].map((value) => code(String(value).replace(/^"(.+)"$/, '$1'))).join(', ');
}

export function lostAndGained(
  rule: string,
  subject: string,
  place: Place,
  [before, after]: readonly [ReadonlySet<unknown>, ReadonlySet<unknown>],
  { removed, added }: { removed: Effect; added: Effect },
  end = '',
): Finding[] {
  const [lost, gained] = [before.difference(after), after.difference(before)];
  return [
    ...(lost.size > 0 ? [finding(`${rule}-removed`, removed, place, `${subject} lost ${list(lost)}.`)] : []),
    ...(gained.size > 0 ? [finding(`${rule}-added`, added, place, `${subject} gained ${list(gained)}${end}.`)] : []),
  ];
}

const FLAGS = {
  required: [
    ['became-required', 'is now required', 'narrower'],
    ['became-optional', 'is no longer required', 'wider'],
  ],
  // A deprecation is a minor change (SemVer 2.0.0, section 7).
  deprecated: [
    ['deprecated', 'is deprecated', 'compatible'],
    ['reactivated', 'is no longer deprecated', 'compatible'],
  ],
} as const;

export function* compareFlag(key: keyof typeof FLAGS, old: Places, now: Places, prefix = ''): Generator<Finding> {
  const isOn = (places: Places) => places.some((place) => place.at(key).value === true);
  const owner = [...now, ...old].find((place) => place.at(key).exists);
  if (owner === undefined || isOn(old) === isOn(now)) return;
  const [rule, message, effect] = FLAGS[key][isOn(now) ? 0 : 1];
  yield finding(prefix + rule, effect, owner.at(key), `${describe(owner)} ${message}.`);
}
