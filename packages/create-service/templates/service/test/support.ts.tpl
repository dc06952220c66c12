import { createClient } from '{{sdk}}';
import { bind, type StartOptions, startService } from '@petstore-platform/service/testing';
import { contractOf } from '@petstore-platform/testkit/contract';
import { createDatabase } from '@petstore-platform/testkit/database';
import { serversOf } from '@petstore-platform/testkit/test-server';
import type { Types } from '../src/generated/contract.ts';
import { document } from '../src/generated/document.ts';
import { basePath } from '../src/generated/routes.ts';
import { service } from '../src/service.ts';

/** The contract, by which responses are validated. */
export const contract = contractOf(document);

/** Start a server on its own database, with the SDK as `{{camel}}`. `temporaryServer` closes it when the running test ends. */
export const { startServer, temporaryServer } = serversOf({
  contract,
  async createDatabase() {
    const { migrateUp, withDatabase } = bind(service);
    const database = await createDatabase();
    await withDatabase(database.url, (db) => migrateUp(db));
    return database;
  },
  start: (url, options: StartOptions<Types>) => startService(service, url, options),
  clientOf: ({ origin, apiKey }) => ({
    {{camel}}: createClient({
      apiKey,
      baseUrl: `${origin}${basePath}`,
      fetch: contract.checkedFetch,
      maxRetries: 0,
    }),
  }),
});
