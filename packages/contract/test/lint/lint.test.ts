import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { Folder } from '../../../contract-review/test/folder.ts';
import { notPortable } from '../../src/lint/portable.ts';
import { type Problem, report } from '../../src/lint/report.ts';
import { readContract } from '../../src/read.ts';
import { lint } from '../../src/redocly.ts';
import { BOOKSTORE, PLATFORM } from '../workspace.ts';

const written = join(import.meta.dirname, 'fixtures');
const folder = new Folder();

// `<rule>.pass*.yaml` has no problems; `<rule>.fail*.yaml` has those of its comments `# error: <text>` and
// `# warning: <text>`.
const files = readdirSync(written);
const passing = files.filter((file) => file.includes('.pass'));
const failing = files.filter((file) => !file.includes('.pass'));

/** The parts of a document that a fixture leaves out. They follow its own parts, whose line numbers stay the same. */
const common = {
  openapi: '3.1.0',
  info: { title: 'Fixture', version: '1.0.0', license: { name: 'MIT', identifier: 'MIT' } },
  servers: [{ url: 'https://api.bookstore.example/v1' }],
};

const problems = new Map<string, Problem[]>();
const problemsIn = (file: string) => problems.get(file) ?? expect.unreachable(file);

beforeAll(async () => {
  const linted = files.map(async (file) => {
    const text = readFileSync(join(written, file), 'utf8');
    const own = Object.keys(parse(text, { merge: true }));
    const others = Object.entries(common).filter(([key]) => !own.includes(key));
    const whole = folder.write(file, text + stringify(Object.fromEntries(others)));
    problems.set(file, await lint(readContract(whole, PLATFORM)));
  });
  await Promise.all(linted);
});

function expectedProblems(file: string) {
  const lines = readFileSync(join(written, file), 'utf8').split('\n');
  return lines.flatMap((text, index) =>
    [...text.matchAll(/# (error|warning): (.*?)(?= *# (?:error|warning): |$)/g)].map(([, level, message]) => ({
      level,
      line: index + 1,
      message: expect.stringContaining(message ?? ''),
    })),
  );
}

test('the contract has no problems', async () => {
  expect(await lint(readContract(BOOKSTORE, PLATFORM))).toEqual([]);
});

const { rules } = parse(readFileSync(join(import.meta.dirname, '../../redocly.yaml'), 'utf8'));

test.each(Object.keys(rules).filter((rule) => /^(platform|rule)\//.test(rule)))('%s has a failing fixture', (rule) => {
  expect([...problems.values()].flat().map((problem) => problem.rule)).toContain(rule);
});

test.each(passing)('%s has no problems', (file) => {
  expect(problemsIn(file)).toEqual([]);
});

test.each(failing)('%s has exactly the announced problems', (file) => {
  const actual = problemsIn(file).map(({ level, line, message }) => ({ level, line, message }));
  expect(actual.sort((a, b) => a.line - b.line)).toEqual(expectedProblems(file));
  expect(actual).not.toEqual([]);
});

describe('the report', () => {
  const one = { file: 'a.yaml', column: 1, pointer: '#/', message: 'Do it.' };
  const warnings = Array.from({ length: 5 }, (_, index) => ({
    ...one,
    level: 'warning' as const,
    rule: 'style',
    line: index + 1,
  }));
  const error = { ...one, level: 'error' as const, rule: 'promise', line: 9 };
  const [shown, others] = [
    [1, 2, 3],
    [4, 5],
  ].map((lines) => lines.map((line) => `a.yaml:${line}:1 warning style  Do it.\n`).join(''));
  const count = '1 error, 5 warnings. A warning refuses nothing; `x-lint: { <rule>: off }` at the root silences it.\n';

  test('has errors first, and only the first warnings of a rule', () => {
    const folded = 'Not shown: 2 more of style. `--all` shows them.\n';
    expect(report([...warnings, error])).toBe(`a.yaml:9:1 error promise  Do it.\n${shown}${folded}${count}`);
  });

  test('has all warnings if it is asked for them', () => {
    expect(report([...warnings, error], true)).toBe(`a.yaml:9:1 error promise  Do it.\n${shown}${others}${count}`);
  });
});

test('the patterns of the platform can be read in other languages', () => {
  const patterns: string[] = [];
  JSON.stringify(parse(readFileSync(PLATFORM, 'utf8'), { merge: true }), (key, value) => {
    if (key === 'pattern') patterns.push(value);
    return value;
  });
  expect(patterns.length).toBeGreaterThan(5);
  expect(patterns.flatMap(notPortable)).toEqual([]);
});

const advice = folder.write(
  'advice.yaml',
  `${stringify(common)}paths: { /a: { get: { operationId: getA, responses: { 204: { description: Done. } } } } }\n`,
);

test.each([
  [advice, 0, /warning operation-summary .*\n1 warning\. /],
  [
    join(folder.root, 'operations.fail-platform.yaml'),
    1,
    /^\S+fail-platform\.yaml:8:1 error platform\/operations {2}Remove .*\n(.*\n)+2 errors, 2 warnings\. .*\n$/,
  ],
])('`pnpm contract:lint %s` exits with %i', (file, status, output) => {
  const main = join(import.meta.dirname, '../../src/main.ts');
  const result = spawnSync(process.execPath, ['--conditions=source', main, 'lint', file], { encoding: 'utf8' });
  expect(result).toMatchObject({ status, stdout: expect.stringMatching(output) });
});
