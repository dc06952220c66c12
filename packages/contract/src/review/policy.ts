/** Violations of the policies on versions and deprecation for released operations. */
import { counted, NOTICE_DAYS } from '../contract.ts';
import type { Change, Reach } from './compare.ts';
import { type Endpoint, LEVELS, operationsIn, stabilityOf } from './operations.ts';
import type { Place, Source } from './source.ts';

export interface Violation {
  rule: string;
  message: string;
  /** What to do about it, as an imperative. */
  fix: string;
  /** Those of a policy: an override may lift its violation. */
  operations?: Reach[];
  /** Where to fix it, or the closest place in head. */
  place?: Place;
}

/** A violated rule, the key to fix, the message without its subject, the operation, and the fix. */
type Breach = [rule: string, key: string, message: string, fix: string];

export const BREAKING = 'breaking-within-version';

/** Changes that break only the SDK's names and types, or have a policy of their own. */
const NOT_ON_THE_WIRE =
  /^(operation-id|path-parameter-renamed|component-schema|server-environment|response-status-removed|stability|operation-removed)/;

/** Whether a change breaks clients of stable operations, in whatever language. */
export function isBreaking({ impact, rule, operations }: Change): boolean {
  const isStable = operations.length === 0 || operations.some(({ stability }) => !LEVELS.includes(`${stability}`, 1));
  return impact === 'major' && isStable && !NOT_ON_THE_WIRE.test(rule);
}

/**
 * The breaking changes of released, stable operations.
 *
 * @param changes - from the released contract to head
 * @param older - from the released contract to base: they are not of this review
 */
export function checkVersion(changes: readonly Change[], older: readonly Change[]): Violation[] {
  const keysOf = ({ rule, message, operations }: Change) =>
    ['all', ...operations.map(({ name }) => name)].map((name) => `${rule} ${message} ${name}`);
  const known = new Set(older.flatMap(keysOf));
  const breaking = changes.filter((change) => isBreaking(change) && keysOf(change).some((key) => !known.has(key)));
  const fix = 'keep the old form beside the new one, or use a new path segment';
  return breaking.map(({ message, operations, place }) => ({ rule: BREAKING, message, fix, operations, place }));
}

/**
 * @param released - the last released contract
 * @param now - the current time
 */
export function checkDeprecations(released: Source, head: Source, now: Date): Violation[] {
  const after = operationsIn(head.root);
  return [...operationsIn(released.root)].flatMap(([path, old]) => {
    if (old.place.value['x-stability'] === 'experimental') return [];
    const current = after.get(path);
    const breaches = current ? breachesOf(old, current, now) : breachesOfRemoval(old, now);
    return [...breaches].map(([rule, key, message, fix]) => ({
      rule,
      message: `\`${(current ?? old).name}\` ${message}.`,
      fix,
      operations: [{ name: old.name }],
      place: current ? current.place.at(key) : head.root.at('paths'),
    }));
  });
}

function* breachesOfRemoval({ name, place }: Endpoint, now: Date): Generator<Breach> {
  const { deprecated, 'x-sunset': sunset = 'which the released contract lacks', 'x-stability': level } = place.value;
  if (deprecated !== true) {
    const fix = `restore \`${name}\`, deprecated with an \`x-sunset\` from ${dateIn(noticeOf(level), now)} on`;
    const message = 'was removed, but the released contract does not deprecate it';
    yield ['operation-removed-without-deprecation', '', message, fix];
  } else if (!(daysUntil(sunset, now) <= 0)) {
    const end = `its sunset, ${sunset}`;
    yield ['operation-removed-before-sunset', '', `was removed before ${end}`, `restore \`${name}\` until ${end}`];
  }
}

/** The lint checks that a deprecated operation has its dates and its replacement. */
function* breachesOf(old: Endpoint, current: Endpoint, now: Date): Generator<Breach> {
  const [before, after] = [old.place.value, current.place.value];
  const [level, newLevel] = [stabilityOf(old), stabilityOf(current)];
  if (newLevel > level) {
    const message = `was ${LEVELS[level]} and cannot become ${LEVELS[newLevel]}`;
    yield ['stability-decreased', 'x-stability', message, `make \`${current.name}\` ${LEVELS[level]} again`];
  }
  const [sunset, newSunset] = [before.deprecated === true && before['x-sunset'], after['x-sunset']];
  if (after.deprecated !== true || sunset === newSunset) return;
  const notice = noticeOf(before['x-stability']);
  const days = Math.max(daysUntil(newSunset, now), 0);
  const set = (date: string) => `set the \`x-sunset\` of \`${current.name}\` to ${date} or later`;
  if (newSunset < sunset) {
    const message = `has the sunset ${newSunset}, earlier than the announced ${sunset}`;
    yield ['sunset-moved-earlier', 'x-sunset', message, set(sunset)];
  } else if (!sunset && days < notice) {
    const message = `has the sunset ${newSunset}, in ${counted(days, 'days')}; clients get at least ${notice}`;
    yield ['sunset-too-soon', 'x-sunset', message, set(dateIn(notice, now))];
  }
}

const noticeOf = (stability: unknown) => NOTICE_DAYS[stability === 'beta' ? 'beta' : 'stable'];

export function deprecationsIn(source: Source, now: Date) {
  const operations = [...operationsIn(source.root).values()];
  const notices = operations.flatMap(({ name, place: { value } }) => {
    const sunset = value['x-sunset'];
    if (value.deprecated !== true || sunset === undefined) return [];
    const { operationId = '', parameters } = value['x-replaced-by'] ?? {};
    const replacement = parameters ? `${operationId}(${JSON.stringify(parameters)})` : operationId;
    return [{ operation: name, sunset: String(sunset), daysLeft: daysUntil(sunset, now), replacement }];
  });
  return notices.sort((a, b) => a.daysLeft - b.daysLeft);
}

const DAY = 86_400_000;

/** Days until a day begins (UTC), rounded up: 0 or less from then on. */
function daysUntil(date: string, now: Date): number {
  return Math.ceil((new Date(`${date}T00:00:00Z`).getTime() - now.getTime()) / DAY);
}

/** The day after a number of days (UTC), as YYYY-MM-DD. */
export function dateIn(days: number, now: Date): string {
  return new Date(now.getTime() + days * DAY).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
