import { randomUUID } from 'node:crypto';
import { failureOf, run } from '@petstore-platform/testkit/commands';
import { withClient } from '@petstore-platform/testkit/postgres';
import type { Finished } from '@petstore-platform/testkit/server';
import { expect, onTestFinished, test } from 'vitest';
import { runHere } from '../support/commands.ts';
import { endSessions, rowsOf, temporaryDatabase } from '../support/database.ts';
import { serverProcess } from '../support/process.ts';
import { migrations } from '../support/runtime.ts';

const nowhere = { DATABASE_URL: 'postgres://ada:hunter2@127.0.0.1:1/bookstore', DATABASE_WAIT: '0' };

/** `serve` is a process. */
const runAny = (args: string[], environment?: Record<string, string>) =>
  (args[0] === 'serve' ? run : runHere)(args, environment);

/** Asserts that a command fails with one line on stderr or, as `serve` does, in the log; without the password. */
function expectFailure({ code, stdout, stderr }: Finished, message: RegExp): void {
  if (stderr) expect([stderr, stdout]).toEqual([expect.stringMatching(/^bookstore-server: [^\n]+\n$/), '']);
  else expect(stdout).toMatch(/^(\{[^\n]+\}\n)*\{"level":"fatal",[^\n]+\}\n$/);
  expect(failureOf({ code, stdout, stderr })).toMatch(message);
  expect(stdout + stderr).not.toContain('hunter2');
  expect(code).toBe(1);
}

test.each([
  ['', ['serve', 'migrate', 'keys', 'jobs']],
  ['jobs --help', ['list', 'run']],
  ['migrate --help', ['up', 'down', 'status']],
  ['keys create -h', ['--name', '--plan', 'free', '--per-minute', '--per-day', '--json']],
])('%j shows the usage', async (line, parts) => {
  const { code, stdout, stderr } = await (line ? runHere : run)(line.split(' ').filter(Boolean), {
    PORT: 'not even read',
  });
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
  [['migrate', 'down'], /requires either --to or --steps/],
  [['migrate', 'down', '--force', 'now'], /too many arguments for 'down'.*: now/],
  [['keys'], /expected a command; try --help/],
])('%j is refused before the database is asked', async (args, message) =>
  expectFailure(await runAny(args, nowhere), message),
);

/** Prints the modules that the process has loaded. */
const HOOK = `import { registerHooks } from 'node:module';
  const urls = [];
  registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
  process.on('exit', () => console.log(urls.join('\\n')));`;

test('a server loads none of the other commands', async () => {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(HOOK)}`;
  const loaded = async (...args: string[]) => (await run(args, { ...nowhere, NODE_OPTIONS })).stdout;
  const others = /\/commander\/|service\/src\/commands\/(?!commands|report)/;
  expect(await loaded('serve')).not.toMatch(others);
  expect(await loaded('jobs', 'list')).toMatch(others);
});

test('a job runs on demand', async () => {
  const DATABASE_URL = await temporaryDatabase();
  expect((await runHere(['jobs', 'list'], {})).stdout).toMatch(/^name +seconds\nhousekeeping +3600\n/);
  const { stdout } = await runHere(['jobs', 'run', 'housekeeping'], { DATABASE_URL });
  expect(stdout).toBe('housekeeping has run.\n');
  const failed = await runHere(['jobs', 'run', 'toString'], { DATABASE_URL });
  expectFailure(failed, /There is no job toString; there are housekeeping$/m);
  await withClient(DATABASE_URL, async (client) => {
    await client.query(`select pg_advisory_lock(hashtextextended('job housekeeping', 0))`);
    const { stdout: left } = await runHere(['jobs', 'run', 'housekeeping'], { DATABASE_URL });
    expect(left).toBe('A server runs housekeeping now.\n');
  });
});

test('--version names version, commit and Node.js', async () => {
  const { stdout } = await run(['--version'], { COMMIT: '0123abc' });
  expect(stdout).toBe(`bookstore-server 0.0.0 (0123abc), Node.js ${process.versions.node}\n`);
});

test.each([['serve'], ['migrate'], ['keys', 'list']])('%s without DATABASE_URL names what sets it', async (...args) =>
  expectFailure(
    await runAny(args),
    /^(bookstore-server: )?Configuration: DATABASE_URL must be .*`npm start` starts a Postgres/,
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
    [changed({ search: '?sslmode=require' }), /Database: .*SSL/],
    ['postgres://ada:hunter2@nowhere.invalid/bookstore', /Database: .*nowhere\.invalid/],
  ];
  const fail = async (command: string, DATABASE_URL: string, message: RegExp) =>
    expectFailure(await runAny([command], { DATABASE_URL, DATABASE_WAIT: '0', LOG_LEVEL: 'error' }), message);
  const outcomes = cases.map(([url, message]) => fail('migrate', url, message));
  await Promise.all([...outcomes, fail('serve', nowhere.DATABASE_URL, /ECONNREFUSED/)]);
});

test('migrate prints the state of a database and reverts the latest migrations', async () => {
  const DATABASE_URL = await temporaryDatabase();
  const [last = '', previous = '', kept = ''] = Object.keys(migrations).reverse();
  const status = async () => (await runHere(['migrate', 'status'], { DATABASE_URL })).stdout;
  const down = async (...options: string[]) => {
    // It would count the sessions of earlier commands as those of servers.
    await endSessions(DATABASE_URL);
    return runHere(['migrate', 'down', ...options], { DATABASE_URL });
  };
  expect(await status()).not.toContain('not yet');
  expect(await down('--steps', '2')).toMatchObject({ code: 1, stdout: `Reverts: ${last}, ${previous}\n` });
  expect(await status()).not.toContain('not yet');
  expect((await down('--to', kept, '--force')).stdout).toBe(`Reverts: ${last}, ${previous}\nReverted.\n`);
  expect((await down('--to', kept)).stdout).toBe('There is nothing to revert.\n');
  expect(await status()).toContain(`${last}  not yet`);
  expect((await runHere(['migrate', 'up'], { DATABASE_URL })).stdout).toBe(`Migrated: ${previous}, ${last}\n`);
});

test('migrate down requires --force, and names the sessions of servers', async () => {
  const { databaseUrl: DATABASE_URL } = await serverProcess();
  const [last] = Object.keys(migrations).reverse();
  const { code, stdout, stderr } = await runHere(['migrate', 'down', '--steps', '1'], { DATABASE_URL });
  expect(stdout).toMatch(new RegExp(`^Reverts: ${last}\nConnected: [1-9]\\d* sessions of servers\n$`));
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^bookstore-server: Nothing is reverted: .* add --force\n$/),
  ]);
});

test('serve refuses a database that is not in UTF8', async () => {
  const server = new URL(await temporaryDatabase({ migrated: false }));
  const name = `latin1_${randomUUID().replaceAll('-', '')}`;
  await rowsOf(server.href, `create database ${name} encoding 'LATIN1' locale 'C' template template0`);
  onTestFinished(async () => void (await rowsOf(server.href, `drop database ${name}`)));
  const DATABASE_URL = Object.assign(new URL(server), { pathname: name }).href;
  expectFailure(await run(['serve'], { DATABASE_URL }), /encoding LATIN1; it must be UTF8/);
});

test('serve requires a migrated database, and changes no other one', async () => {
  const DATABASE_URL = await temporaryDatabase({ migrated: false });
  await rowsOf(DATABASE_URL, 'create table orders ()');
  const [first] = Object.keys(migrations);
  const lacks = new RegExp(`lacks migration ${first}: run bookstore-server migrate$`, 'm');
  expectFailure(await run(['serve'], { DATABASE_URL }), lacks);
  expectFailure(await run(['serve', '--migrate'], { DATABASE_URL }), /tables of something else \(orders\)/);
  expect(await rowsOf(DATABASE_URL, `select from pg_tables where schemaname = 'public'`)).toHaveLength(1);
});

test('after a rollback, the previous version starts beside newer migrations', async () => {
  const { stop, ...newer } = await serverProcess();
  const DATABASE_URL = newer.databaseUrl;
  const note = (name: string) => rowsOf(DATABASE_URL, 'insert into kysely_migration values ($1, now()::text)', [name]);
  await note('999-later');
  expect((await runHere(['migrate'], { DATABASE_URL })).stdout).toBe('The database is up to date.\n');
  expect((await runHere(['migrate', 'status'], { DATABASE_URL })).stdout).toMatch(
    /^999-later {2}\S+ {2}of a newer version$/m,
  );
  const previous = await serverProcess({ DATABASE_URL });
  expect(await previous.bookstore.listBooks()).toEqual([]);
  expect((await previous.stop()).stdout).toContain('"newer":["999-later"]');
  expectFailure(
    await runHere(['migrate', 'down', '--steps', '1'], { DATABASE_URL }),
    /999-later is of a newer version/,
  );
  await note('999-last-breaking');
  for (const command of ['serve', 'migrate', 'keys list'])
    expectFailure(await runAny(command.split(' '), { DATABASE_URL }), /cannot serve after migration 999-last-breaking/);
});
