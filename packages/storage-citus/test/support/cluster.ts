/** Databases of the bookstore on a cluster, and servers on them. */

import { bind, type Caller, type DatabaseHandle, startService } from '@petstore-platform/server-runtime/testing';
import { type CitusDatabase, type CitusOptions, createCitusDatabase } from '@petstore-platform/testkit/citus';
import { type Finished, run } from '@petstore-platform/testkit/commands';
import { callTo } from '@petstore-platform/testkit/test-server';
import { createClient } from '@repo/bookstore';
import type { NewBook } from '@repo/bookstore/generated/operations';
import { inject, onTestFinished } from 'vitest';
import { service } from '../bookstore/service.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of a coordinator. Without it, the tests on a cluster are skipped. */
    citusUrl: string | undefined;
  }
}

const bound = bind(service);
export const { insertApiKey } = bound;

/** Creates a database on the cluster, which is dropped when the running test ends. */
export async function clusterDatabase(options?: CitusOptions): Promise<CitusDatabase> {
  const database = await createCitusDatabase(inject('citusUrl') as string, inject('program'), options);
  onTestFinished(database.drop);
  return database;
}

/** Runs `distribute`. */
export const distribute = (DATABASE_URL: string, ...args: string[]): Promise<Finished> =>
  run(['distribute', ...args], { DATABASE_URL });

export type Server = Awaited<ReturnType<typeof clusterServer>>;

/** A server, on a database of its own by default, closed when the running test ends. */
export async function clusterServer(options: { url?: string; config?: { STATEMENT_TIMEOUT: number } } = {}) {
  const { url = (await clusterDatabase()).url, ...others } = options;
  const server = await startService(service, url, others);
  onTestFinished(() => server.close());
  const { origin, apiKey, db } = server;
  const call = callTo(server);
  /** The ids of a list, page by page. */
  const walk = async (path: string, limit = 2) => {
    const ids: number[] = [];
    for (let next: string | undefined = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`; next; ) {
      const { json, link, status, text } = await call('GET', next);
      if (status !== 200) throw new Error(text);
      ids.push(...json.map(({ id }: { id: number }) => id));
      next = /<\/v1([^>]+)>; rel="next"/.exec(link ?? '')?.[1];
    }
    return ids;
  };
  const bookstore = createClient({ apiKey, baseUrl: `${origin}/v1`, maxRetries: 3 });
  const query = async (sql: string, values?: unknown[]) => (await db.pool.query(sql, values)).rows;
  return { ...server, url, call, walk, query, bookstore };
}

/** Adds books without HTTP, many in a statement. Returns their ids. */
export async function insertBooks(db: DatabaseHandle, books: NewBook[]): Promise<number[]> {
  const { createBook } = bound.createHandlers(db);
  const context = { path: '/v1/books', caller: { id: 'key:0' } as Caller, fingerprint: undefined };
  const created = await Promise.all(books.map((body) => createBook({ headers: {}, body }, context)));
  return created.map(({ body }) => JSON.parse(String(body)).id);
}

/** Creates ebooks and lists books until `stop`. */
export function load({ bookstore }: Server) {
  const ids: number[] = [];
  const failures: unknown[] = [];
  let stopped = false;
  const calls = (async () => {
    while (!stopped) {
      await bookstore.createBook({ title: `${ids.length}`, storeId: 1, format: 'ebook' }).then(
        ({ id }) => ids.push(id),
        (error) => failures.push(error),
      );
      await bookstore.listBooks({ limit: 3 }).catch((error) => failures.push(error));
    }
  })();
  const stop = () => {
    stopped = true;
    return calls;
  };
  return { ids, failures, stop };
}
