import { defineConfig } from 'vitest/config';

export default defineConfig({
  ssr: { resolve: { conditions: ['source', 'node', 'development|production'] } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['@repo/testkit/global-setup'],
    // Lists what is skipped, with the reason.
    reporters: ['verbose', 'json'],
    outputFile: { json: 'test-results/vitest.json' },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
