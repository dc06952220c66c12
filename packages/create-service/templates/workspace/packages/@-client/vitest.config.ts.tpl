import { defineConfig } from 'vitest/config';
import { base, sources } from '../../scripts/vitest.base.ts';

export default defineConfig({ ...sources, test: base });
