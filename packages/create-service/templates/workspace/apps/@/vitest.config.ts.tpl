import { defineConfig } from 'vitest/config';
import { base, sources } from '../../scripts/vitest.base.ts';

export default defineConfig({
  ...sources,
  test: {
    ...base,
    globalSetup: ['@petstore-platform/testkit/global-setup'],
    // The reporters list each skipped test with its reason.
    reporters: ['verbose', 'json'],
  },
});
