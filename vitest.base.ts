/** The configuration that the tests of all packages share. No time limit is shorter: a busy machine must keep it. */
export const base = {
  include: ['test/**/*.test.ts'],
  reporters: ['default', 'json'] as ('default' | 'json')[],
  outputFile: { json: 'test-results/vitest.json' },
  expect: { poll: { timeout: 60_000 } },
  testTimeout: 300_000,
  hookTimeout: 300_000,
};

/** For packages whose dependencies in the workspace are loaded from their sources. */
export const ssr = { resolve: { conditions: ['source', 'node', 'development|production'] } };
