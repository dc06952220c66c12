import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { expectAppRuns, installApp } from '../tarball.ts';

let app: string;
beforeAll(async () => {
  app = await installApp();
});

const resolve = createRequire(import.meta.url).resolve;
const COMPILERS = [
  'typescript-5.9/lib/tsc.js',
  'typescript-6/lib/tsc.js',
  '../../../../node_modules/typescript/bin/tsc',
];

test.each(COMPILERS)('%s compiles an app against the tarball, and the app runs', (compiler) =>
  expectAppRuns(app, resolve(compiler)),
);

// types.test.ts covers TypeScript 5.9, and the package's `typecheck` 7.
test.each(COMPILERS.slice(1, 2))('%s accepts the consumer and refuses the errors', (compiler) => {
  const types = fileURLToPath(new URL('../types/tsconfig.json', import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [resolve(compiler), '-p', types], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});
