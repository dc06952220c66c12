import { fileURLToPath } from 'node:url';
import { createDatabase } from '@petstore-platform/testkit/database';
import { openTestPostgres } from '@petstore-platform/testkit/postgres';
import { commandLineOf, type Running } from '@petstore-platform/testkit/server';
import type { Target } from './suite.ts';

const program = { script: fileURLToPath(new URL('../../../../apps/server/dist/main.js', import.meta.url)) };
const { createKey, migrate, serve } = commandLineOf(program);

/** The built service with a key, on a database of its own. */
export async function startService(corsOrigins = ''): Promise<Target & { stop(): Promise<void> }> {
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
    const apiKey = await createKey(url);
    const environment = { DATABASE_URL: url, CORS_ORIGINS: corsOrigins };
    const { origin, ...running } = await serve(environment);
    server = running;
    return { baseUrl: `${origin}/v1`, apiKey, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
