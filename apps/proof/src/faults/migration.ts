import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@petstore-platform/testkit/eventually';
import { withClient } from '@petstore-platform/testkit/postgres';
import { commandLineOf } from '@petstore-platform/testkit/server';
import { program } from '../petstore.ts';
import type { Fault } from './faults.ts';
import type { Server } from './fleet.ts';

const options = ['--import', path.join(import.meta.dirname, 'next-version.ts')];
const { migrate, runCommand } = commandLineOf({ ...program, options });

/**
 * A migration that waits for the lock of a dump, then a rollback: a server of the previous version starts beside the newer migration,
 * which is reverted while servers are connected. Other faults interrupt both commands, so they are repeated.
 */
export function migrationFault(databaseUrl: string, server: Server): Fault {
  let migrated: Promise<unknown> | undefined;
  let dump = new AbortController();
  const repeat = (what: string, work: () => Promise<unknown>) => eventually(what, work, 600_000);
  return {
    name: 'Postgres: a migration behind a dump, then a rollback',
    begin() {
      dump = new AbortController();
      const { signal } = dump;
      const holdLock = withClient(databaseUrl, async (client) => {
        await client.query('begin; lock table pets in access share mode');
        await delay(60_000, undefined, { signal });
      });
      holdLock.catch(() => {});
      migrated = repeat('the next version does not migrate', () => migrate(databaseUrl));
      migrated.catch(() => {});
    },
    async end() {
      dump.abort();
      await migrated;
      server.signal('SIGTERM');
      await repeat('a server does not end', async () => {
        const response = await server.readiness().catch(() => undefined);
        if (response?.ok) throw new Error(response.text);
      });
      await server.ready();
      await repeat('the migration is not reverted', async () => {
        const [, last = ''] = (await runCommand(databaseUrl, 'migrate', 'status')).split('\n').reverse();
        await runCommand(databaseUrl, 'migrate', 'down', '--to', last.split(' ', 1)[0] as string, '--force');
      });
    },
  };
}
