import { defineConfig } from 'vitest/config';
import { base } from '../../scripts/vitest.base.ts';

export default defineConfig({
  test: {
    ...base,
    globalSetup: 'test/temporary.ts',
    // Loads the review once per worker, not per file.
    isolate: false,
  },
});
