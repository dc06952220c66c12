import { defineConfig } from 'vitest/config';
import { base } from '../../scripts/vitest.base.ts';

export default defineConfig({
  test: {
    ...base,
    // Loads the review once per worker, not per file.
    isolate: false,
  },
});
