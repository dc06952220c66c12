import { availableParallelism } from 'node:os';
import path from 'node:path';
import { citusUrl } from '@petstore-platform/testkit/citus';
import { defineConfig } from 'vitest/config';
import { base, ssr } from '../../scripts/vitest.base.ts';

export default defineConfig({
  ssr,
  test: {
    ...base,
    provide: {
      citusUrl: citusUrl('tests of distributed tables'),
      program: {
        script: path.join(import.meta.dirname, 'test/bookstore/main.ts'),
        options: ['--conditions=source'],
      },
    },
    setupFiles: ['@petstore-platform/testkit/openapi-schema'],
    globalSetup: ['@petstore-platform/testkit/global-setup'],
    maxWorkers: Math.min(4, availableParallelism()),
    isolate: false,
  },
});
