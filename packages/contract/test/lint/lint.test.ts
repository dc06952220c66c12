import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { lint, type Problem } from '../../src/redocly.ts';

const fixtures = fileURLToPath(new URL('./fixtures/', import.meta.url));
const config = new URL('../../redocly.yaml', import.meta.url);
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const contract = fileURLToPath(new URL('../../../../openapi/petstore.yaml', import.meta.url));

// `<rule>.pass*.yaml` has no problems; `<rule>.fail*.yaml` has those of its comments `# problem: <text>`.
const files = readdirSync(fixtures).filter((file) => file !== 'common.yaml');
const passing = files.filter((file) => file.includes('.pass'));
const failing = files.filter((file) => file.includes('.fail'));

let problems: Problem[];

beforeAll(async () => {
  problems = (await Promise.all([contract, ...files.map((file) => resolve(fixtures, file))].map(lint))).flat();
});

function problemsIn(file: string): Problem[] {
  return problems.filter((problem) => resolve(problem.file) === resolve(fixtures, file));
}

function expectedProblems(file: string) {
  const lines = readFileSync(resolve(fixtures, file), 'utf8').split('\n');
  return lines.flatMap((text, index) => {
    const messages = text.split(/ *# problem: /).slice(1);
    return messages.map((message) => ({ line: index + 1, message: expect.stringContaining(message) }));
  });
}

test('the contract has no problems', () => {
  expect(problemsIn(contract)).toEqual([]);
});

test.each(Object.keys(parse(readFileSync(config, 'utf8')).rules))('%s has a failing fixture', (rule) => {
  expect(problems.map((problem) => problem.rule)).toContain(rule);
});

test.each([...new Set(files.map((file) => file.split('.')[0]))])('%s has a passing and a failing fixture', (rule) => {
  expect(passing.some((file) => file.startsWith(`${rule}.`))).toBe(true);
  expect(failing.some((file) => file.startsWith(`${rule}.`))).toBe(true);
});

test('every fixture is named pass or fail', () => {
  expect(passing.length + failing.length).toBe(files.length);
});

test.each([...passing, 'common.yaml'])('%s has no problems', (file) => {
  expect(problemsIn(file)).toEqual([]);
});

test.each(failing)('%s has exactly the announced problems', (file) => {
  const actual = problemsIn(file).map(({ line, message }) => ({ line, message }));
  expect(actual.sort((a, b) => a.line - b.line)).toEqual(expectedProblems(file));
  expect(actual).not.toEqual([]);
});

describe('lint', () => {
  test('returns the problems by file, line and column', async () => {
    const file = resolve(fixtures, 'responses.fail-headers.yaml');
    const [first, second] = await lint(file);
    expect(first).toEqual({
      rule: 'response-contains-header',
      message: 'Response object must contain a "X-RateLimit-Limit" header.',
      file: relative('', file),
      line: 12,
      column: 9,
      pointer: '#/paths/~1pets/get/responses/204/headers',
    });
    expect(second?.line).toBe(12);
  });
});

test.each([
  [contract, 0, '0 problems\n'],
  [
    resolve(fixtures, 'responses.fail-headers.yaml'),
    1,
    /^\S+fail-headers\.yaml:12:9 response-contains-header {2}Response object .*\n(.*\n)+12 problems\n$/,
  ],
])('`pnpm contract:lint %s` exits with %i', (file, status, output) => {
  const result = spawnSync(process.execPath, [main, 'lint', file], { encoding: 'utf8' });
  expect(result).toMatchObject({ status, stdout: expect.stringMatching(output) });
});
