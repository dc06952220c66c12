import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { idOf } from '../src/finding.ts';
import { Overrides, overridesFor } from '../src/overrides.ts';
import { checkDeprecations, deprecationsIn, isBreaking, type Violation } from '../src/policy.ts';
import { Source } from '../src/source.ts';

const NOW = new Date('2026-11-21T09:00:00Z');

const folder = mkdtempSync(join(tmpdir(), 'contract-policy-'));
let count = 0;

afterAll(() => rmSync(folder, { recursive: true }));

function file(text: string): string {
  const name = join(folder, `${count++}.yaml`);
  writeFileSync(name, text);
  return name;
}

/** A contract with one operation that has these `marks`. */
function contract(marks: string | undefined): Source {
  const operation =
    marks === undefined ? 'description: none' : `get: { operationId: getOrder, ${marks} responses: {} }`;
  return new Source(
    file(`openapi: 3.1.0\ninfo: { title: a, version: 1.0.0 }\npaths:\n  /orders/{id}:\n    ${operation}\n`),
  );
}

const rules = (violations: readonly Violation[]) => violations.map(({ rule }) => rule);

const BY = 'x-replaced-by: { operationId: listOrders },';
const deprecated = (sunset: string) => `deprecated: true, x-sunset: '${sunset}', ${BY}`;

describe('an operation of the released contract', () => {
  // The released marks, the new ones (undefined: removed), and the violations on 2026-11-21.
  test.each<[string, string, string | undefined, string[]]>([
    ['is removed', '', undefined, ['operation-removed-without-deprecation']],
    ['is removed, deprecated without a sunset', 'deprecated: true,', undefined, ['operation-removed-before-sunset']],
    ['is removed a day before its sunset', deprecated('2026-11-22'), undefined, ['operation-removed-before-sunset']],
    ['is removed on the day of its sunset', deprecated('2026-11-21'), undefined, []],
    ['is removed after its sunset', deprecated('2026-11-20'), undefined, []],
    ['is removed while experimental', 'x-stability: experimental,', undefined, []],
    ['is removed while beta', 'x-stability: beta,', undefined, ['operation-removed-without-deprecation']],
    ['is deprecated for 180 days', '', deprecated('2027-05-20'), []],
    ['is deprecated for 179 days', '', deprecated('2027-05-19'), ['sunset-too-soon']],
    [
      'is deprecated for 31 days while beta',
      'x-stability: beta,',
      `x-stability: beta, ${deprecated('2026-12-22')}`,
      [],
    ],
    [
      'is deprecated for 30 days while beta',
      'x-stability: beta,',
      `x-stability: beta, ${deprecated('2026-12-21')}`,
      ['sunset-too-soon'],
    ],
    [
      'is deprecated at once while experimental',
      'x-stability: experimental,',
      `x-stability: experimental, deprecated: true,`,
      [],
    ],
    ['keeps its sunset', deprecated('2026-12-01'), deprecated('2026-12-01'), []],
    ['moves its sunset later', deprecated('2030-01-01'), deprecated('2031-01-01'), []],
    ['moves its sunset earlier', deprecated('2030-01-01'), deprecated('2029-12-31'), ['sunset-moved-earlier']],
    ['was deprecated without a sunset and stays so', 'deprecated: true,', `deprecated: true, ${BY}`, []],
    ['was deprecated and stays', deprecated('2030-01-01'), '', []],
    ['becomes experimental', '', 'x-stability: experimental,', ['stability-decreased']],
    ['becomes beta', '', 'x-stability: beta,', ['stability-decreased']],
    ['becomes stable', 'x-stability: beta,', '', []],
  ])('%s', (_name, released, head, expected) => {
    expect(rules(checkDeprecations(contract(released), contract(head), NOW))).toEqual(expected);
  });

  test('is the same with a renamed path parameter', () => {
    const head = new Source(
      file('openapi: 3.1.0\npaths: { "/orders/{orderId}": { get: { operationId: getOrder, responses: {} } } }\n'),
    );
    expect(checkDeprecations(contract(''), head, NOW)).toEqual([]);
  });

  test('is moved, which is no removal', () => {
    const head = new Source(
      file('openapi: 3.1.0\npaths: { "/purchases/{id}": { get: { operationId: getOrder, responses: {} } } }\n'),
    );
    expect(rules(checkDeprecations(contract(''), head, NOW))).toEqual(['operation-moved-without-deprecation']);
    expect(rules(checkDeprecations(contract(deprecated('2026-11-21')), head, NOW))).toEqual([]);
  });

  test('is stable unless its level is known', () => {
    const change = { impact: 'major' as const, rule: 'request-max-decreased', message: '', place: contract('').root };
    const breaks = (stability?: string) => isBreaking({ ...change, operations: [{ name: 'getOrder', stability }] });
    expect([undefined, 'stable', 'beta', 'experimental'].map(breaks)).toEqual([true, true, false, false]);
  });

  test('counts its days from now', () => {
    expect(deprecationsIn(contract(deprecated('2026-12-01')), NOW)).toEqual([
      { operation: 'getOrder', sunset: '2026-12-01', daysLeft: 10, replacement: 'listOrders' },
    ]);
  });
});

describe('an override', () => {
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
    expect(rules(apply(entry('2026-11-20')).violations)).toEqual(['operation-removed-without-deprecation']);
  });

  test('is shown, expired or not', () => {
    expect(apply(entry('2026-11-20')).overrides).toMatchObject([{ reason: 'Nobody had it.', expired: true }]);
    expect(apply(entry('2026-11-22')).overrides).toMatchObject([{ reason: 'Nobody had it.', expired: false }]);
  });

  test('to paste needs a reason', () => {
    const pasted = overridesFor(violations(), NOW).join('\n');
    expect(rules(apply(pasted).violations)).toEqual(['operation-removed-without-deprecation', 'override-invalid']);
    expect(apply(pasted.replace(/#.*/, 'Nobody had it.')).violations).toEqual([]);
  });

  test('may name a pointer', () => {
    expect(apply(entry('2027-01-01', "pointer: '#/paths'")).violations).toEqual([]);
  });

  test.each([
    ['for another operation', entry('2027-01-01', 'operation: listOrders'), ['operation-removed-without-deprecation']],
    [
      'without a reason',
      entry('2027-01-01').replace('Nobody had it.', "''"),
      ['operation-removed-without-deprecation', 'override-invalid'],
    ],
    ['beyond a year', entry('2027-11-24'), ['operation-removed-without-deprecation', 'override-invalid']],
    ['on a day that is none', entry('2027-02-30'), ['operation-removed-without-deprecation', 'override-invalid']],
    ['without an end', entry('some day'), ['operation-removed-without-deprecation', 'override-invalid']],
    ['for everything', entry('2027-01-01', 'pointer: '), ['operation-removed-without-deprecation', 'override-invalid']],
    [
      'with an invalid impact',
      entry('2027-01-01', 'operation: getOrder, impact: Minor'),
      ['operation-removed-without-deprecation', 'override-invalid'],
    ],
    ['that is empty', '-\n', ['operation-removed-without-deprecation', 'override-invalid']],
  ])('%s does not count', (_name, text, expected) => {
    expect(rules(apply(text).violations)).toEqual(expected);
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
    // Compared as a whole, both sides count.
    expect(rated(text(whole('1')), whole('1'))).toBe('minor');
    expect(rated(text(whole('1')), whole('2'))).toBe('major');
    expect(rated(text(gained, 'getOrder'), gained)).toBe('major');
    // The change is also of another operation, which the override does not name.
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

  test('file is optional', () => {
    expect(new Overrides(join(folder, 'none.yaml'), NOW).all).toEqual([]);
  });
});
