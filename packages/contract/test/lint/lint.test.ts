import { readdirSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { formatProblems, lint } from '../../src/lint/lint.ts';
import { rules } from '../../src/lint/plugin.ts';
import { lintFiles, type Problem } from '../../src/redocly.ts';

const fixtures = fileURLToPath(new URL('./fixtures/', import.meta.url));
const contract = fileURLToPath(new URL('../../../../openapi/petstore.yaml', import.meta.url));

// `<rule>/pass*.yaml` has no problem; `<rule>/fail*.yaml` has those that its comments `# problem: <text>` announce.
const files = readdirSync(fixtures, { recursive: true, encoding: 'utf8' }).filter((file) => /\/.+\.yaml$/.test(file));
const passing = files.filter((file) => file.includes('/pass'));
const failing = files.filter((file) => file.includes('/fail'));

/** Each folder of fixtures, and the name of its rule in the report. */
const RULES = new Map(Object.keys(rules).map((name) => [name, `petstore/${name}`]));
RULES.set('operation-id-verb-phrase', 'rule/operation-id-verb-phrase');

let problems: Problem[];

beforeAll(async () => {
  // One process for all of them: starting Redocly takes longer than linting.
  problems = await lintFiles([contract, ...files.map((file) => resolve(fixtures, file))]);
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
      severity: 'error',
      message: 'Declare the headers that the 401 response lacks: WWW-Authenticate.',
      file: relative('', file),
      line: 15,
      column: 11,
      pointer: '#/paths/~1pets/get/responses/401/headers',
    });
    expect(second?.line).toBeGreaterThan(15);
  });
});

describe('formatProblems', () => {
  const problem: Problem = {
    rule: 'petstore/int64-safe-bounds',
    severity: 'error',
    message: 'An int64 needs `minimum`.',
    file: 'openapi/petstore.yaml',
    line: 12,
    column: 3,
    pointer: '#/components/schemas/Pet',
  };

  test('writes one line for each problem and counts them', () => {
    expect(formatProblems([problem, { ...problem, line: 13, severity: 'warn' }])).toBe(
      [
        'openapi/petstore.yaml:12:3 error petstore/int64-safe-bounds  An int64 needs `minimum`.',
        'openapi/petstore.yaml:13:3 warn petstore/int64-safe-bounds  An int64 needs `minimum`.',
        '1 error, 1 warning',
      ].join('\n'),
    );
  });

  test('says that there are none', () => {
    expect(formatProblems([])).toBe('0 errors, 0 warnings');
  });
});
