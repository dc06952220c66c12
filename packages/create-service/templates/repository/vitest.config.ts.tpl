import { base } from '@petstore-platform/testkit/vitest';
import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { ...base, include: ['{test,client/test}/**/*.test.ts'] } });
