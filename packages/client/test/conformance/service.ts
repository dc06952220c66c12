import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createDatabase } from '@petstore-platform/testkit/database';
import { openTestPostgres } from '@petstore-platform/testkit/postgres';
import { commandLineOf, type Running } from '@petstore-platform/testkit/server';
import type { Target } from './suite.ts';

const program = { script: fileURLToPath(new URL('../../../../apps/server/dist/main.js', import.meta.url)) };
const { createKey, migrate, serve } = commandLineOf(program);

interface Service {
  /** Creates a key, for example of the plan `free`. */
  createKey(plan: string): Promise<string>;
  /** Kills the server, and starts it again after some milliseconds. */
  restart(away: number): Promise<void>;
  stop(): Promise<void>;
}

/** The built service with a key, on a database of its own. */
export async function startService(corsOrigins = ''): Promise<Target & Service> {
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
    const environment = { DATABASE_URL: url, CORS_ORIGINS: corsOrigins };
    const started = await serve(environment);
    server = started;
    const restart = async (away: number) => {
      await server?.kill();
      await delay(away);
      server = await serve({ ...environment, PORT: `${started.port}` });
    };
    return {
      baseUrl: `${started.origin}/v1`,
      apiKey,
      createKey: async (plan) => (await createKey(url, plan)).key,
      restart,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
