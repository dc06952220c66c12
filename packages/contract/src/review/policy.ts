/** Violations: of the deprecation policy for released operations, and of the lint in changed parts of the contract. */
import path from 'node:path';
import type { Problem } from '../redocly.ts';
import type { Reach } from './compare.ts';
import { LEVELS, type Operation, operationsIn, stabilityOf } from './operations.ts';
import type { Place } from './place.ts';
import { canonical } from './schema/shape.ts';
import type { Source } from './source.ts';

export interface Violation {
  rule: string;
  message: string;
  operations?: Reach[];
  /** Where to fix it, or the closest place in head. */
  place?: Place;
}

/** Minimum days from deprecation to sunset, by stability. None for `experimental`. */
const NOTICE_DAYS = { stable: 180, beta: 31 };

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
  const breach = (rule: string, words: string): Breach => [`operation-removed-${rule}`, '', `was removed${words}`];
  const days = daysUntil(sunset, now);
  if (deprecated !== true) yield breach('without-deprecation', ', but the released contract does not deprecate it');
  else if (sunset === undefined) yield breach('without-sunset', ', but the released contract has no `x-sunset`');
  else if (Number.isNaN(days))
    yield breach('before-sunset', `, but its sunset in the released contract, \`${sunset}\`, is not a date`);
  else if (days > 0)
    yield breach('before-sunset', ` ${days} day${days === 1 ? '' : 's'} before its sunset on ${sunset}`);
}

function* breachesOf(old: Operation, current: Operation, now: Date): Generator<Breach> {
  const [before, after] = [old.place.value, current.place.value];
  const [level, newLevel] = [stabilityOf(old), stabilityOf(current)];
  if (newLevel > level)
    yield ['stability-decreased', 'x-stability', `was ${LEVELS[level]} and cannot become ${LEVELS[newLevel]}`];
  if (after.deprecated !== true) return;
  const [sunset, newSunset] = [before['x-sunset'], after['x-sunset']];
  const days = daysUntil(newSunset, now);
  const notice = before['x-stability'] === 'beta' ? NOTICE_DAYS.beta : NOTICE_DAYS.stable;
  const wasDeprecated = before.deprecated === true;
  const isAnnounced = wasDeprecated && !Number.isNaN(daysUntil(sunset, now));
  if (!wasDeprecated || newSunset !== sunset) {
    if (newSunset === undefined)
      yield isAnnounced
        ? ['sunset-removed', 'deprecated', `has lost its \`x-sunset\`, ${sunset}`]
        : ['sunset-missing', 'deprecated', 'is deprecated without a sunset (`x-sunset`)'];
    else if (Number.isNaN(days))
      yield ['sunset-too-soon', 'x-sunset', `has the sunset \`${newSunset}\`, which is not a date (YYYY-MM-DD)`];
    else if (isAnnounced && newSunset < sunset)
      yield ['sunset-moved-earlier', 'x-sunset', `has the sunset ${newSunset}, earlier than the announced ${sunset}`];
    else if (!isAnnounced && days < notice) {
      const ahead = `${Math.max(days, 0)} days ahead`;
      yield ['sunset-too-soon', 'x-sunset', `has the sunset ${newSunset}, ${ahead}; clients get at least ${notice}`];
    }
  }
  const wasSo = wasDeprecated && before['x-replaced-by'] === undefined;
  if (after['x-replaced-by'] === undefined && !wasSo)
    yield ['replacement-missing', 'deprecated', 'is deprecated without a replacement (`x-replaced-by`)'];
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

/** Violations for lint problems in changed parts of the contract. The other problems are only counted. */
export function toViolations(problems: readonly Problem[], base: Source, head: Source, root: string): Violation[] {
  const isTouched = ({ file, pointer }: Problem) => {
    const headFile = path.resolve(file);
    const baseFile = path.join(path.dirname(base.file), path.relative(path.dirname(head.file), headFile));
    if (!base.has(baseFile)) return true;
    let [old, now] = [base.find(baseFile, pointer), head.find(headFile, pointer)];
    // A missing key is compared by its closest existing parent.
    while (!old.exists && !now.exists) [old, now] = [old.parent, now.parent];
    return canonical(old.value) !== canonical(now.value);
  };
  const touched = problems.filter(isTouched);
  const others = problems.length - touched.length;
  const message = `Lint problems in unchanged parts of the contract: ${others}. \`pnpm contract:lint\` lists them.`;
  return [
    ...touched.map(({ rule, file, line, message: text, pointer }) => ({
      rule,
      message: `${path.relative(root, path.resolve(file))}:${line} ${text}`,
      place: head.find(path.resolve(file), pointer),
    })),
    ...(others > 0 ? [{ rule: 'lint-elsewhere', message }] : []),
  ];
}
