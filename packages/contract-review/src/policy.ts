/** Violations of the policies on versions and deprecation for released operations. */

import type { Place } from '@petstore-platform/openapi';
import { adviceOn } from './advice.ts';
import type { Affected, Change } from './compare.ts';
import { idOf } from './finding.ts';
import { type Endpoint, LEVELS, movesIn, operationsIn, stabilityOf } from './operations.ts';
import type { Version } from './version.ts';
import { code, counted, DAY, dateIn, NOTICE_DAYS } from './words.ts';

export interface Violation {
  rule: string;
  message: string;
  fix: string;
  /** The operations of a policy's violation, which an override may lift. */
  operations?: Affected[];
  /** The place to fix, or the closest one in head. */
  place?: Place;
  /** Identifies the change if the message does not, or changes daily because it counts the days left. */
  detail?: string | undefined;
  /** The breaking change that violates the policy. */
  change?: Change;
}

/** Changes that {@link checkDeprecations} judges. */
const ANNOUNCED = /^(operation-(moved|removed)|stability)/;
/** Changes that break only the SDK's names and types. */
const OF_SDK =
  /^(operation-id-(added|changed|removed)|path-parameter-renamed|component-schema|server-environment|response-(status|enum-value)-removed)/;

/**
 * Whether a change breaks what no version may break.
 *
 * @param isVersioned - whether changesets declare the version. A major one is enough for the SDK and for unstable operations
 */
export function isBreaking({ impact, rule, operations }: Change, isVersioned: boolean): boolean {
  const isStable = operations.length === 0 || operations.some(({ stability }) => !LEVELS.includes(`${stability}`, 1));
  return impact === 'major' && !ANNOUNCED.test(rule) && !(isVersioned && (!isStable || OF_SDK.test(rule)));
}

/**
 * The breaking changes of the released contract.
 *
 * @param changes - from the released contract to head
 * @param older - from the released contract to base, which are not part of this review
 */
export function checkVersion(changes: readonly Change[], older: readonly Change[], isVersioned: boolean): Violation[] {
  const keysOf = (change: Change) =>
    ['all', ...change.operations.map(({ name }) => name)].map((name) => `${idOf(change)} ${name}`);
  const oldKeys = new Set(older.flatMap(keysOf));
  const isNew = (change: Change) => keysOf(change).some((key) => !oldKeys.has(key));
  const breaking = changes.filter((change) => isBreaking(change, isVersioned) && isNew(change));
  return breaking.map((change) => violationBy(change, 'breaking-within-version'));
}

export const violationBy = (change: Change, rule: string): Violation => ({
  ...change,
  rule,
  fix: adviceOn(change.rule),
  change,
});

export function checkDeprecations(released: Version, head: Version, now: Date): Violation[] {
  const [before, after] = [operationsIn(released.root), operationsIn(head.root)];
  const moves = movesIn(before, after);
  return [...before].flatMap(([path, old]) => {
    if (old.place.value['x-stability'] === 'experimental') return [];
    const current = after.get(path);
    const moved = old.place.value.deprecated === true ? undefined : after.get(moves.get(path) ?? '');
    const found = current ? ofChange(old, current, now) : moved ? ofMove(old, moved) : ofRemoval(old, now);
    return found ? [{ place: head.root.at('paths'), ...found, operations: [{ name: old.name }] }] : [];
  });
}

const ofMove = ({ name, title }: Endpoint, { title: to, place }: Endpoint): Violation => ({
  rule: 'operation-moved-without-deprecation',
  message: `${code(name)} moved from ${code(title)} to ${code(to)}.`,
  fix: adviceOn('operation-moved'),
  place,
});

function ofRemoval({ name, place }: Endpoint, now: Date): Violation | undefined {
  const { deprecated, 'x-sunset': sunset, 'x-stability': level } = place.value;
  if (deprecated !== true) {
    const message = `${code(name)} was removed, but the released contract does not deprecate it.`;
    const fix = `restore ${code(name)}, deprecated with an \`x-sunset\` from ${dateIn(noticeOf(level), now)} on`;
    return { rule: 'operation-removed-without-deprecation', message, fix };
  }
  if (daysUntil(sunset, now) <= 0) return undefined;
  const end = `its sunset, ${sunset ? code(sunset) : 'which the released contract lacks'}`;
  const message = `${code(name)} was removed before ${end}.`;
  return { rule: 'operation-removed-before-sunset', message, fix: `restore ${code(name)} until ${end}` };
}

/** The violation of a change of stability or sunset. Without a sunset, a deprecated operation cannot be removed. */
function ofChange(old: Endpoint, current: Endpoint, now: Date): Violation | undefined {
  const [before, after] = [old.place.value, current.place.value];
  const [level, newLevel] = [stabilityOf(old), stabilityOf(current)];
  const name = code(current.name);
  if (newLevel > level) {
    const message = `${name} was ${LEVELS[level]} and cannot become ${LEVELS[newLevel]}.`;
    const place = current.place.at('x-stability');
    return { rule: 'stability-decreased', message, fix: `make ${name} ${LEVELS[level]} again`, place };
  }
  const [sunset, newSunset] = [before.deprecated === true && before['x-sunset'], after['x-sunset']];
  if (after.deprecated !== true || sunset === newSunset) return undefined;
  const place = current.place.at('x-sunset');
  const set = (date: string) => `set the \`x-sunset\` of ${name} to ${code(date)} or later`;
  const has = `${name} has the sunset ${code(newSunset)}`;
  if (newSunset < sunset) {
    const message = `${has}, earlier than the announced ${code(sunset)}.`;
    return { rule: 'sunset-moved-earlier', message, fix: set(sunset), place };
  }
  const notice = noticeOf(before['x-stability']);
  const days = Math.max(daysUntil(newSunset, now), 0);
  if (sunset || !(days < notice)) return undefined;
  const message = `${has}, in ${counted(days, 'days')}; clients get at least ${notice}.`;
  return { rule: 'sunset-too-soon', message, fix: set(dateIn(notice, now)), place, detail: String(newSunset) };
}

const noticeOf = (stability: unknown) => NOTICE_DAYS[stability === 'beta' ? 'beta' : 'stable'];

/** Days until a day begins (UTC), rounded up: 0 or less from then on. */
function daysUntil(date: string, now: Date): number {
  return Math.ceil((new Date(`${date}T00:00:00Z`).getTime() - now.getTime()) / DAY);
}
