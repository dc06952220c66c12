import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { run } from '@repo/testkit/commands';
import { withClient } from '@repo/testkit/postgres';
import {
  createSystemPostgres,
  hasSystemPostgres,
  type RunningPostgres,
  type SystemPostgres,
} from '@repo/testkit/system-postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrateUp, withDatabase } from '../support/runtime.ts';
import { startServer } from '../support/server.ts';

/** Runs the commands of the README with the system's Postgres: that of npm has no pg_dump. */

const available = hasSystemPostgres('backup and restore');
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const [, chapter = ''] = /## Backup and restore\n(.*?)\n## /s.exec(readme) ?? [];
const [dump = '', base = '', recover = ''] = Array.from(chapter.matchAll(/```sh\n(.*?)```/gs), ([, text]) => text);
const [, configuration = ''] = /```ini\n(.*?)```/s.exec(chapter) ?? [];

let folder: string;
let system: SystemPostgres;
let postgres: RunningPostgres;

beforeAll(async () => {
  if (!available) return;
  folder = mkdtempSync(path.join(tmpdir(), 'petstore-backup-'));
  system = await createSystemPostgres(folder);
  await system.sh('mkdir archive && printf %s "$LINES" >> data/postgresql.conf', {
    LINES: configuration.replaceAll('/archive', `${folder}/archive`),
  });
  postgres = await system.start('data');
});

afterAll(async () => {
  await postgres?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

const urlOf = ({ url }: { url: string }, database: string) => Object.assign(new URL(url), { pathname: database }).href;
const query = async (url: string, sql: string) => (await withClient(url, (client) => client.query(sql))).rows;

async function command(url: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args, { DATABASE_URL: url });
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

/** Lets a service lose its last changes. @param restore - takes a backup, calls `lose`, and restores the moment that this returns */
async function drill(database: string, restore: (url: string, lose: () => Promise<Date>) => Promise<string>) {
  await query(postgres.url, `create database ${database}`);
  const url = urlOf(postgres, database);
  await withDatabase(url, migrateUp);
  const before = await startServer({ databaseUrl: url });
  const animal = await before.petstore.createPet({ name: 'Biscuit 🐕', categoryId: 7, status: 'sold' });
  const [kept, revoked] = [await before.createKey(), await before.createKey()];
  const log = path.join(folder, `${database}.log`);
  let lost = { id: 0 };
  let since = new Date(0);
  const creation = { name: 'Rex', categoryId: 1 };
  const restored = await restore(url, async () => {
    await delay(10);
    since = (await query(url, 'select now()'))[0].now;
    await delay(10);
    const printed = [await command(url, 'keys', 'revoke', String(revoked.id), '--by', 'ann')];
    printed.push(await command(url, 'keys', 'create', '--name', 'New', '--plan', 'free', '--json'));
    writeFileSync(log, printed.join(''));
    lost = await before.petstore.createPet(creation, { idempotencyKey: 'once' });
    return since;
  });
  await before.close();

  const [, { id: gone, key }] = readFileSync(log, 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line || '{}'));
  const output = await command(restored, 'after-restore', '--since', since.toJSON(), '--log', log);
  expect(output).toMatch(/^pets_id_seq +\d+ +\d+$/m);
  expect(output).toMatch(new RegExp(`revoke +${revoked.id} +ann .* keys revoke ${revoked.id}$`, 'm'));
  expect(output).toMatch(new RegExp(`create +${gone} .* gone: issue another key$`, 'm'));
  const keys = await command(restored, 'after-restore', '--since', since.toJSON(), '--skip-ids', '1');
  expect(keys).toMatch(new RegExp(`^${revoked.id} +test `, 'm'));
  expect(keys).not.toMatch(new RegExp(`^${gone} +`, 'm'));

  const after = await startServer({ databaseUrl: restored });
  const list = async (apiKey: string) =>
    (await after.anonymous('/v1/pets', { headers: { Authorization: `Bearer ${apiKey}` } })).json();
  for (const { key: valid } of [kept, revoked]) expect(await list(valid)).toEqual([animal]);
  expect(await list(key)).toMatchObject({ code: 'api_key_invalid' });
  // Without `after-restore`, the new animal would get the id of the lost one.
  const again = await after.anonymous('/v1/pets', {
    method: 'POST',
    body: JSON.stringify(creation),
    headers: {
      Authorization: `Bearer ${before.apiKey}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': 'once',
    },
  });
  expect(again.status).toBe(201);
  expect(((await again.json()) as { id: number }).id).toBeGreaterThan(lost.id + 9_000);
  expect((await after.createKey()).id).toBeGreaterThan(gone + 9_000);
  await after.close();
}

describe.skipIf(!available)('what is lost with a restore is listed, and ids are not given again', () => {
  test('from a dump', () =>
    drill('dumped', async (url, lose) => {
      await query(postgres.url, 'create database restored');
      const variables = { DATABASE_URL: url, RESTORE_URL: urlOf(postgres, 'restored') };
      const [first = '', second = ''] = dump.trim().split('\n');
      await system.sh(first, variables);
      await lose();
      await system.sh(second, variables);
      return variables.RESTORE_URL;
    }));

  test('at a moment between base backup and loss', async () => {
    let restored: RunningPostgres | undefined;
    await drill('archived', async (url, lose) => {
      await system.sh(base, { DATABASE_URL: urlOf(postgres, 'postgres') });
      const since = await lose();
      const [{ wal }] = await query(url, 'select pg_walfile_name(pg_switch_wal()) as wal');
      await expect
        .poll(() => query(url, `select last_archived_wal >= '${wal}' as done from pg_stat_archiver`))
        .toEqual([{ done: true }]);
      await system.sh(recover, { ARCHIVE: path.join(folder, 'archive'), SINCE: since.toJSON().replace('Z', '+00:00') });
      restored = await system.start('restored');
      const restoredUrl = urlOf(restored, 'archived');
      await expect.poll(() => query(restoredUrl, 'select pg_is_in_recovery() as busy')).toEqual([{ busy: false }]);
      return restoredUrl;
    });
    await restored?.stop();
  });
});
