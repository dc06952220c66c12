import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const filesIn = (folder: string) => readdirSync(join(root, folder)).map((name) => join(root, folder, name));
const files = [...filesIn('packages/client-runtime/src'), ...filesIn('packages/bookstore/src/client/generated')];

const strict = { noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, noImplicitOverride: true };
const bundled = { module: 'preserve', moduleResolution: 'bundler' };
const dom = ['es2023', 'dom', 'dom.iterable'];

// A workspace compiles the sources of its SDKs with the settings of the app that uses them.
test.each<[string, object]>([
  ['a service, without the DOM', { ...strict, lib: ['es2024'], types: ['node'] }],
  ['a page, without Node.js', { ...strict, ...bundled, lib: dom, types: [], jsx: 'preserve' }],
  ['an app with both, whose settings are loose', { lib: dom, types: ['node'], useUnknownInCatchVariables: false }],
  ['a worker', { ...bundled, lib: ['es2024', 'webworker', 'webworker.iterable'], types: [], isolatedModules: true }],
  [
    'an app with declarations and checks of its libraries',
    { lib: dom, types: [], declaration: true, skipLibCheck: false, noUnusedLocals: true },
  ],
])('an SDK and its runtime compile with the settings of %s', (_, settings) => {
  // A folder of the package, so that the types of Node.js are found.
  const folder = mkdtempSync(join(import.meta.dirname, 'compiled-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const compilerOptions = {
    ...{ target: 'es2022', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true, checkers: 1 },
    ...{ allowImportingTsExtensions: true, customConditions: ['source'], ...settings },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});
