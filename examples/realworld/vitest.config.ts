import { defineConfig } from 'vitest/config';
import { base, ssr } from '../../scripts/vitest.base.ts';

export default defineConfig({ ssr, test: { ...base, globalSetup: ['@petstore-platform/testkit/global-setup'] } });
