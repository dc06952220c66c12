import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, temporaryFolder } from './copy.ts';

const SEEDED = `import { writeFile } from 'node:fs/promises';
import { save } from './save.js';

await save();
void save();
save().catch(() => {});
save();
save().then(() => {});
writeFile('a', 'b');
if (save()) console.log(1);
if (writeFile('a', 'b')) console.log(1);
[1].forEach(async () => save());
`;
const LIBRARIES = `import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';

const pool = new pg.Pool();
const db = new Kysely<{ books: { id: number } }>({ dialect: new PostgresDialect({ pool }) });
pool.query('select 1');
db.selectFrom('books').selectAll().execute();
await db.destroy();
`;

test('the lint refuses floating and misused promises, of our own and of libraries, in each folder', () => {
  const folder = temporaryFolder();
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  const places = ['apps/a/src', 'apps/a/test', 'packages/b/src', 'packages/b/test', 'test', 'scripts', '.ci'];
  const expected: string[] = [];
  for (const place of places) {
    const isScript = /^(scripts|\.ci)$/.test(place);
    const seeded = `${place}/seeded.${isScript ? 'mjs' : 'ts'}`;
    write(seeded, SEEDED);
    write(`${place}/save.${isScript ? 'js' : 'ts'}`, 'export async function save() {}\n');
    const rules = ['7 floating', '8 floating', '9 floating', '10 misused', '11 misused', '12 misused'];
    expected.push(...rules.map((rule) => `${seeded}:${rule}`));
  }
  write('apps/a/src/database.ts', LIBRARIES);
  expected.push('apps/a/src/database.ts:6 floating', 'apps/a/src/database.ts:7 floating');
  mkdirSync(path.join(folder, 'node_modules'));
  for (const name of ['kysely', 'pg'])
    symlinkSync(path.join(ROOT, 'packages/server-runtime/node_modules', name), path.join(folder, 'node_modules', name));
  symlinkSync(path.join(ROOT, 'node_modules/@types'), path.join(folder, 'node_modules/@types'));
  write('package.json', '{ "type": "module" }\n');
  for (const name of ['apps/a', 'packages/b', 'test'])
    write(`${name}/tsconfig.json`, '{ "extends": "../tsconfig.base.json" }\n'.replace('..', path.relative(name, '.')));
  for (const name of ['biome.json', 'oxlint.config.ts', '.gitignore', 'tsconfig.base.json', 'tsconfig.json'])
    cpSync(path.join(ROOT, name), path.join(folder, name));

  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const env = { ...process.env, PATH: `${ROOT}/node_modules/.bin:${process.env.PATH}` };
  const found = new Set<string>();
  for (const [command, option] of scripts.lint.split(' && ').map((one: string, index: number) => [one, index])) {
    const reporter = option === 0 ? '--reporter=github --max-diagnostics=none' : '--format=github';
    const { stdout, stderr, status } = spawnSync('sh', ['-c', `${command} ${reporter}`], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    expect(status, `${stdout}${stderr}`).toBe(1);
    for (const [line] of stdout.matchAll(/^::error .*$/gm)) {
      const [, rule] = /title=.*(floating|misused)/i.exec(line) ?? [];
      const [, file = ''] = /file=([^,]+)/.exec(line) ?? [];
      const [, number] = /line=(\d+)/.exec(line) ?? [];
      if (rule) found.add(`${path.relative(folder, path.resolve(folder, file))}:${number} ${rule.toLowerCase()}`);
    }
  }
  expect([...found].sort()).toEqual(expected.sort());
});
