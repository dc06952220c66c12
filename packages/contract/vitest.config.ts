import { defineConfig } from 'vitest/config';
import { base, ssr } from '../../scripts/vitest.base.ts';

export default defineConfig({
  ssr,
  test: {
    ...base,
    globalSetup: ['@petstore-platform/testkit/global-setup', '../contract-review/test/temporary.ts'],
    // Loads Redocly and TypeScript once per worker, not per file.
    isolate: false,
  },
});
