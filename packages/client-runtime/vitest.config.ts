import { defineConfig } from 'vitest/config';
import { base, sources } from '../../scripts/vitest.base.ts';

export default defineConfig({
  // The SDK of the tests imports the sources.
  ...sources,
  test: {
    ...base,
    // The SDK is loaded once in each worker, not in each file.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});
