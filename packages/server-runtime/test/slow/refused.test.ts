import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** The mistakes of `refused.ts` in their order, each with what the compiler says about it. */
test('errors of the compiler are printed as in refused.txt', async () => {
  const lines = readFileSync(path.join(import.meta.dirname, '../refused.ts'), 'utf8')
    .replaceAll('// @ts-expect-error -- ', '// ')
    .split('\n');
  const results = path.join(import.meta.dirname, '../../test-results');
  mkdirSync(results, { recursive: true });
  const copy = mkdtempSync(path.join(results, 'refused-'));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  writeFileSync(path.join(copy, 'refused.ts'), lines.join('\n'));
  const config = { extends: '../../tsconfig.json', files: ['refused.ts'], include: [] };
  writeFileSync(path.join(copy, 'tsconfig.json'), JSON.stringify(config));
  const tsc = path.join(import.meta.dirname, '../../../../node_modules/.bin/tsc');
  const printed = await new Promise<string>((resolve) => {
    execFile(tsc, ['--project', copy, '--pretty', 'false'], { cwd: copy }, (_, stdout) => resolve(stdout));
  });
  const mistakes: string[] = [];
  for (const [, at, text] of printed.matchAll(/^refused\.ts\((\d+),\d+\): error TS\d+: (.*(?:\n .*)*)/gm)) {
    const line = Number(at) - 1;
    const comment = lines.findLastIndex((each, index) => index < line && each.trimStart().startsWith('// '));
    mistakes.push(`${lines[comment]?.trimStart().slice(3)}\n${text?.replaceAll(/^/gm, '  ')}\n`);
  }
  expect(printed.replaceAll(/^refused\.ts\(.*\n(?: .*\n)*/gm, '')).toBe('');
  await expect(mistakes.join('')).toMatchFileSnapshot('../refused.txt');
});
