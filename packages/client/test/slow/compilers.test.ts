import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, test } from 'vitest';
import { expectAppRuns, pack } from '../tarball.ts';

let packed: Awaited<ReturnType<typeof pack>>;
beforeAll(async () => {
  packed = await pack();
});
afterAll(() => rm(packed.folder, { recursive: true }));

test.each(['5.9.3', '6.0.3'])('TypeScript %s compiles an app against the tarball, and the app runs', (version) =>
  expectAppRuns(packed.tarball, version),
);
