import { defineConfig } from 'vitest/config';

const landing = process.argv.includes('landing');

const shared = {
  globalSetup: ['@petstore/testkit/global-setup'],
  testTimeout: 300_000,
  hookTimeout: 120_000,
};

export default defineConfig({
  test: {
    projects: [
      { test: { ...shared, name: 'each change', include: ['test/*.test.ts'] } },
      { test: { ...shared, testTimeout: 600_000, name: 'landing', include: ['test/landing/*.test.ts'] } },
    ],
    reporters: ['default', ['json', { outputFile: `test-results/${landing ? 'landing' : 'vitest'}.json` }]],
  },
});
