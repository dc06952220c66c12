import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { base, sources } from '../../scripts/vitest.base.ts';

export default defineConfig({
  ...sources,
  test: {
    ...base,
    globalSetup: '@petstore-platform/testkit/global-setup',
    // All processors: it is the last package of `npm test`. Loads Redocly and TypeScript once per worker, not per file.
    maxWorkers: Math.min(4, availableParallelism()),
    isolate: false,
  },
});
