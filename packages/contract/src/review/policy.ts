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

/**
 * @param released - the contract that clients were given last
 * @param now - the clock
 */
export function checkPolicy(released: Source, head: Source, now: Date): Violation[] {
  return ['paths', 'webhooks'].flatMap((section) => {
    const before = operationsIn(released.root.at(section), released.root);
    const after = operationsIn(head.root.at(section), head.root);
    return [...before].flatMap(([key, old]) => {
      if (old.place.value['x-stability'] === 'experimental') return [];
      const current = after.get(key);
      return current ? checkKept(old, current, now) : checkRemoved(old, head.root.at(section), now);
    });
  });
}

function checkRemoved(old: Operation, place: Place, now: Date): Violation[] {
  const { deprecated, 'x-sunset': sunset } = old.place.value;
  const violation = (rule: string, message: string): Violation[] => [
    {
      rule: `operation-removed-${rule}`,
      message: `\`${old.name}\` was removed${message}.`,
      operation: old.name,
      place,
    },
  ];
  if (deprecated !== true) return violation('without-deprecation', ', but the released contract does not deprecate it');
  if (sunset === undefined) return violation('without-sunset', ', but the released contract names no sunset');
  const days = daysUntil(sunset, now);
  if (days <= 0) return [];
  const words = Number.isNaN(days)
    ? `, but its sunset in the released contract, \`${sunset}\`, is no date`
    : ` ${days} day${days === 1 ? '' : 's'} before its sunset on ${sunset}`;
  return violation('before-sunset', words);
}

function checkKept(old: Operation, current: Operation, now: Date): Violation[] {
  const [before, after] = [old.place.value, current.place.value];
  const [sunset, newSunset] = [before['x-sunset'], after['x-sunset']];
  const violations: Violation[] = [];
  const found = (rule: string, key: string, message: string) =>
    violations.push({
      rule,
      message: `\`${current.name}\` ${message}`,
      operation: old.name,
      place: current.place.at(key),
    });
  const [level, newLevel] = [stabilityOf(old), stabilityOf(current)];
  if (newLevel < level) {
    found('stability-decreased', 'x-stability', `was ${LEVELS[level]} and cannot become ${LEVELS[newLevel]}.`);
  }
  if (after.deprecated !== true) return violations;
  if (before.deprecated === true && sunset !== undefined) {
    if (newSunset === undefined)
      found('sunset-removed', 'deprecated', `was to go on ${sunset} and no longer says when.`);
    else if (newSunset < sunset)
      found('sunset-moved-earlier', 'x-sunset', `was to go on ${sunset}, not already on ${newSunset}.`);
  } else if (newSunset === undefined) {
    found('sunset-missing', 'deprecated', 'is deprecated but does not say when it goes (`x-sunset`).');
  } else {
    const notice = before['x-stability'] === 'beta' ? NOTICE_DAYS.beta : NOTICE_DAYS.stable;
    const days = daysUntil(newSunset, now);
    if (Number.isNaN(days)) {
      found('sunset-too-soon', 'x-sunset', `goes on \`${newSunset}\`, which is no date (YYYY-MM-DD).`);
    } else if (days < notice) {
      found('sunset-too-soon', 'x-sunset', `goes on ${newSunset}, in ${days} days; clients get at least ${notice}.`);
    }
  }
  const announced = before.deprecated === true && before['x-replaced-by'] === undefined;
  if (after['x-replaced-by'] === undefined && !announced) {
    found('replacement-missing', 'deprecated', 'is deprecated but does not say what to use instead (`x-replaced-by`).');
  }
  return violations;
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
    if (value.deprecated !== true || value['x-sunset'] === undefined) return [];
    const { operationId = '', parameters } = value['x-replaced-by'] ?? {};
    const replacement = parameters ? `${operationId}(${JSON.stringify(parameters)})` : operationId;
    return [
      { operation: name, sunset: String(value['x-sunset']), daysLeft: daysUntil(value['x-sunset'], now), replacement },
    ];
  });
  return notices.sort((a, b) => a.daysLeft - b.daysLeft);
}

/** Days from now to the first moment of a day (UTC), rounded up: 0 or less once it has come. */
function daysUntil(date: string, now: Date): number {
  return Math.ceil((new Date(`${date}T00:00:00Z`).getTime() - now.getTime()) / DAY);
}
