import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Each file starts servers and a Postgres, and measures them: one after the other.
    fileParallelism: false,
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
