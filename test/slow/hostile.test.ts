import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { copyRepository, NO_INSTALL, SERVICE } from '../copy.ts';
import { writeModules } from './document.ts';

const { folder } = copyRepository();
const run = (command: string, args: string[], cwd = folder, options = '') => {
  const env = { ...process.env, NODE_OPTIONS: options };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', env });
  expect(status, `${command} ${args}\n${stdout}${stderr}`).toBe(0);
  return stdout + stderr;
};
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
const files = (pattern: string) => globSync(pattern, { cwd: folder });

test('no value of a contract becomes code of a service or its SDK', () => {
  const contract = path.join(import.meta.dirname, 'hostile.yaml');
  run('npm', ['run', '--silent', 'new', '--', 'evil', '--contract', contract], folder, NO_INSTALL);
  // The packages are not installed, so those of another service and its SDK stand in.
  const [app, sdk] = ['apps/evil', 'packages/evil-client'];
  symlinkSync(path.join(folder, SERVICE.folder, 'node_modules'), path.join(folder, app, 'node_modules'));
  symlinkSync(path.join(folder, SERVICE.client.folder, 'node_modules'), path.join(folder, sdk, 'node_modules'));

  const tsc = path.join(folder, 'node_modules/.bin/tsc');
  run(tsc, ['-p', 'packages/client-runtime/tsconfig.build.json']);
  const sections = writeModules(path.join(folder, sdk, 'README.md'), path.join(folder, sdk, 'readme'));
  expect(sections).toContain('Errors');
  const name = JSON.parse(read(`${sdk}/package.json`)).name;
  const paths = { [name]: ['./src/generated/index.ts'], [`${name}/*`]: ['./src/generated/*.ts'] };
  const compilerOptions = { types: ['node'], rootDir: '.', noEmit: true, paths };
  const check = { extends: './tsconfig.build.json', compilerOptions, include: ['src', 'readme'] };
  writeFileSync(path.join(folder, sdk, 'tsconfig.check.json'), JSON.stringify(check));
  run(tsc, ['-p', `${sdk}/tsconfig.check.json`]);
  writeFileSync(path.join(folder, app, 'tsconfig.check.json'), '{ "extends": "./tsconfig.json", "include": ["src"] }');
  run(tsc, ['-p', `${app}/tsconfig.check.json`]);

  const sources = [...files(`${app}/src/**/*.ts`), ...files(`${sdk}/src/**/*.ts`)].filter((file) => !/main/.test(file));
  const imports = sources.map((file) => `await import(${JSON.stringify(path.join(folder, file))});`);
  writeFileSync(path.join(folder, 'import-all.mjs'), imports.join('\n'));
  const node = (...args: string[]) => run(process.execPath, ['--conditions=source', ...args]);
  node('import-all.mjs');
  expect(node(`${app}/src/main.ts`, '--help')).toContain('evil');

  const printed = `console.log((await import('./${app}/src/generated/document.ts')).reference)`;
  const reference = JSON.parse(node('--input-type=module', '--eval', printed));
  for (const item of Object.values<object>(reference.paths))
    for (const { 'x-codeSamples': samples } of Object.values(item))
      for (const { lang, source } of samples ?? [])
        if (lang === 'shell') run('sh', ['-c', `curl() { :; }; uuidgen() { :; }; ${source}`]);

  expect(files('**/PWN-*')).toEqual([]);
  for (const file of files(`{${app},${sdk}}/**/package.json`)) JSON.parse(read(file));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the attack
  const markup = /(?<!\\)(<script|`\$\()|\u001b|{{/;
  expect(read(`${sdk}/README.md`)).not.toMatch(markup);
});
