import { defineConfig } from 'vitest/config';
import { base, ssr } from '../../vitest.base.ts';

export default defineConfig({
  ssr,
  test: {
    ...base,
    // Loads Redocly and TypeScript once per worker, not per file.
    isolate: false,
  },
});
