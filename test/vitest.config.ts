import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{,slow/}*.test.ts'],
    reporters: ['default', 'json'],
    outputFile: { json: 'test-results/vitest.json' },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
