import { defineConfig } from 'vitest/config';
import { base, ssr } from '../../vitest.base.ts';

export default defineConfig({
  ssr,
  test: {
    ...base,
    globalSetup: ['@repo/testkit/global-setup'],
    // Lists what is skipped, with the reason.
    reporters: ['verbose', 'json'],
  },
});
