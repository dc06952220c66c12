/** The configuration of vitest for the tests of a service: `defineConfig({ test: base })`. */
export const base = {
  include: ['test/**/*.test.ts'],
  globalSetup: ['@petstore-platform/testkit/global-setup'],
  setupFiles: ['@petstore-platform/testkit/openapi-schema'],
  // The reporters list each skipped test with its reason.
  reporters: ['verbose'] as 'verbose'[],
  // A busy machine must keep them.
  testTimeout: 300_000,
  hookTimeout: 300_000,
};
