import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Finished, run } from '@repo/testkit/commands';
import { withClient } from '@repo/testkit/postgres';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase, temporaryDatabase } from './support/database.ts';
import { migrateDown, migrations, withDatabase } from './support/runtime.ts';

const nowhere = { DATABASE_URL: 'postgres://ada:hunter2@127.0.0.1:1/bookstore' };

/** Asserts that a command fails with one line on stderr, without the password. */
function expectFailure({ code, stdout, stderr }: Finished, message: RegExp): void {
  expect(stderr).toMatch(/^bookstore-server: [^\n]+\n$/);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('hunter2');
  expect([code, stdout]).toEqual([1, '']);
}

test.each([
  [[], ['serve', 'migrate', 'keys']],
  [
    ['migrate', '--help'],
    ['up', 'down', 'status'],
  ],
  [
    ['keys', 'create', '-h'],
    ['--name', '--plan', 'free', '--per-minute', '--per-day', '--json'],
  ],
])('%j shows the usage', async (args, parts) => {
  const { code, stdout, stderr } = await run(args, { PORT: 'not even read' });
  expect(stdout).toMatch(/^Usage: bookstore-server /);
  for (const part of parts) expect(stdout).toContain(part);
  expect([code, stderr]).toEqual([0, '']);
});

test.each([
  [['start'], /unknown command 'start'/],
  [['serve', 'now'], /too many arguments for 'serve'.*: now/],
  [['serve', '--port', '80'], /unknown option '--port'/],
  [['migrate', 'sideways'], /too many arguments.*: sideways/],
  [['migrate', '--force'], /unknown option '--force'/],
  [['migrate', 'down', '--force', 'now'], /too many arguments for 'down'.*: now/],
  [['keys'], /expected a command; try --help/],
  [['keys', 'create', '--name', 'Ada', '--plan', 'go\nld'], /--plan.* is invalid/],
  [['keys', 'create', '--name', 'Ada', '--plan', 'enterprise'], /requires --per-minute/],
])('%j is refused before the database is asked', async (args, message) =>
  expectFailure(await run(args, nowhere), message),
);

test.each(['serve', 'migrate'])('%s reports all errors of its environment', async (command) => {
  const environment = { PORT: 'x', LOG_LEVEL: 'x', DATABASE_URL: 'mysql://ada:hunter2@localhost/bookstore' };
  expectFailure(await run([command], environment), /PORT must be .*DATABASE_URL must be .*LOG_LEVEL must be/);
});

test('a wrong password is reported, not repeated', async ({ skip }) => {
  const DATABASE_URL = Object.assign(new URL(await temporaryDatabase({ migrated: false })), {
    password: 'hunter2',
  }).href;
  const asked = await withClient(DATABASE_URL, async () => false).catch(() => true);
  skip(!asked, 'the Postgres of TEST_DATABASE_URL lets everybody in without a password');
  expectFailure(await run(['migrate'], { DATABASE_URL }), /Database: password authentication failed/);
});

test.each([['serve'], ['migrate'], ['keys', 'list']])('%s without DATABASE_URL names what sets it', async (...args) =>
  expectFailure(
    await run(args),
    /^bookstore-server: Configuration: DATABASE_URL must be .*`npm start` starts a Postgres/,
  ),
);

test('migrate without its database says why, and so does serve', async () => {
  const existing = new URL(await temporaryDatabase({ migrated: false }));
  const changed = (change: Partial<URL>) => Object.assign(new URL(existing), change).href;
  const cases: [string, RegExp][] = [
    [nowhere.DATABASE_URL, /Database: .*ECONNREFUSED 127\.0\.0\.1:1/],
    [changed({ pathname: 'nothing_here' }), /Database: .*"nothing_here" does not exist/],
    // A server without password authentication checks only the name.
    [changed({ username: 'nobody_here', password: 'hunter2' }), /Database: .*nobody_here/],
    [changed({ username: '%zz', password: 'hunter2' }), /./],
    ['postgres://ada:hunter2@nowhere.invalid/bookstore', /Database: .*nowhere\.invalid/],
  ];
  const fail = async (command: string, DATABASE_URL: string, message: RegExp) =>
    expectFailure(await run([command], { DATABASE_URL }), message);
  const outcomes = cases.map(([url, message]) => fail('migrate', url, message));
  await Promise.all([...outcomes, fail('serve', nowhere.DATABASE_URL, /ECONNREFUSED/)]);
});

test('concurrent migrations of an empty database run once', async () => {
  const DATABASE_URL = await temporaryDatabase({ migrated: false });
  const all = await Promise.all(['one', 'two', 'three'].map(() => run(['migrate'], { DATABASE_URL })));
  expect(all.map(({ code, stderr }) => [code, stderr])).toEqual(Array(3).fill([0, '']));
  const upToDate = 'The database is up to date.\n';
  expect(all.map(({ stdout }) => stdout).sort()).toEqual(
    [`Migrated: ${Object.keys(migrations).join(', ')}\n`, upToDate, upToDate].sort(),
  );
  expect((await run(['migrate'], { DATABASE_URL })).stdout).toBe(upToDate);
});

test('migrate prints the state of a database and reverts the last migration', async () => {
  const DATABASE_URL = await temporaryDatabase();
  const [last = ''] = Object.keys(migrations).reverse();
  const status = async () => (await run(['migrate', 'status'], { DATABASE_URL })).stdout;
  expect(await status()).not.toContain('not yet');
  expect((await run(['migrate', 'down'], { DATABASE_URL })).stdout).toBe(`Reverted: ${last}\n`);
  expect(await status()).toContain(`${last}  not yet`);
  expect((await run(['migrate', 'up'], { DATABASE_URL })).stdout).toBe(`Migrated: ${last}\n`);
});

test('migrate down deletes rows only with --force, and prints their number', async () => {
  const DATABASE_URL = await temporaryDatabase();
  const migrated = async () => (await run(['migrate', 'status'], { DATABASE_URL })).stdout;
  await withClient(DATABASE_URL, (client) =>
    client.query(`insert into books (title, store_id) values ('Ubik', 7), ('Emma', 2)`),
  );
  for (const _ of Object.keys(migrations).slice(1)) await withDatabase(DATABASE_URL, (db) => migrateDown(db, true));
  const before = await migrated();
  expectFailure(await run(['migrate', 'down'], { DATABASE_URL }), /Reverting 001-books deletes 2 rows; .*--force/);
  expect(await migrated()).toBe(before);
  await withClient(DATABASE_URL, async (client) => expect((await client.query('select from books')).rowCount).toBe(2));
  expect((await run(['migrate', 'down', '--force'], { DATABASE_URL })).stdout).toBe('Reverted: 001-books\n');
  expect((await run(['migrate', 'down'], { DATABASE_URL })).stdout).toBe('There is nothing to revert.\n');
});

test('serve refuses a database that is not in UTF8', async () => {
  const server = new URL(await temporaryDatabase({ migrated: false }));
  const name = `latin1_${randomUUID().replaceAll('-', '')}`;
  await withClient(server.href, (client) =>
    client.query(`create database ${name} encoding 'LATIN1' locale 'C' template template0`),
  );
  onTestFinished(async () => void (await withClient(server.href, (client) => client.query(`drop database ${name}`))));
  const DATABASE_URL = Object.assign(new URL(server), { pathname: name }).href;
  expectFailure(await run(['serve'], { DATABASE_URL }), /encoding LATIN1; it must be UTF8/);
});

test.each(['serve', 'migrate'])('%s refuses a database that is newer', async (command) => {
  const DATABASE_URL = await temporaryDatabase();
  await withClient(DATABASE_URL, (client) =>
    client.query(`insert into kysely_migration values ('999-later', now()::text)`),
  );
  expectFailure(await run([command], { DATABASE_URL }), /newer than this server.*999-later/);
});

test('an older Node.js than in package.json is refused at start', async () => {
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const [, major = 0, minor = 0] = /^>=(\d+)\.(\d+)$/.exec(engines.node)?.map(Number) ?? [];
  const on = (node: string) => {
    const versions = `{ versions: { value: { ...process.versions, node: '${node}' } } }`;
    const script = `Object.defineProperties(process, ${versions})`;
    return { ...nowhere, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
  };
  const later = new RegExp(`Node\\.js ${major}\\.${minor} or later`);
  expectFailure(await run(['serve'], on(`${major}.${minor - 1}.9`)), later);
  expectFailure(await run(['keys', 'list'], on('9.20.2')), later);
  expectFailure(await run(['migrate'], on(`${major}.${minor}.0`)), /ECONNREFUSED/);
});

test('a failed migration leaves the database unchanged', async () => {
  const { url, drop } = await createDatabase({ migrated: false });
  const last = Object.keys(migrations).at(-1);
  await withClient(url, (client) => client.query('create table api_keys (id integer)'));
  expectFailure(await run(['migrate'], { DATABASE_URL: url }), /api_keys.* already exists/);
  await withClient(url, async (client) => {
    const { rows } = await client.query(`select tablename from pg_tables where tablename = 'books'`);
    expect(rows).toEqual([]);
    await client.query('drop table api_keys');
  });
  expect((await run(['migrate'], { DATABASE_URL: url })).stdout).toContain(last);
  await drop();
});
