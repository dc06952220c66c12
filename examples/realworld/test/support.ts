import { bind, type StartOptions, startService } from '@petstore-platform/service/testing';
import { contractOf } from '@petstore-platform/testkit/contract';
import { createDatabase } from '@petstore-platform/testkit/database';
import { serversOf } from '@petstore-platform/testkit/test-server';
import { createClient } from '../src/client/generated/index.ts';
import type { Types } from '../src/generated/contract.ts';
import { document } from '../src/generated/document.ts';
import { basePath } from '../src/generated/routes.ts';
import { service } from '../src/service.ts';

export const contract = contractOf(document);

export const { temporaryServer } = serversOf({
  contract,
  async createDatabase() {
    const { migrateUp, withDatabase } = bind(service);
    const database = await createDatabase();
    await withDatabase(database.url, (db) => migrateUp(db));
    return database;
  },
  start: (url, options: StartOptions<Types>) => startService(service, url, options),
  clientOf: ({ origin }) => ({
    /** The SDK of a person, or of nobody. Responses are validated by the contract. */
    clientOf: (token?: string) =>
      createClient({
        ...(token && { token }),
        baseUrl: `${origin}${basePath}`,
        fetch: contract.checkedFetch,
        maxRetries: 0,
      }),
  }),
});
