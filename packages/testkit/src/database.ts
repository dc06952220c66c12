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
export async function createDatabase(server = inject('postgresUrl'), template = 'template1') {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // Postgres copies the files in half the processor time that it needs to copy and log their pages.
  const create = `create database ${name} template ${template} strategy file_copy`;
  await withClient(server, (client) => client.query(create));
  const { href } = Object.assign(new URL(server), { pathname: name });
  // Without `force`, Postgres waits up to five seconds for sessions, which end shortly after their pool has ended.
  const plain = `drop database if exists ${name}`;
  const drop = async () =>
    void (await withClient(server, (client) => client.query(plain).catch(() => client.query(`${plain} with (force)`))));
  return { url: href, drop };
}

/** Like {@link createDatabase}, dropped when the running test ends. */
export async function temporaryDatabase(): Promise<string> {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  return url;
}
