import { defineConfig } from 'vitest/config';
import { base } from '../../scripts/vitest.base.ts';

export default defineConfig({ test: { ...base, globalSetup: ['@petstore-platform/testkit/global-setup'] } });
