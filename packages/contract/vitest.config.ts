import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Redocly and TypeScript are loaded once in each worker, not in each file.
    isolate: false,
    reporters: ['default', 'json'],
    outputFile: { json: 'test-results/vitest.json' },
    // A machine may be busy.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
