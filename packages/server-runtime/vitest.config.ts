import { availableParallelism } from 'node:os';
import path from 'node:path';
import { hasSystemPostgres } from '@repo/testkit/system-postgres';
import { defineConfig } from 'vitest/config';

const missing = process.env.TEST_POSTGRES === 'system' && !hasSystemPostgres('tests on it');

export default defineConfig({
  ssr: { resolve: { conditions: ['source', 'node', 'development|production'] } },
  test: {
    include: ['test/**/*.test.ts'],
    ...(missing && { exclude: ['**'], passWithNoTests: true }),
    provide: {
      program: {
        script: path.join(import.meta.dirname, 'test/bookstore/main.ts'),
        options: ['--conditions=source'],
      },
    },
    globalSetup: ['@repo/testkit/global-setup', 'test/support/template.ts'],
    // All processors, but not all connections of a Postgres. The server is loaded once in each worker, not in each file.
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
