import { createDatabase } from '@petstore/testkit/database';
import { openTestPostgres } from '@petstore/testkit/postgres';
import { createKey, migrate, type Running, serve } from '@petstore/testkit/server';
import type { Target } from './suite.ts';

/** The built service on a database of its own, with a key. */
export async function startService(corsOrigins: string): Promise<Target & { stop(): Promise<void> }> {
  const postgres = await openTestPostgres();
  const { url, drop } = await createDatabase(postgres.url);
  let server: Running | undefined;
  const stop = async () => {
    await server?.stop();
    await drop();
    await postgres.close();
  };
  try {
    await migrate(url);
    const { key: apiKey } = await createKey(url);
    const started = await serve({ DATABASE_URL: url, CORS_ORIGINS: corsOrigins });
    server = started;
    return { baseUrl: `${started.origin}/v1`, apiKey, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
