import { fileURLToPath } from 'node:url';
import type { Collection } from '@repo/testkit/http-requests';
import { commandLineOf } from '@repo/testkit/server';

/** The built service that is proven. */
export const { createKey, runCommand, serve } = commandLineOf({
  script: fileURLToPath(new URL('../../server/dist/main.js', import.meta.url)),
});

/** What the cases of HTTP are about. */
export const pets: Collection = {
  path: '/v1/pets',
  fields: { text: 'name', integer: 'categoryId' },
  filter: 'status',
  clientHeader: 'X-Petstore-Client',
};
