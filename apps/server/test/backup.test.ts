import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withClient } from '@repo/testkit/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertPet } from './support/animals.ts';
import { insertApiKey, migrateUp, openDatabase, selectApiKeys, withDatabase } from './support/runtime.ts';
import { startServer } from './support/server.ts';

/** Runs the commands of the README with Debian's Postgres: that of npm has no pg_dump. */

const versions = '/usr/lib/postgresql';
const [newest] = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a)) : [];
const binaries = path.join(versions, newest ?? '', 'bin');
const available = ['initdb', 'pg_ctl', 'pg_dump', 'pg_restore'].every((name) => existsSync(path.join(binaries, name)));
const root = process.getuid?.() === 0;

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const [, commands = ''] = /## Backup and restore.*?```sh\n(.*?)```/s.exec(readme) ?? [];

let folder: string;
const url = (database: string) => `postgres://postgres@localhost/${database}?host=${encodeURIComponent(folder)}`;

/** Runs a program of Postgres, as another user than root, which Postgres refuses. */
function postgres(program: string, ...args: string[]): void {
  const [command, first] = root ? ['setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups']] : ['env', []];
  execFileSync(command, [...first, path.join(binaries, program), ...args], { stdio: 'pipe', cwd: folder });
}

beforeAll(() => {
  if (!available) return;
  folder = mkdtempSync(path.join(tmpdir(), 'petstore-backup-'));
  if (root) execFileSync('chown', ['65534', folder]);
  postgres('initdb', '--pgdata=data', '--username=postgres', '--auth=trust', '--no-sync');
  postgres('pg_ctl', 'start', '--wait', '--pgdata=data', '--log=log', `--options=-k ${folder} -c listen_addresses=`);
});

afterAll(() => {
  if (!available) return;
  postgres('pg_ctl', 'stop', '--pgdata=data', '--mode=immediate');
  rmSync(folder, { recursive: true });
});

describe.skipIf(!available)(`with ${versions} (install Debian's postgresql)`, () => {
  test('a dump restored by the README serves again, with keys and counts', async () => {
    const create = (name: string) => withClient(url('postgres'), (client) => client.query(`create database ${name}`));
    await create('petstore');
    await withDatabase(url('petstore'), migrateUp);
    const db = openDatabase(url('petstore'), { size: 1 });
    const animal = await insertPet(db, { name: 'Biscuit 🐕', categoryId: 7, status: 'sold' });
    const { key } = await insertApiKey(db, { name: 'Ada', plan: 'free' });
    const { value: keys } = await selectApiKeys(db).next();
    await db.close();

    await create('restored');
    const PATH = `${binaries}:${process.env.PATH}`;
    const environment = { ...process.env, PATH, DATABASE_URL: url('petstore'), RESTORE_URL: url('restored') };
    execFileSync('sh', ['-ec', commands], { cwd: folder, env: environment, stdio: 'pipe' });

    const server = await startServer({ databaseUrl: url('restored') });
    const response = await server.request('/v1/pets', { headers: { Authorization: `Bearer ${key}` } });
    expect(await response.json()).toEqual([animal]);
    const restored = await selectApiKeys(server.db).next();
    expect(restored.value?.[0]).toEqual(keys?.[0]);
    // No id is assigned twice.
    expect((await server.petstore.createPet({ name: 'Olive', categoryId: 2 })).id).toBe(animal.id + 1);
    await server.close();
  });
});
