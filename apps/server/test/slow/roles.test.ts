import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@petstore/client';
import { run, startServe } from '@petstore-platform/testkit/commands';
import { startPostgres, withClient } from '@petstore-platform/testkit/postgres';
import { createSystemPostgres, hasSystemPostgres } from '@petstore-platform/testkit/system-postgres';
import { expect, onTestFinished, test } from 'vitest';

/** Runs deploy/roles.sql by the system's psql: on npm's Postgres, which has no psql, and on the system's in the slow tests. */
const isSystem = process.env.TEST_POSTGRES === 'system';
const roles = readFileSync(new URL('../../../../deploy/roles.sql', import.meta.url), 'utf8');
const available = hasSystemPostgres('the roles of deploy/roles.sql');

const sql = (url: string, statements: string) => withClient(url, (client) => client.query(statements));

/** An empty database, and functions that use its roles. */
async function openPostgres() {
  const system = await createSystemPostgres(mkdtempSync(path.join(tmpdir(), 'petstore-roles-')));
  const postgres = await startPostgres();
  onTestFinished(() => postgres.close());
  for (const name of ['petstore', 'other']) await sql(postgres.url, `create database ${name}`);
  const urlOf = (username: string, pathname = 'petstore') =>
    Object.assign(new URL(postgres.url), { username, password: 'any', pathname }).href;
  const admin = Object.assign(new URL(postgres.url), { pathname: 'petstore' }).href;
  return {
    system,
    urlOf,
    admin,
    asAdmin: (statements: string) => sql(admin, statements),
    refused: (role: string, statement: string, database?: string) =>
      expect(sql(urlOf(`petstore_${role}`, database), statement), statement).rejects.toThrow(/permission denied/),
    grant: (url = admin) =>
      system.sh('printf %s "$ROLES" | psql --variable service=petstore --file - "$ADMIN_URL"', {
        ROLES: roles,
        ADMIN_URL: url,
      }),
    async command(role: string, ...args: string[]) {
      const { code, stdout, stderr } = await run(args, { DATABASE_URL: urlOf(`petstore_${role}`) });
      return code === 0 ? stdout : stderr;
    },
  };
}

/** A function that a role plants, and that would be preferred to Postgres' own. */
const PLANTED = `create function public.to_jsonb(api_keys) returns jsonb language plpgsql as $$ begin
  insert into api_keys (name, plan, key_hash) values ('Mallory', 'enterprise', '\\x00'); return '{}'; end $$`;

test.runIf(available)('each role can do what it is for, and no more', async () => {
  const { system, urlOf, admin, asAdmin, refused, grant, command } = await openPostgres();
  // As before Postgres 15.
  await asAdmin('grant create on schema public to public');
  await grant();
  for (const role of ['owner', 'server', 'keys', 'backup']) await asAdmin(`alter role petstore_${role} password 'any'`);
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
  await asAdmin(`update rate_limits set banned_until = 9000000000000 where subject = 'key:${id}'`);
  for (const args of [['show'], ['update', '--owner', 'ops'], ['unban'], ['rotate'], ['revoke'], ['log']]) {
    const [name = '', ...options] = args;
    expect(await command('keys', 'keys', name, String(id), ...options)).not.toMatch(/permission denied/);
  }
  // Neither a request nor housekeeping has failed.
  expect((await stop()).stdout).not.toMatch(/"level":"(warn|error)"/);
  const log = JSON.parse(await command('keys', 'keys', 'log', '--json'));
  expect(log).toMatchObject(
    ['create', 'update', 'unban', 'rotate', 'rotate', 'revoke'].map((action) => ({ action, role: 'petstore_keys' })),
  );

  const entry = `insert into api_key_changes (api_key_id, action, role, changed_by) values (${id}, 'revoke', 'owner', 'Ada')`;
  for (const statement of [
    entry,
    `update api_keys set key_hash = '\\x00'`,
    'update api_keys set id = default',
    'update api_keys set created_at = now()',
    `insert into api_keys (name, plan, key_hash, created_at) values ('x', 'free', '\\x00', now())`,
    'delete from api_keys',
    'update rate_limits set banned_until = 0',
    'select from pets',
  ])
    await refused('keys', statement);
  await refused('server', `select lift_ban(${id})`);
  for (const role of ['server', 'keys', 'backup']) await refused(role, 'create table planted ()');

  // A role that could create before plants a function, which nothing calls, and which the next run names.
  await refused('server', PLANTED);
  await asAdmin('grant create on schema public to petstore_server');
  await sql(urlOf('petstore_server'), PLANTED);
  expect(await command('keys', 'keys', 'create', '--name', 'Bob', '--plan', 'free')).toMatch(/^Key \d+ \(Bob/);
  expect(await command('keys', 'keys', 'list')).not.toContain('Mallory');
  await expect(grant()).rejects.toThrow(/to_jsonb\(api_keys\) of petstore_server/);
  await asAdmin('drop function public.to_jsonb(api_keys)');
  await grant();
  await refused('server', PLANTED);

  const other = Object.assign(new URL(admin), { pathname: 'other' }).href;
  await sql(other, 'create table secrets (); create schema private; create table private.more ()');
  for (const table of ['secrets', 'private.more']) await refused('backup', `select from ${table}`, 'other');
  for (const text of ['delete from pets', 'insert into pets (name, category_id) values (null, 1)'])
    await refused('backup', text);
  // The system's pg_dump may be older than npm's Postgres.
  if (!isSystem) return;
  const dump = async (role: string) =>
    system.run('pg_dump', '--file', '/dev/null', '--dbname', urlOf(`petstore_${role}`)).then(() => 'dumped', String);
  expect(await dump('backup')).toBe('dumped');
  expect(await dump('server')).toMatch(/permission denied/);
});

test.runIf(available)('an administrator needs no rights of a superuser, and what it lacks is said', async () => {
  const { urlOf, command, asAdmin: asSuperuser, grant: grantBy } = await openPostgres();
  await asSuperuser(`create role admin login password 'any'`);
  const grant = () => grantBy(urlOf('admin'));
  await expect(grant()).rejects.toThrow(/admin cannot set up the roles: it may not create roles/);
  await asSuperuser('alter role admin createrole');
  await expect(grant()).rejects.toThrow(/it does not own the database/);
  const { rows } = await asSuperuser(`select from pg_roles where rolname ~ '^petstore_'`);
  expect(rows).toEqual([]);
  await asSuperuser('alter database petstore owner to admin');
  await grant();
  await asSuperuser(`alter role petstore_owner password 'any'; alter role petstore_keys password 'any'`);
  expect(await command('owner', 'migrate')).toMatch(/^Migrated: /);
  await grant();
  await grant();
  expect(await command('keys', 'keys', 'create', '--name', 'Ada', '--plan', 'free')).toMatch(/^Key \d+ \(Ada/);
});
