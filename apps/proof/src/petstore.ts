import { fileURLToPath } from 'node:url';
import { commandLineOf } from '@repo/testkit/server';

/** The built service that is proven. */
export const { createKey, runCommand, serve } = commandLineOf({
  script: fileURLToPath(new URL('../../server/dist/main.js', import.meta.url)),
});
