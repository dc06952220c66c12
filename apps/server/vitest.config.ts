import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['@petstore/testkit/global-setup', 'test/support/template.ts'],
    // All processors, but not all connections of a Postgres. The server is loaded once in each worker, not in each file.
    maxWorkers: Math.min(4, availableParallelism()),
    isolate: false,
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
    // For busy machines. Only failures take this long.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
