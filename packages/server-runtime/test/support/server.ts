import { createClient } from '@repo/client-runtime';
import type { JsonText } from '@repo/server-runtime';
import { type StartOptions, startService } from '@repo/server-runtime/testing';
import { serversOf } from '@repo/testkit/test-server';
import type { Types } from '../bookstore/generated/contract.ts';
import type { Books } from '../bookstore/generated/operations.ts';
import { service } from '../bookstore/service.ts';
import { checkedFetch, contract } from './contract.ts';
import { createDatabase, rowsOf } from './database.ts';
import type { DatabaseHandle } from './runtime.ts';

export { errorOf, someAddress } from '@repo/testkit/test-server';

export type TestServer = Awaited<ReturnType<typeof startServer>>;

export const { startServer, temporaryServer, sharedServer } = serversOf({
  contract,
  createDatabase,
  start: (url, options: StartOptions<Types>) => startService(service, url, options),
  clientOf: ({ origin, apiKey }) => ({
    bookstore: createClient({ apiKey, baseUrl: `${origin}/v1`, fetch: checkedFetch, maxRetries: 0 }),
  }),
});

/** Starts a server whose lists come from a function. */
export const listServer = (lists: (query: { limit: number }) => Promise<Books | JsonText<Books>>) =>
  temporaryServer({ handlers: { listBooks: async ({ query }) => ({ status: 200, body: await lists(query) }) } });

/** The number of stored books. */
export async function countBooks({ db }: { db: DatabaseHandle }): Promise<number> {
  const [row] = await rowsOf<{ books: number }>(db, 'select count(*) as books from books');
  return row?.books ?? 0;
}
