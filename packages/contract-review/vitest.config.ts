import { defineConfig } from 'vitest/config';
import { base } from '../../vitest.base.ts';

export default defineConfig({
  test: {
    ...base,
    globalSetup: 'test/temporary.ts',
    // Loads the review once per worker, not per file.
    isolate: false,
  },
});
