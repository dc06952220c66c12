import { spawnSync } from 'node:child_process';
import { start } from '@petstore-platform/testkit/commands';
import { createClient } from '@repo/bookstore';
import { plans } from '@repo/bookstore/generated/plans';
import { describe, expect, inject, test } from 'vitest';
import { expectFailure, expectRefused, outputOf, runHere } from '../support/commands.ts';
import { checkedFetch } from '../support/contract.ts';
import { rowsOf, temporaryDatabase } from '../support/database.ts';
import { hashKey, isWellFormed } from '../support/runtime.ts';
import { sharedServer } from '../support/server.ts';

/** The commands, with a server on the same database. */
const server = sharedServer();
const keys = (...args: string[]) => runHere(['keys', ...args], { DATABASE_URL: server.databaseUrl });
const clientOf = (apiKey: string) => createClient({ apiKey, baseUrl: `${server.origin}/v1`, fetch: checkedFetch });

describe('keys create', () => {
  test('issues a key of every plan that works at once; with --json, stdout is one object', async () => {
    const create = (plan: string, ...args: string[]) =>
      outputOf(keys('create', '--name', `Ada's ${plan}`, '--plan', plan, '--json', ...args));
    const outputs = await Promise.all(
      Object.keys(plans).map((plan) =>
        create(plan, ...(plan === 'enterprise' ? ['--per-minute', '7', '--per-day', '9'] : [])),
      ),
    );
    const limits: Record<string, number> = { free: 60, pro: 300, business: 1_000, enterprise: 7 };
    for (const output of outputs) {
      const { id, key, plan, changes: _, ...rest } = JSON.parse(output);
      expect(rest).toEqual({ name: `Ada's ${plan}`, ...(plan === 'enterprise' && { perMinute: 7, perDay: 9 }) });
      expect([Number.isSafeInteger(id), isWellFormed(key)]).toEqual([true, true]);
      const headers = { Authorization: `Bearer ${key}` };
      const response = await server.anonymous('/v1/books', { headers });
      expect([response.status, response.headers.get('X-RateLimit-Limit')]).toEqual([200, String(limits[plan])]);
    }
  });

  test('prints the key once and stores only its hash', async () => {
    const output = await outputOf(keys('create', '--plan', 'free', '--name', 'Ada Lovelace'));
    const [key = ''] = /bookstore_\S+/.exec(output) ?? [];
    expect(output).toContain('Ada Lovelace');
    expect(output.split(key)).toHaveLength(2);
    expect(await clientOf(key).listBooks()).toEqual([]);

    const table = await outputOf(keys('list'));
    const json = await outputOf(keys('list', '--json'));
    const rows = JSON.stringify(await rowsOf(server.db, 'select t::text as row from api_keys t'));
    for (const text of [table, json, rows]) {
      expect(text).toContain('Ada Lovelace');
      expect(text).not.toContain(key.slice(10, 30));
    }
    expect(rows).toContain(hashKey(key).toString('hex'));
  });

  const name = ['--name', 'Ada'];
  test.each<[string[], RegExp]>([
    [['--plan', 'free'], /--name/],
    [['--plan', 'free', '--name', ' '], /--name/],
    [['--plan', 'free', '--name', 'A\nB'], /--name.* must be one line/s],
    [name, /required option '--plan <plan>'/],
    [[...name, '--plan', 'gold'], /--plan.* Allowed choices are free, pro, business, enterprise/],
    [[...name, '--plan', 'toString'], /--plan.* is invalid/],
    [[...name, '--plan', 'enterprise'], /requires --per-minute/],
    [[...name, '--plan', 'enterprise', '--per-day', '5'], /requires --per-minute/],
    [[...name, '--plan', 'enterprise', '--per-day', '5', '--per-minute', '0'], /--per-minute.* must be a whole number/],
    [[...name, '--plan', 'enterprise', '--per-day', '1e3', '--per-minute', '5'], /--per-day.* must be a whole number/],
    [[...name, '--plan', 'free', '--per-minute', '5'], /refuses --per-minute/],
    [[...name, '--plan', 'business', '--per-day', '5'], /refuses .*--per-day/],
    [[...name, '--plan', 'free', '--owner', 'A\nB'], /--owner.* must be one line/s],
    [[...name, '--plan', 'free', '--expires', '2027-02-30'], /--expires.* must be never, a date/],
    [[...name, '--plan', 'free', '--expires', '2027-01-01T12:00'], /--expires.* must be never, a date/],
  ])('%j is refused', (args, message) => expectRefused(['create', ...args], message));

  test('takes a name of at most 100 visible characters', async () => {
    const refused = ['\0', '\u009b', '\u202e', '\u2066', '\u2028', '\u200b', '\ufeff', '\u{e0041}', '\ud800'];
    for (const text of [...refused.map((character) => `A${character}B`), '📚'.repeat(101)])
      await expectRefused(['create', '--plan', 'free', '--name', text], /one line of at most 100 printable characters/);
    const books = '📚'.repeat(100);
    const output = await outputOf(keys('create', '--plan', 'free', '--json', '--name', books));
    expect(JSON.parse(output).name).toBe(books);
  });
});

describe('keys list', () => {
  test('shows a plan that this version does not know, and escapes what a terminal would obey', async () => {
    const DATABASE_URL = await temporaryDatabase();
    const names = ['\u001b[2J\u009b2J\nroot', '\u202eevil\u2066', 'a\u2028b\u2029c\u200b', '\u{e0041}'];
    await rowsOf(
      DATABASE_URL,
      `insert into api_keys (name, plan, per_minute, key_hash)
        select name, 'plat\u0007inum', 5, sha256(name::bytea) from unnest($1::text[]) as name`,
      [names],
    );
    await rowsOf(DATABASE_URL, `update api_keys set revoked_at = 'infinity' where id = 2`);
    const json = await outputOf(runHere(['keys', 'list', '--json'], { DATABASE_URL }));
    const unknown = { plan: 'plat\u0007inum', perMinute: null, perDay: null };
    expect(JSON.parse(json)).toMatchObject(names.map((name) => ({ name, ...unknown })));
    expect(JSON.parse(json)[1].revokedAt).toBe('Infinity');
    const table = await outputOf(runHere(['keys', 'list'], { DATABASE_URL }));
    for (const text of [json, table]) expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(table.trimEnd().split('\n')).toHaveLength(1 + names.length);
    expect(table).toMatch(/^1 +\\u001b\[2J\\u009b2J\\u000aroot +- +plat\\u0007inum +- +- /m);
  });

  test('of a new database says that there are none', async () => {
    const DATABASE_URL = await temporaryDatabase();
    const [table, json] = [
      runHere(['keys', 'list'], { DATABASE_URL }),
      runHere(['keys', 'list', '--json'], { DATABASE_URL }),
    ];
    expect(await outputOf(table)).toMatch(/no keys/);
    expect(JSON.parse(await outputOf(json))).toEqual([]);
  });
});

describe('keys revoke', () => {
  test.each(['', 'abc', '-1', '1.5', '1;drop table api_keys', '9'.repeat(20)])('%j is refused', (id) =>
    expectRefused(['revoke', ...(id ? [id] : [])], /'id'|unknown option/),
  );

  test('of an unknown key is refused', () => expectFailure(keys('revoke', '999999'), /There is no key 999999/));
});

test('keys need a migrated database, and do not migrate it', async () => {
  const DATABASE_URL = await temporaryDatabase({ migrated: false });
  for (const args of [['create', '--name', 'Ada', '--plan', 'free'], ['list'], ['revoke', '1']])
    await expectFailure(runHere(['keys', ...args], { DATABASE_URL }), /lacks migration 001-books: run .* migrate/);
  expect(await rowsOf(DATABASE_URL, `select from pg_tables where schemaname = 'public'`)).toEqual([]);
});

test.each([
  ['create', ['--name', 'Ada', '--plan', 'free']],
  ['rotate', ['1']],
])('keys %s leaves no key that cannot be shown', async (command, args) => {
  const DATABASE_URL = await temporaryDatabase();
  await outputOf(runHere(['keys', 'create', '--name', 'Ada', '--plan', 'free'], { DATABASE_URL }));
  const rows = () => rowsOf(DATABASE_URL, 'select * from api_keys, api_key_changes');
  const before = await rows();
  const { child, finished } = start(['keys', command, ...args], { DATABASE_URL });
  child.stdout?.destroy();
  expect(await finished).toMatchObject({ code: 1, stderr: expect.stringMatching(/The key is not issued/) });
  const { script, options = [] } = inject('program');
  const closed = spawnSync(
    'sh',
    ['-c', 'exec "$@" >&-', 'sh', process.execPath, ...options, script, 'keys', command, ...args],
    { env: { DATABASE_URL }, encoding: 'utf8' },
  );
  expect([closed.status, closed.stderr]).toEqual([1, expect.stringMatching(/The key is not issued/)]);
  expect(await rows()).toEqual(before);
});

test('a change whose line cannot be written is made, and says so', async () => {
  const DATABASE_URL = await temporaryDatabase();
  await outputOf(runHere(['keys', 'create', '--name', 'Ada', '--plan', 'free'], { DATABASE_URL }));
  const { child, finished } = start(['keys', 'revoke', '1'], { DATABASE_URL });
  child.stdout?.destroy();
  expect(await finished).toMatchObject({ code: 1, stderr: expect.stringMatching(/It is done, but .* EPIPE/) });
  expect(await outputOf(runHere(['keys', 'log', '1'], { DATABASE_URL }))).toMatch(/ revoke +1 /);
});
