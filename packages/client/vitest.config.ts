import { defineConfig } from 'vitest/config';
import { base } from '../../scripts/vitest.base.ts';

export default defineConfig({
  test: {
    ...base,
    globalSetup: 'test/pack.ts',
    // The SDK is loaded once in each worker, not in each file.
    isolate: false,
  },
});
