import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAppRuns, installApp, pack } from '../tarball.ts';

let packed: Awaited<ReturnType<typeof pack>>;
let app: string;
beforeAll(async () => {
  packed = await pack();
  app = await installApp(packed.tarballs);
});
afterAll(() => rm(packed.folder, { recursive: true }));

const resolve = createRequire(import.meta.url).resolve;
const COMPILERS = [
  'typescript-5.9/lib/tsc.js',
  'typescript-6/lib/tsc.js',
  '../../../../node_modules/typescript/bin/tsc',
];

test.each(COMPILERS)('%s compiles an app against the tarball, and the app runs', (compiler) =>
  expectAppRuns(app, resolve(compiler)),
);

// The package's `typecheck` covers TypeScript 7.
test.each(COMPILERS.slice(0, 2))('%s accepts the consumer and refuses the errors', (compiler) => {
  const types = fileURLToPath(new URL('../types/tsconfig.json', import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [resolve(compiler), '-p', types], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});
