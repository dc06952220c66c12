import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAppRuns, pack } from '../tarball.ts';

let packed: Awaited<ReturnType<typeof pack>>;
beforeAll(async () => {
  packed = await pack();
});
afterAll(() => rm(packed.folder, { recursive: true }));

test.each(['5.9.3', '6.0.3'])('TypeScript %s compiles an app against the tarball, and the app runs', (version) =>
  expectAppRuns(packed.tarballs, version),
);

// The package's `typecheck` covers TypeScript 7.
test.each(['typescript-5.9', 'typescript-6'])('%s accepts the consumer and refuses the errors', (compiler) => {
  const types = fileURLToPath(new URL('../types/tsconfig.json', import.meta.url));
  const tsc = createRequire(import.meta.url).resolve(`${compiler}/lib/tsc.js`);
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', types], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});
