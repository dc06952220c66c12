import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { plugin } from '../../src/lint/plugin.ts';
import { lint, type Problem } from '../../src/redocly.ts';

const fixtures = fileURLToPath(new URL('./fixtures/', import.meta.url));
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const contract = fileURLToPath(new URL('../../../../openapi/petstore.yaml', import.meta.url));

// `<rule>/pass*.yaml` has no problem; `<rule>/fail*.yaml` has those that its comments `# problem: <text>` announce.
const files = readdirSync(fixtures, { recursive: true, encoding: 'utf8' }).filter((file) => /\/.+\.yaml$/.test(file));
const passing = files.filter((file) => file.includes('/pass'));
const failing = files.filter((file) => file.includes('/fail'));

/** Each folder of fixtures, and the name of its rule in the report. */
const RULES = new Map(
  [...Object.keys(plugin.rules.oas3), 'rule/operation-id-verb-phrase', 'rule/operation-stability'].map((rule) => [
    rule.split('/')[1] as string,
    rule,
  ]),
);

let problems: Problem[];

beforeAll(async () => {
  problems = (await Promise.all([contract, ...files.map((file) => resolve(fixtures, file))].map(lint))).flat();
});

function problemsIn(file: string): Problem[] {
  return problems.filter((problem) => resolve(problem.file) === resolve(fixtures, file));
}

function expectedProblems(file: string) {
  const rule = RULES.get(file.split('/')[0] as string);
  const lines = readFileSync(resolve(fixtures, file), 'utf8').split('\n');
  return lines.flatMap((text, index) => {
    const message = text.split('# problem: ')[1];
    return message === undefined ? [] : [{ rule, line: index + 1, message: expect.stringContaining(message) }];
  });
}

test('the contract has no problem', () => {
  expect(problemsIn(contract)).toEqual([]);
});

test.each([...RULES.keys()])('%s has a passing and a failing fixture', (rule) => {
  expect(passing.some((file) => file.startsWith(`${rule}/`))).toBe(true);
  expect(failing.some((file) => file.startsWith(`${rule}/`))).toBe(true);
});

test('no fixture is without a rule, and none is neither passing nor failing', () => {
  expect(new Set(files.map((file) => file.split('/')[0]))).toEqual(new Set(RULES.keys()));
  expect(passing.length + failing.length).toBe(files.length);
});

test.each([...passing, 'common.yaml'])('%s has no problem', (file) => {
  expect(problemsIn(file)).toEqual([]);
});

test.each(failing)('%s has exactly the problems that it announces', (file) => {
  const actual = problemsIn(file).map(({ rule, line, message }) => ({ rule, line, message }));
  expect(actual.sort((a, b) => a.line - b.line)).toEqual(expectedProblems(file));
  expect(actual).not.toEqual([]);
});

describe('lint', () => {
  test('returns the problems in reading order', async () => {
    const file = resolve(fixtures, 'operation-auth-and-rate-limit-responses/fail-headers.yaml');
    const [first, second] = await lint(file);
    expect(first).toEqual({
      rule: 'petstore/operation-auth-and-rate-limit-responses',
      message: 'Declare the headers that the 401 response lacks: WWW-Authenticate.',
      file: relative('', file),
      line: 15,
      column: 11,
      pointer: '#/paths/~1pets/get/responses/401/headers',
    });
    expect(second?.line).toBeGreaterThan(15);
  });
});

test.each([
  [contract, 0, '0 problems\n'],
  [
    resolve(fixtures, 'operation-auth-and-rate-limit-responses/fail-headers.yaml'),
    1,
    /^\S+fail-headers\.yaml:15:11 petstore\/operation-auth-\S+ {2}Declare .*\n.*\n2 problems\n$/,
  ],
])('`pnpm contract:lint %s` exits with %i', (file, status, output) => {
  const result = spawnSync(process.execPath, [main, 'lint', file], { encoding: 'utf8' });
  expect(result).toMatchObject({ status, stdout: expect.stringMatching(output) });
});
