/** Violations: of the deprecation policy for released operations, and of the lint. */
import path from 'node:path';
import { NOTICE_DAYS } from '../contract.ts';
import type { Problem } from '../redocly.ts';
import type { Reach } from './compare.ts';
import { LEVELS, operationsIn, type SourceOperation, stabilityOf } from './operations.ts';
import type { Place, Source } from './source.ts';

export interface Violation {
  rule: string;
  message: string;
  operations?: Reach[];
  /** Where to fix it, or the closest place in head. */
  place?: Place;
}

/** A violated rule, the key to fix, and the message without its subject, the operation. */
type Breach = [rule: string, key: string, words: string];

/**
 * @param released - the last released contract
 * @param now - the current time
 */
export function checkPolicy(released: Source, head: Source, now: Date): Violation[] {
  return ['paths', 'webhooks'].flatMap((section) => {
    const after = operationsIn(head.root.at(section));
    return [...operationsIn(released.root.at(section))].flatMap(([key, old]) => {
      if (old.place.value['x-stability'] === 'experimental') return [];
      const current = after.get(key);
      const breaches = current ? breachesOf(old, current, now) : breachesOfRemoval(old.place.value, now);
      return [...breaches].map(([rule, key, words]) => ({
        rule,
        message: `\`${(current ?? old).name}\` ${words}.`,
        operations: [{ name: old.name }],
        place: current ? current.place.at(key) : head.root.at(section),
      }));
    });
  });
}

function* breachesOfRemoval({ deprecated, 'x-sunset': sunset }: Place['value'], now: Date): Generator<Breach> {
  if (deprecated !== true)
    yield ['operation-removed-without-deprecation', '', 'was removed, but the released contract does not deprecate it'];
  else if (!(daysUntil(sunset, now) <= 0))
    yield [
      'operation-removed-before-sunset',
      '',
      `was removed before its sunset, ${sunset ?? 'which the released contract lacks'}`,
    ];
}

/** The lint checks that a deprecated operation has its dates and its replacement. */
function* breachesOf(old: SourceOperation, current: SourceOperation, now: Date): Generator<Breach> {
  const [before, after] = [old.place.value, current.place.value];
  const [level, newLevel] = [stabilityOf(old), stabilityOf(current)];
  if (newLevel > level)
    yield ['stability-decreased', 'x-stability', `was ${LEVELS[level]} and cannot become ${LEVELS[newLevel]}`];
  const [sunset, newSunset] = [before.deprecated === true && before['x-sunset'], after['x-sunset']];
  if (after.deprecated !== true || sunset === newSunset) return;
  const notice = NOTICE_DAYS[before['x-stability'] === 'beta' ? 'beta' : 'stable'];
  const days = Math.max(daysUntil(newSunset, now), 0);
  if (newSunset < sunset)
    yield ['sunset-moved-earlier', 'x-sunset', `has the sunset ${newSunset}, earlier than the announced ${sunset}`];
  else if (!sunset && days < notice) {
    const ahead = `${days} days ahead; clients get at least ${notice}`;
    yield ['sunset-too-soon', 'x-sunset', `has the sunset ${newSunset}, ${ahead}`];
  }
}

/** The deprecated operations of a contract, by sunset. */
export function deprecationsIn(source: Source, now: Date) {
  const operations = [...operationsIn(source.root.at('paths')).values()];
  const notices = operations.flatMap(({ name, place: { value } }) => {
    const sunset = value['x-sunset'];
    if (value.deprecated !== true || sunset === undefined) return [];
    const { operationId = '', parameters } = value['x-replaced-by'] ?? {};
    const replacement = parameters ? `${operationId}(${JSON.stringify(parameters)})` : operationId;
    return [{ operation: name, sunset: String(sunset), daysLeft: daysUntil(sunset, now), replacement }];
  });
  return notices.sort((a, b) => a.daysLeft - b.daysLeft);
}

/** Days until a day begins (UTC), rounded up: 0 or less from then on. */
function daysUntil(date: string, now: Date): number {
  return Math.ceil((new Date(`${date}T00:00:00Z`).getTime() - now.getTime()) / 86_400_000);
}

/** @param root - folder of the workspace */
export function toViolations(problems: readonly Problem[], head: Source, root: string): Violation[] {
  return problems.map(({ rule, file, line, message, pointer }) => ({
    rule,
    message: `${path.relative(root, path.resolve(file))}:${line} ${message}`,
    place: head.find(path.resolve(file), pointer),
  }));
}
