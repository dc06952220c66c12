import { startServe } from '@petstore-platform/testkit/commands';
import type { Serving } from '@petstore-platform/testkit/server';
import { type BookstoreClient, createClient } from '@repo/bookstore';
import { checkedFetch } from './contract.ts';
import { temporaryDatabase } from './database.ts';
import { insertApiKey, type NewApiKey, withDatabase } from './runtime.ts';

export interface ServerProcess extends Serving {
  databaseUrl: string;
  /** A key, by default of the plan business. */
  key: string;
  keyId: number;
  bookstore: BookstoreClient;
}

/** The server as a process, on a database of its own by default. Killed when the running test ends. */
export async function serverProcess(
  environment: Record<string, string> = {},
  newKey: Partial<NewApiKey> = {},
  ...options: string[]
): Promise<ServerProcess> {
  const databaseUrl = environment.DATABASE_URL ?? (await temporaryDatabase());
  const server = await startServe({ ...environment, DATABASE_URL: databaseUrl }, ...options);
  const { id: keyId, key } = await withDatabase(databaseUrl, (db) =>
    insertApiKey(db, { name: 'Ada Lovelace', plan: 'business', ...newKey }),
  );
  const bookstore = createClient({ apiKey: key, baseUrl: `${server.origin}/v1`, fetch: checkedFetch, maxRetries: 0 });
  return { ...server, databaseUrl, key, keyId, bookstore };
}
