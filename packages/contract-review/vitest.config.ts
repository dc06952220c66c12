import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Loads the review once per worker, not per file.
    isolate: false,
    reporters: ['default', 'json'],
    outputFile: { json: 'test-results/vitest.json' },
    // Generous, for a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
