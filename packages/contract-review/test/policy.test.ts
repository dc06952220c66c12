import { describe, expect, test } from 'vitest';
import type { Bump } from '../src/bump.ts';
import { changeset, declaredBump } from '../src/changesets.ts';
import { idOf } from '../src/finding.ts';
import { Overrides, overridesFor } from '../src/overrides.ts';
import { checkDeprecations, isBreaking, type Violation } from '../src/policy.ts';
import { Version } from '../src/version.ts';
import { Folder } from './folder.ts';

const NOW = new Date('2026-11-21T09:00:00Z');

const folder = new Folder();
let count = 0;
const file = (text: string) => folder.write(`${count++}.yaml`, text);

/** A contract with one operation that has these `marks`. */
function contract(marks: string | undefined, path = '/orders/{id}'): Version {
  const operation =
    marks === undefined ? 'description: none' : `get: { operationId: getOrder, ${marks} responses: {} }`;
  return new Version(
    file(`openapi: 3.1.0\ninfo: { title: a, version: 1.0.0 }\npaths:\n  ${path}:\n    ${operation}\n`),
  );
}

const rules = (violations: readonly Violation[]) => violations.map(({ rule }) => rule);

const [BETA, EXPERIMENTAL] = ['x-stability: beta,', 'x-stability: experimental,'];
const BY = 'x-replaced-by: { operationId: listOrders },';
const deprecated = (sunset: string) => `deprecated: true, x-sunset: '${sunset}', ${BY}`;

describe('an operation of the released contract', () => {
  // The released marks, the new ones (undefined: removed), and the violations on 2026-11-21.
  test.each<[string, string, string | undefined, string[]]>([
    ['is removed', '', undefined, ['operation-removed-without-deprecation']],
    ['is removed, deprecated without a sunset', 'deprecated: true,', undefined, ['operation-removed-before-sunset']],
    ['is deprecated without a sunset, and cannot be removed until it had one', '', `deprecated: true, ${BY}`, []],
    ['gets a sunset in 12 days', 'deprecated: true,', deprecated('2026-12-03'), ['sunset-too-soon']],
    ['is removed a day before its sunset', deprecated('2026-11-22'), undefined, ['operation-removed-before-sunset']],
    ['is removed on the day of its sunset', deprecated('2026-11-21'), undefined, []],
    ['is removed after its sunset', deprecated('2026-11-20'), undefined, []],
    ['is removed while experimental', EXPERIMENTAL, undefined, []],
    ['is removed while beta', BETA, undefined, ['operation-removed-without-deprecation']],
    ['is deprecated for 180 days', '', deprecated('2027-05-20'), []],
    ['is deprecated for 179 days', '', deprecated('2027-05-19'), ['sunset-too-soon']],
    ['is deprecated for 31 days while beta', BETA, `${BETA} ${deprecated('2026-12-22')}`, []],
    ['is deprecated for 30 days while beta', BETA, `${BETA} ${deprecated('2026-12-21')}`, ['sunset-too-soon']],
    ['is deprecated at once while experimental', EXPERIMENTAL, `${EXPERIMENTAL} deprecated: true,`, []],
    ['keeps its sunset', deprecated('2026-12-01'), deprecated('2026-12-01'), []],
    ['moves its sunset later', deprecated('2030-01-01'), deprecated('2031-01-01'), []],
    ['moves its sunset earlier', deprecated('2030-01-01'), deprecated('2029-12-31'), ['sunset-moved-earlier']],
    ['was deprecated without a sunset and stays so', 'deprecated: true,', `deprecated: true, ${BY}`, []],
    ['was deprecated and stays', deprecated('2030-01-01'), '', []],
    ['becomes experimental', '', EXPERIMENTAL, ['stability-decreased']],
    ['becomes beta', '', BETA, ['stability-decreased']],
    ['becomes stable', BETA, '', []],
  ])('%s', (_name, released, head, expected) => {
    expect(rules(checkDeprecations(contract(released), contract(head), NOW))).toEqual(expected);
  });

  test.each([
    ['the same with a renamed path parameter', '', '/orders/{orderId}', []],
    ['moved, which is no removal', '', '/purchases/{id}', ['operation-moved-without-deprecation']],
    ['moved before its sunset', deprecated('2026-11-22'), '/purchases/{id}', ['operation-removed-before-sunset']],
    ['moved after its sunset', deprecated('2026-11-21'), '/purchases/{id}', []],
  ])('is %s', (_name, released, path, expected) => {
    expect(rules(checkDeprecations(contract(released), contract('', path), NOW))).toEqual(expected);
  });

  test('is stable unless its level is known', () => {
    const change = { impact: 'major' as const, rule: 'request-max-decreased', message: '', place: contract('').root };
    const breaks = (isVersioned: boolean) =>
      [undefined, 'stable', 'beta', 'experimental'].map((stability) =>
        isBreaking({ ...change, operations: [{ name: 'getOrder', stability }] }, isVersioned),
      );
    expect(breaks(true)).toEqual([true, true, false, false]);
    // Without changesets, no version says that clients of the others may break.
    expect(breaks(false)).toEqual([true, true, true, true]);
  });
});

describe('an override', () => {
  const REMOVED = 'operation-removed-without-deprecation';
  const violations = () => checkDeprecations(contract(''), contract(undefined), NOW);
  const change = idOf(violations()[0] as Violation);
  const entry = (expires: string, more = 'operation: getOrder') =>
    `- { rule: operation-removed-without-deprecation, ${more}, change: '${change}', reason: Nobody had it., expires: '${expires}' }\n`;
  const apply = (text: string, now = NOW) => {
    const overrides = new Overrides(file(text), now);
    return { overrides: overrides.all, violations: overrides.lift(violations()) };
  };

  test('lifts its violation until the end of its last day', () => {
    expect(rules(apply(entry('2026-11-21')).violations)).toEqual([]);
    expect(rules(apply(entry('2026-11-20')).violations)).toEqual([REMOVED]);
  });

  test('is shown, expired or not', () => {
    expect(apply(entry('2026-11-20')).overrides).toMatchObject([{ reason: 'Nobody had it.', expired: true }]);
    expect(apply(entry('2026-11-22')).overrides).toMatchObject([{ reason: 'Nobody had it.', expired: false }]);
  });

  test('to paste needs a reason', () => {
    const pasted = overridesFor(violations(), NOW).join('\n');
    expect(rules(apply(pasted).violations)).toEqual([REMOVED, 'override-invalid']);
    expect(apply(pasted.replace(/#.*/, 'Nobody had it.')).violations).toEqual([]);
  });

  test.each([
    ['without a reason', entry('2027-01-01').replace('Nobody had it.', "''")],
    ['beyond a year', entry('2027-11-24')],
    ['on a day that is none', entry('2027-02-30')],
    ['without an end', entry('some day')],
    ['for everything', entry('2027-01-01', 'pointer: ')],
    ['with an invalid impact', entry('2027-01-01', 'operation: getOrder, impact: Minor')],
    ['that is empty', '-\n'],
  ])('%s is invalid', (_name, text) => {
    expect(rules(apply(text).violations)).toEqual([REMOVED, 'override-invalid']);
  });

  test('covers the change that it names, and no other of the rule and place', () => {
    const place = contract('').root.at('paths');
    const listOrders = { name: 'listOrders', message: 'request' as const };
    const change = { impact: 'major' as const, rule: 'request-enum-value-added', operations: [listOrders], place };
    const [gained, lost] = [
      { ...change, message: 'It gained `a`.' },
      { ...change, message: 'It gained `b`.' },
    ];
    const whole = (detail: string) => ({ ...gained, detail });
    const text = (one: typeof gained, operation = 'listOrders') =>
      `- { rule: ${one.rule}, operation: ${operation}, change: '${idOf(one)}', impact: minor, reason: So., expires: '2027-01-01' }`;
    const rated = (from: string, one: typeof gained) => new Overrides(file(from), NOW).rate([one])[0]?.impact;
    expect(rated(text(gained), gained)).toBe('minor');
    expect(rated(text(gained), lost)).toBe('major');
    // The override of a part that is compared as a whole holds for these two sides only.
    expect(rated(text(whole('1')), whole('1'))).toBe('minor');
    expect(rated(text(whole('1')), whole('2'))).toBe('major');
    expect(rated(text(gained, 'getOrder'), gained)).toBe('major');
    // The change also affects another operation, which the override does not name.
    expect(rated(text(gained), { ...gained, operations: [listOrders, { ...listOrders, name: 'getOrder' }] })).toBe(
      'major',
    );
  });

  test.each([
    ['is no YAML', '- rule: [\n'],
    ['is no list', 'rule: operation-removed\n'],
  ])('fails with its file and line when it %s', (_, text) => {
    expect(() => apply(text)).toThrow(/^\S+\.yaml:\d:\d /);
  });
});

describe('a changeset', () => {
  const SDK = '@bookstore/client';
  const declared = (...texts: string[]) => {
    const own = new Folder();
    for (const [index, text] of texts.entries()) own.write(`.changeset/${index}.md`, text);
    return declaredBump(own.root, SDK);
  };

  test.each([
    ['---\n"@bookstore/client": minor\n---\n\nText\n', 'minor'],
    ["---\n'@bookstore/client': patch\n---\n", 'patch'],
    ['---\r\n"@bookstore/client": major\r\n---\r\n\r\nText', 'major'],
    ['---\n"@bookstore/server": major\n---\n\nAnother package\n', 'none'],
    ['---\n---\n\nEmpty\n', 'none'],
  ])('%j declares %s, and of several the largest', (text, bump) => {
    expect(declared(text)).toBe(bump);
    expect(declared(...['patch', 'major', 'minor'].map((each) => changeset(SDK, each as Bump, 'Text')), text)).toBe(
      'major',
    );
  });

  test.each(['Just text\n', '---\n\n## "@bookstore/client": minor\n\nText\n', '---\n"@bookstore/client": huge\n---\n'])(
    '%j fails, as with `changeset version`',
    (text) => {
      expect(() => declared(text)).toThrow('could not parse changeset');
    },
  );
});
