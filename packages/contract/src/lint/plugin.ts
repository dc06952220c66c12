import type { Plugin } from '@redocly/openapi-core';
import { deprecation } from './deprecation.ts';
import { int64SafeBounds } from './int64-safe-bounds.ts';

/**
 * The house rules by name, as a plugin of Redocly; those that need no code stand in `redocly.yaml`, which turns all of
 * them on. Each has fixtures in `test/lint/fixtures/<name>/`.
 */
export const plugin = {
  id: 'petstore',
  rules: {
    oas3: {
      'petstore/deprecation': deprecation,
      'petstore/int64-safe-bounds': int64SafeBounds,
    },
  },
} satisfies Plugin;
