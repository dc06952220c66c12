import { availableParallelism } from 'node:os';
import path from 'node:path';
import { citusUrl } from '@repo/testkit/citus';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  ssr: { resolve: { conditions: ['source', 'node', 'development|production'] } },
  test: {
    include: ['test/**/*.test.ts'],
    provide: {
      citusUrl: citusUrl('tests of distributed tables'),
      program: {
        script: path.join(import.meta.dirname, 'test/bookstore/main.ts'),
        options: ['--conditions=source'],
      },
    },
    globalSetup: ['@repo/testkit/global-setup'],
    maxWorkers: Math.min(4, availableParallelism()),
    isolate: false,
    reporters: ['default', 'json'],
    outputFile: { json: 'test-results/vitest.json' },
    // For busy machines. Only failures take this long.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
