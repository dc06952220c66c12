import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@petstore/client';
import { run, startServe } from '@repo/testkit/commands';
import { withClient } from '@repo/testkit/postgres';
import { createSystemPostgres, hasSystemPostgres } from '@repo/testkit/system-postgres';
import { expect, onTestFinished, test } from 'vitest';

/** Runs deploy/roles.sql by psql on the system's Postgres: npm's has no psql. */
const roles = readFileSync(new URL('../../../deploy/roles.sql', import.meta.url), 'utf8');
const available = hasSystemPostgres('the roles of deploy/roles.sql');

test.runIf(available)('each role can do what it is for, and no more', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-roles-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const system = await createSystemPostgres(folder);
  const postgres = await system.start('data');
  onTestFinished(() => postgres.stop());
  await withClient(postgres.url, (client) => client.query('create database petstore'));
  const urlOf = (username: string) =>
    Object.assign(new URL(postgres.url), { username, password: 'any', pathname: 'petstore' }).href;
  const grant = () =>
    system.sh('printf %s "$ROLES" | psql --variable service=petstore --file - "$ADMIN_URL"', {
      ROLES: roles,
      ADMIN_URL: urlOf('postgres'),
    });
  const command = async (role: string, ...args: string[]) => {
    const { code, stdout, stderr } = await run(args, { DATABASE_URL: urlOf(`petstore_${role}`) });
    return code === 0 ? stdout : stderr;
  };

  await grant();
  expect(await command('server', 'migrate')).toMatch(/permission denied for schema public/);
  expect(await command('owner', 'migrate')).toMatch(/^Migrated: /);
  await grant();
  await grant();

  const { key, id } = JSON.parse(await command('keys', 'keys', 'create', '--name', 'Ada', '--plan', 'free', '--json'));
  expect(await command('server', 'keys', 'create', '--name', 'Eve', '--plan', 'free')).toMatch(/permission denied/);
  const { origin, stop } = await startServe({ DATABASE_URL: urlOf('petstore_server') });
  const petstore = createClient({ apiKey: key, baseUrl: `${origin}/v1`, maxRetries: 0 });
  const animal = await petstore.createPet({ name: 'Biscuit', categoryId: 7 }, { idempotencyKey: 'once' });
  expect(await petstore.createPet({ name: 'Biscuit', categoryId: 7 }, { idempotencyKey: 'once' })).toEqual(animal);
  expect(await petstore.listPets()).toEqual([animal]);
  expect(await petstore.getPet({ petId: animal.id })).toEqual(animal);
  expect(await (await fetch(`${origin}/readyz`)).json()).toEqual({ status: 'ok' });
  for (const args of [['show'], ['update', '--owner', 'ops'], ['unban'], ['rotate'], ['revoke'], ['log']]) {
    const [name = '', ...options] = args;
    expect(await command('keys', 'keys', name, String(id), ...options)).not.toMatch(/permission denied/);
  }
  // Neither a request nor housekeeping has failed.
  expect((await stop()).stdout).not.toMatch(/"level":"(warn|error)"/);

  const dump = async (role: string) =>
    system.run('pg_dump', '--file', '/dev/null', '--dbname', urlOf(`petstore_${role}`)).then(() => 'dumped', String);
  expect(await dump('backup')).toBe('dumped');
  expect(await dump('server')).toMatch(/permission denied/);
  for (const text of ['delete from pets', 'insert into pets (name, category_id) values (null, 1)'])
    await withClient(urlOf('petstore_backup'), (client) =>
      expect(client.query(text)).rejects.toThrow(/permission denied/),
    );
  await withClient(urlOf('petstore_keys'), (client) =>
    expect(client.query('select from pets')).rejects.toThrow(/permission denied/),
  );
});
