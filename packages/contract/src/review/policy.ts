/** The deprecation policy: what an operation that clients were given may go through, and how fast. */
import { LEVELS, type Operation, operationsIn, stabilityOf } from './operations.ts';
import type { Place } from './place.ts';
import type { Source } from './source.ts';

export interface Violation {
  rule: string;
  message: string;
  operation?: string;
  /** Where to mend it, or the closest place in head. */
  place?: Place;
}

/** Days that clients have to move, by stability. `experimental` promises none. */
const NOTICE_DAYS = { stable: 180, beta: 31 };

const DAY = 24 * 60 * 60 * 1000;

/** A rule that is broken, the key to mend it at, and the end of a sentence that starts with the operation. */
type Breach = [rule: string, key: string, words: string];

/**
 * @param released - the contract that clients were given last
 * @param now - the clock
 */
export function checkPolicy(released: Source, head: Source, now: Date): Violation[] {
  return ['paths', 'webhooks'].flatMap((section) => {
    const after = operationsIn(head.root.at(section), head.root);
    return [...operationsIn(released.root.at(section), released.root)].flatMap(([key, old]) => {
      if (old.place.value['x-stability'] === 'experimental') return [];
      const current = after.get(key);
      const breaches = current ? breachesOf(old, current, now) : breachesOfRemoval(old.place.value, now);
      return [...breaches].map(([rule, key, words]) => ({
        rule,
        message: `\`${(current ?? old).name}\` ${words}.`,
        operation: old.name,
        place: current ? current.place.at(key) : head.root.at(section),
      }));
    });
  });
}

function* breachesOfRemoval({ deprecated, 'x-sunset': sunset }: Place['value'], now: Date): Generator<Breach> {
  const breach = (rule: string, words: string): Breach => [`operation-removed-${rule}`, '', `was removed${words}`];
  const days = daysUntil(sunset, now);
  if (deprecated !== true) yield breach('without-deprecation', ', but the released contract does not deprecate it');
  else if (sunset === undefined) yield breach('without-sunset', ', but the released contract names no sunset');
  else if (Number.isNaN(days))
    yield breach('before-sunset', `, but its sunset in the released contract, \`${sunset}\`, is no date`);
  else if (days > 0)
    yield breach('before-sunset', ` ${days} day${days === 1 ? '' : 's'} before its sunset on ${sunset}`);
}

function* breachesOf(old: Operation, current: Operation, now: Date): Generator<Breach> {
  const [before, after] = [old.place.value, current.place.value];
  const [level, newLevel] = [stabilityOf(old), stabilityOf(current)];
  if (newLevel < level)
    yield ['stability-decreased', 'x-stability', `was ${LEVELS[level]} and cannot become ${LEVELS[newLevel]}`];
  if (after.deprecated !== true) return;
  const [sunset, newSunset] = [before['x-sunset'], after['x-sunset']];
  const days = daysUntil(newSunset, now);
  const notice = before['x-stability'] === 'beta' ? NOTICE_DAYS.beta : NOTICE_DAYS.stable;
  if (before.deprecated === true && sunset !== undefined) {
    if (newSunset === undefined)
      yield ['sunset-removed', 'deprecated', `was to go on ${sunset} and no longer says when`];
    else if (newSunset < sunset)
      yield ['sunset-moved-earlier', 'x-sunset', `was to go on ${sunset}, not already on ${newSunset}`];
  } else if (newSunset === undefined) {
    // Deprecated as before: that is not what this change did.
    if (before.deprecated !== true)
      yield ['sunset-missing', 'deprecated', 'is deprecated but does not say when it goes (`x-sunset`)'];
  } else if (Number.isNaN(days)) {
    yield ['sunset-too-soon', 'x-sunset', `goes on \`${newSunset}\`, which is no date (YYYY-MM-DD)`];
  } else if (days < notice) {
    yield ['sunset-too-soon', 'x-sunset', `goes on ${newSunset}, in ${days} days; clients get at least ${notice}`];
  }
  const wasSo = before.deprecated === true && before['x-replaced-by'] === undefined;
  if (after['x-replaced-by'] === undefined && !wasSo)
    yield ['replacement-missing', 'deprecated', 'is deprecated but does not say what to use instead (`x-replaced-by`)'];
}

export interface DeprecationNotice {
  operation: string;
  sunset: string;
  daysLeft: number;
  replacement: string;
}

/** What is deprecated in a contract, the most urgent first. */
export function deprecationsIn(source: Source, now: Date): DeprecationNotice[] {
  const operations = [...operationsIn(source.root.at('paths'), source.root).values()];
  const notices = operations.flatMap(({ name, place: { value } }) => {
    const sunset = value['x-sunset'];
    if (value.deprecated !== true || sunset === undefined) return [];
    const { operationId = '', parameters } = value['x-replaced-by'] ?? {};
    const replacement = parameters ? `${operationId}(${JSON.stringify(parameters)})` : operationId;
    return [{ operation: name, sunset: String(sunset), daysLeft: daysUntil(sunset, now), replacement }];
  });
  return notices.sort((a, b) => a.daysLeft - b.daysLeft);
}

/** Days from now to the first moment of a day (UTC), rounded up: 0 or less once it has come. */
function daysUntil(date: string, now: Date): number {
  return Math.ceil((new Date(`${date}T00:00:00Z`).getTime() - now.getTime()) / DAY);
}
