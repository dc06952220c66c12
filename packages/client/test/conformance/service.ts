import { createDatabase } from '@petstore/testkit/database';
import { openTestPostgres } from '@petstore/testkit/postgres';
import { createKey, freePort, migrate, type Running, serve } from '@petstore/testkit/server';
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
    const port = await freePort();
    server = await serve(port, { DATABASE_URL: url, LOG_LEVEL: 'warn', CORS_ORIGINS: corsOrigins });
    return { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
