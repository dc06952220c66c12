import { randomUUID } from 'node:crypto';
import { inject, onTestFinished } from 'vitest';
import type {} from './global-setup.ts';
import { withClient } from './postgres.ts';

/**
 * Creates a database. The caller drops it.
 *
 * @param server - Default: the Postgres of `global-setup`
 * @param template - name of a database to copy, without open connections. Default: an empty one
 */
export async function createDatabase(
  server = inject('postgresUrl'),
  template = 'template1',
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // Postgres copies the files in half the processor time that it needs to copy and log their pages.
  const create = `create database ${name} template ${template} strategy file_copy`;
  await withClient(server, (client) => client.query(create));
  const url = new URL(server);
  url.pathname = name;
  const drop = async () => {
    await withClient(server, (client) => client.query(`drop database if exists ${name} with (force)`));
  };
  return { url: url.href, drop };
}

/** Like {@link createDatabase}, dropped when the running test ends. */
export async function temporaryDatabase(): Promise<string> {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  return url;
}
