import { availableParallelism } from 'node:os';
import path from 'node:path';
import { hasCitus } from '@petstore-platform/testkit/citus';
import { hasSystemPostgres } from '@petstore-platform/testkit/system-postgres';
import { defineConfig } from 'vitest/config';
import { base, sources } from '../../scripts/vitest.base.ts';

const { TEST_POSTGRES } = process.env;
const missing =
  (TEST_POSTGRES === 'system' && !hasSystemPostgres('tests on it')) ||
  (TEST_POSTGRES === 'citus' && !hasCitus('tests on it'));

export default defineConfig({
  ...sources,
  test: {
    ...base,
    ...(missing && { exclude: ['**'], passWithNoTests: true }),
    provide: { program: { script: path.join(import.meta.dirname, 'dist/main.js') } },
    setupFiles: ['@petstore-platform/testkit/openapi-schema'],
    globalSetup: ['@petstore-platform/testkit/global-setup', 'test/support/template.ts'],
    // All processors, but not all connections of a Postgres. The server is loaded once in each worker, not in each file.
    maxWorkers: Math.min(4, availableParallelism()),
    isolate: false,
  },
});
