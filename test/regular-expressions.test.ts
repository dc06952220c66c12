import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT, temporaryFolder } from './copy.ts';

/** Runs `pnpm lint:redos` on files with these lines. Returns the refused lines, as in `scripts/a.mjs:1`. */
function refused(files: Record<string, string[]>): string[] {
  const folder = temporaryFolder();
  for (const [name, lines] of Object.entries(files)) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), `${lines.join('\n')}\n`);
  }
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const env = { ...process.env, PATH: `${ROOT}/node_modules/.bin:${process.env.PATH}` };
  const command = `${scripts['lint:redos'].replace(/\S+\.jsonc/, `'${ROOT}/$&'`)} --format unix`;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: folder, env, encoding: 'utf8' });
  const places = [...stdout.matchAll(/^(\S+:\d+):\d+: /gm)].map(([, place = '']) => place);
  expect(status, `${stdout}${stderr}`).toBe(places.length > 0 ? 1 : 0);
  return places.sort();
}

test('the lint refuses a regular expression of more than linear time wherever it stands, and no pattern of a contract', () => {
  const seeded = [
    "export const strip = (text) => text.replace(/0+$/, '');",
    'export const nested = /^(a+)+$/u;',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the seeded code
    'export const unread = (name) => new RegExp(`${name}0+$`);',
    'export const linear = /^\\d+$/;',
  ];
  const typed = seeded.map((line) => line.replace('text)', 'text: string)').replace('name)', 'name: string)'));
  const places = ['apps/a/src/a.ts', 'packages/b/src/deep/b.ts', '.ci/d.mjs'];
  const files = Object.fromEntries(places.map((place) => [place, place.endsWith('.ts') ? typed : seeded]));

  const patterns: string[] = [];
  for (const file of globSync(['openapi/**/*.yaml', 'packages/contract/{platform,redocly}.yaml'], { cwd: ROOT })) {
    parse(readFileSync(path.join(ROOT, file), 'utf8'), (key, value) => {
      if (key === 'pattern' && typeof value === 'string') patterns.push(/^\/(.*)\/$/.exec(value)?.[1] ?? value);
      return value;
    });
  }
  expect(patterns.length).toBeGreaterThan(3);
  const lines = patterns.map((pattern, index) => `export const pattern${index} = /${pattern}/u;`);
  const found = places.flatMap((place) => [1, 2, 3].map((line) => `${place}:${line}`));
  expect(refused({ ...files, 'scripts/patterns.mjs': lines })).toEqual(found.sort());
});
