import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from './copy.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'lint-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

test.each(['apps/a/src', 'apps/a/test', 'packages/b/src', 'packages/b/test', 'test', 'scripts', '.ci'])(
  'the lint refuses floating and misused promises in %s',
  (place) => {
    const extension = /^(scripts|\.ci)$/.test(place) ? 'mjs' : 'ts';
    const files = {
      'save.mjs': ['export async function save() {}'],
      'save.ts': ['export async function save(): Promise<void> {}'],
      [`planted.${extension}`]: [
        `import { save } from './save.${extension}';`,
        '',
        'await save();',
        'void save();',
        'save().catch(() => {});',
        'save();',
        'save().then(() => {});',
        'if (save()) console.log(1);',
        '[1].forEach(async () => save());',
      ],
    };
    mkdirSync(path.join(folder, place), { recursive: true });
    for (const [name, lines] of Object.entries(files))
      writeFileSync(path.join(folder, place, name), `${lines.join('\n')}\n`);
    for (const name of ['biome.json', '.gitignore']) cpSync(path.join(ROOT, name), path.join(folder, name));

    const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    const env = { ...process.env, PATH: `${ROOT}/node_modules/.bin:${process.env.PATH}` };
    const command = `${scripts.lint.split(' && ')[0]} --reporter=github`;
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: folder, env, encoding: 'utf8' });
    const found = [...stdout.matchAll(/^::error title=lint\/nursery\/(\w+),file=.*planted.*,line=(\d+)/gm)];
    expect(
      found.map(([, rule, line]) => `${line} ${rule}`),
      `${stdout}${stderr}`,
    ).toEqual(['6 noFloatingPromises', '7 noFloatingPromises', '8 noMisusedPromises', '9 noMisusedPromises']);
    expect(status).toBe(1);
  },
);
