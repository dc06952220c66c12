import type { JsonText } from '@petstore-platform/server-runtime';
import { inTurn, serversOf } from '@petstore-platform/testkit/test-server';
import { createClient } from '@repo/bookstore';
import type { Types } from '@repo/bookstore/generated/contract';
import type { Books } from '@repo/bookstore/generated/operations';
import { service } from '@repo/bookstore/service';
import { type StartOptions, startService } from '@repo/bookstore/testing';
import { checkedFetch, contract } from './contract.ts';
import { createDatabase, rowsOf } from './database.ts';
import type { DatabaseHandle } from './runtime.ts';

export { errorOf, someAddress } from '@petstore-platform/testkit/test-server';

export type TestServer = Awaited<ReturnType<typeof startServer>>;

export const { startServer, temporaryServer, sharedServer } = serversOf({
  contract,
  createDatabase,
  start: startServers,
  clientOf({ apiKey, ...servers }) {
    const next = inTurn(servers);
    const fetch: typeof checkedFetch = (url, init) => checkedFetch(`${url}`.replace(servers.origin, next), init);
    return { bookstore: createClient({ apiKey, baseUrl: `${servers.origin}/v1`, fetch, maxRetries: 0 }) };
  },
});

/** Options of a single server, for tests of what a process remembers. */
export const ONE = { config: {} };

interface Options extends StartOptions<Types> {
  /** What the bookstore has otherwise. */
  service?: object;
}

/** Two servers on a database, to which requests go in turn, so that none relies on what a process remembers; with options, one. */
async function startServers(url: string, options: Options) {
  const { service: own, ...others } = options;
  const server = await startService({ ...service, ...own }, url, others);
  if (Object.keys(options).length > 0) return server;
  const other = await startService(service, url, {});
  const close = async () => void (await Promise.all([server.close(), other.close()]));
  return { ...server, others: [other.origin], close };
}

/** Starts a server whose lists come from a function. */
export const listServer = (lists: (query: { limit: number }) => Promise<Books | JsonText<Books>>) =>
  temporaryServer({ handlers: { listBooks: async ({ query }) => ({ status: 200, body: await lists(query) }) } });

/** The number of stored books. */
export async function countBooks({ db }: { db: DatabaseHandle }): Promise<number> {
  const [row] = await rowsOf<{ books: number }>(db, 'select count(*) as books from books');
  return row?.books ?? 0;
}
