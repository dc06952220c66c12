import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '@petstore/testkit/postgres';
import { createKey, freePort, migrate, type Running, serve } from '@petstore/testkit/server';
import { endedWithRun } from './cleanup.ts';
import type { Ask, Sample } from './probe.ts';

/** One server as it is deployed, beside a Postgres of its own, looked at from within. */
export interface Service {
  origin: string;
  port: number;
  /** With limits that no run reaches. */
  apiKey: string;
  /** What the server holds, after a collection of garbage if asked for. */
  sample(ask?: Ask): Promise<Sample & { files: number }>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** Default: the server itself. */
  script?: string | undefined;
  environment?: Record<string, string> | undefined;
}

/** So many refusals are part of the runs that nobody may be banned for them. */
export const ENVIRONMENT = { LOG_LEVEL: 'warn', BAN_AFTER: '9999999' };

/**
 * For runs that ask what the answer to each request is: none is refused because this machine is busy, and each may come from
 * an address of its own, of which requests without a key are counted.
 */
export const UNDISTURBED = { MAX_REQUESTS: '0', MAX_EVENT_LOOP_DELAY: '0', TRUST_PROXY: '1' };

const probe = fileURLToPath(new URL('./probe.ts', import.meta.url));

export async function startService({ script, environment = {} }: ServiceOptions = {}): Promise<Service> {
  const postgres = await startPostgres();
  let server: Running | undefined;
  const stop = endedWithRun(async () => {
    await server?.stop();
    await postgres.close();
  });
  try {
    await migrate(postgres.url);
    const apiKey = await createKey(postgres.url);
    const port = await freePort();
    const variables = { ...ENVIRONMENT, DATABASE_URL: postgres.url, ...environment };
    const running = await serve(port, variables, { preload: probe, script });
    server = running;
    return {
      origin: `http://127.0.0.1:${port}`,
      port,
      apiKey,
      async sample(ask = { collect: false }) {
        const answer = once(running.child, 'message');
        running.child.send(ask);
        const [sample] = (await answer) as [Sample];
        return { ...sample, files: await openFiles(running.child.pid as number) };
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Open files and sockets of a process; 0 where the system does not tell. */
async function openFiles(pid: number): Promise<number> {
  return process.platform === 'linux' ? (await readdir(`/proc/${pid}/fd`)).length : 0;
}
