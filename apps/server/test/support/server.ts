import { createClient } from '@petstore/client';
import { type StartOptions, startService } from '@petstore-platform/service/testing';
import { serversOf } from '@petstore-platform/testkit/test-server';
import type { Types } from '../../src/generated/contract.ts';
import { service } from '../../src/service.ts';
import { checkedFetch, contract } from './contract.ts';
import { createDatabase } from './database.ts';

export type TestServer = Awaited<ReturnType<typeof startServer>>;

export const { startServer, temporaryServer, sharedServer } = serversOf({
  contract,
  createDatabase,
  start: (url, options: StartOptions<Types>) => startService(service, url, options),
  clientOf: ({ origin, apiKey }) => ({
    petstore: createClient({ apiKey, baseUrl: `${origin}/v1`, fetch: checkedFetch, maxRetries: 0 }),
  }),
});
