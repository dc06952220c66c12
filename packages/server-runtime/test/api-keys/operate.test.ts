import { run } from '@petstore-platform/testkit/commands';
import { DAY, MINUTE, TestClock } from '@repo/bookstore/testing';
import { describe, expect, test } from 'vitest';
import { expectFailure, expectRefused, outputOf, runHere } from '../support/commands.ts';
import { rowsOf } from '../support/database.ts';
import { createKey } from '../support/runtime.ts';
import { errorOf, sharedServer } from '../support/server.ts';

/** The commands with two servers on the same database and its stopped clock. */
const START = Date.UTC(2026, 10, 20, 12);
const clock = new TestClock(START);
const config = { BAN_AFTER: 1 };
const server = sharedServer(() => ({ clock, config }));
const servers = [server, sharedServer(() => ({ databaseUrl: server.databaseUrl, clock, config }))];

const role = () => new URL(server.databaseUrl).username;
const keys = (...args: string[]) => outputOf(runHere(['keys', ...args], { DATABASE_URL: server.databaseUrl }));
const find = (input: string, ...args: string[]) =>
  run(['keys', 'find', ...args], { DATABASE_URL: server.databaseUrl }, input);

/** The output of a command, and the changes of its last lines. */
async function changed(...args: string[]) {
  const output = await keys(...args);
  const lines = output.split('\n').filter((line) => line.startsWith('{'));
  return { output, changes: lines.map((line) => JSON.parse(line)) };
}

const create = async (...args: string[]): Promise<{ id: number; key: string }> =>
  JSON.parse(await keys('create', '--name', 'Ada', '--json', ...args));
const show = async (id: number) => JSON.parse(await keys('show', String(id), '--json'));

/** The status of a request to each server, with the code of a failure. */
const ask = (key: string) =>
  Promise.all(
    servers.map(async (server) => {
      const response = await server.anonymous('/v1/books', { headers: { Authorization: `Bearer ${key}` } });
      return response.ok ? response.headers.get('X-RateLimit-Limit') : (await errorOf(response)).code;
    }),
  );

test('keys show: the key, its last use by the minute, the use of both windows, and its ban', async () => {
  const limits = ['--plan', 'enterprise', '--per-minute', '7', '--per-day', '9'];
  const { id, key } = await create(...limits, '--owner', 'ann@example.org', '--expires', '2027-01-31');
  const expected = {
    ...{ id, name: 'Ada', owner: 'ann@example.org', plan: 'enterprise', perMinute: 7, perDay: 9 },
    ...{ createdAt: expect.stringMatching(/Z$/), expiresAt: '2027-01-31T00:00:00.000Z', revokedAt: null },
  };
  const unused = { lastUsedAt: null, scopes: [], usedThisMinute: 0, usedThisDay: 0, bannedUntil: null };
  expect(await show(id)).toEqual({ ...expected, ...unused });
  await clock.set(START + 59_999);
  expect(await ask(key)).toEqual(['7', '7']);
  expect(await show(id)).toMatchObject({ lastUsedAt: new Date(START).toJSON(), usedThisMinute: 2, usedThisDay: 2 });
  await clock.set(START + MINUTE);
  expect(await show(id)).toMatchObject({ lastUsedAt: new Date(START).toJSON(), usedThisMinute: 0, usedThisDay: 2 });
  await ask(key);
  const until = new Date(START + DAY).toJSON();
  await server.db.pool.query(`update rate_limits set banned_until = ${START + DAY} where subject = $1`, [`key:${id}`]);
  expect(await show(id)).toMatchObject({ lastUsedAt: new Date(START + MINUTE).toJSON(), bannedUntil: until });
  const banned = async () => JSON.parse(await keys('list', '--json', '--banned'));
  expect(await banned()).toMatchObject([{ id, bannedUntil: until }]);
  await clock.set(START + DAY);
  expect(await banned()).toEqual([]);
  expect(await show(id)).toMatchObject({ usedThisMinute: 0, usedThisDay: 0, bannedUntil: null });
  expect(await keys('show', String(id))).toMatch(/^lastUsedAt +2026-11-20T12:01:00.000Z$/m);
  const listed = JSON.parse(await keys('list', '--json', '--owner', 'ann@example.org'));
  expect(listed).toEqual([
    { ...expected, scopes: [], lastUsedAt: new Date(START + MINUTE).toJSON(), bannedUntil: null },
  ]);
  await expect(keys('show', '999999')).rejects.toThrow(/There is no key 999999/);
});

test('a key has the scopes that it is given, of which the log tells, and its successor has them, too', async () => {
  const { id } = await create('--plan', 'free', '--scopes', 'orders:read,orders:write,orders:read');
  expect((await show(id)).scopes).toEqual(['orders:read', 'orders:write']);
  const { changes } = await changed('update', String(id), '--scopes', 'orders:read', '--by', 'Ann');
  const scopes = [{ scopes: ['orders:read', 'orders:write'] }, { scopes: ['orders:read'] }];
  expect(changes).toEqual([expect.objectContaining({ action: 'update', before: scopes[0], after: scopes[1] })]);
  const { id: next } = JSON.parse(await keys('rotate', String(id), '--json'));
  expect((await show(next)).scopes).toEqual(['orders:read']);
  await keys('update', String(next), '--scopes', '');
  expect((await show(next)).scopes).toEqual([]);
  await expect(keys('update', String(next), '--scopes', 'a b')).rejects.toThrow(/scopes of the contract/);
  // Only a service whose contract has tokens issues some.
  await expect(keys('token')).rejects.toThrow();
});

test('keys find: reads a key from standard input only, and repeats it nowhere', async () => {
  const { id, key } = await create('--plan', 'free');
  await keys('revoke', String(id));
  expect(await outputOf(find(`${key}\n`))).toBe(`${id}\n`);
  await expectFailure(find(createKey()), /never issued/);
  const refused = [find(key.slice(0, -1)), find('', key)];
  for (const each of refused) await expectFailure(each, /no key of this service|belongs on standard input/);
  for (const { stderr } of await Promise.all(refused)) expect(stderr).not.toContain(key.slice(10, 30));
});

describe('keys update', () => {
  test('holds on all servers within 10 seconds', async () => {
    const { id, key } = await create('--plan', 'free');
    expect(await ask(key)).toEqual(['60', '60']);
    const update = async (...args: string[]) => {
      const { changes } = await changed('update', String(id), '--by', 'ann', ...args);
      await clock.pass(10_000);
      return changes;
    };
    expect(await update('--plan', 'enterprise', '--per-minute', '5', '--per-day', '7', '--owner', 'Bob')).toMatchObject(
      [
        {
          ...{ action: 'update', keyId: id, role: role(), by: 'ann' },
          before: { plan: 'free', owner: null, perMinute: null, perDay: null },
          after: { plan: 'enterprise', owner: 'Bob', perMinute: 5, perDay: 7 },
        },
      ],
    );
    expect(await ask(key)).toEqual(['5', '5']);
    expect(await update('--per-minute', '6')).toMatchObject([{ before: { perMinute: 5 }, after: { perMinute: 6 } }]);
    expect(await ask(key)).toEqual(['6', '6']);
    expect(await update('--plan', 'pro', '--name', 'Eve')).toMatchObject([
      { before: { name: 'Ada', perDay: 7 }, after: { name: 'Eve', perDay: null } },
    ]);
    expect(await ask(key)).toEqual(['300', '300']);
    await update('--expires', new Date(clock.time + 1_000).toJSON());
    expect(await ask(key)).toEqual(['api_key_expired', 'api_key_expired']);
    await update('--expires', 'never');
    expect(await ask(key)).toEqual(['300', '300']);
    await rowsOf(server.db, `update api_keys set expires_at = '2030-01-01T00:00:00.123456Z' where id = ${id}`);
    expect(await update('--plan', 'pro')).toEqual([]);
  });

  test('keeps what it refuses', async () => {
    const { id } = await create('--plan', 'free');
    const before = await show(id);
    await expectRefused(['update', String(id)], /at least one/);
    for (const [args, message] of [
      [['--per-minute', '5'], /The free plan refuses/],
      [['--plan', 'enterprise', '--per-minute', '5'], /requires --per-minute and --per-day/],
      [['--expires', new Date(clock.time).toJSON()], /has passed/],
    ] as const)
      await expect(keys('update', String(id), ...args)).rejects.toThrow(message);
    await expect(keys('update', '999999', '--name', 'x')).rejects.toThrow(/There is no key 999999/);
    expect(await show(id)).toEqual(before);
  });
});

test('keys rotate: both keys are valid until the old one expires', async () => {
  const limits = ['--plan', 'enterprise', '--per-minute', '50', '--per-day', '90'];
  const { id, key } = await create(...limits, '--owner', 'Ann');
  const { id: next, key: newKey } = JSON.parse(await keys('rotate', String(id), '--overlap', '2h', '--json'));
  const { expiresAt: _, ...old } = await show(id);
  expect(await show(next)).toEqual({ ...old, id: next, expiresAt: null, createdAt: expect.anything() });
  expect([...(await ask(key)), ...(await ask(newKey))]).toEqual(['50', '50', '50', '50']);
  await clock.pass(2 * 3_600_000);
  expect([...(await ask(key)), ...(await ask(newKey))]).toEqual(['api_key_expired', 'api_key_expired', '50', '50']);
  await expect(keys('rotate', String(id))).rejects.toThrow(`rotated already: rotate its successor, key ${next}`);

  const { output, changes } = await changed('rotate', String(next), '--expires', '2030-01-01');
  expect(output).toMatch(/bookstore_\S{48}\n\nIt is shown only this once/);
  expect(Date.parse((await show(next)).expiresAt)).toBe(clock.time + DAY);
  expect(changes).toMatchObject([{ action: 'rotate' }, { action: 'rotate', keyId: next }]);
  expect(JSON.stringify(changes)).not.toContain('bookstore_');
  await keys('revoke', String(next));
  await expect(keys('rotate', String(next))).rejects.toThrow(/is revoked/);
  expect(await keys('update', String(next), '--owner', 'Bob')).toMatch(/^Key \d+ is updated; it stays revoked\.$/m);
});

test('keys rotate: a key is rotated once, also by four processes at once', async () => {
  const { id } = await create('--plan', 'free');
  const rotate = () => run(['keys', 'rotate', String(id), '--json'], { DATABASE_URL: server.databaseUrl });
  const all = await Promise.all([rotate(), rotate(), rotate(), rotate()]);
  const [issued, ...others] = all.filter(({ code }) => code === 0);
  expect(others).toEqual([]);
  const { id: next } = JSON.parse(issued?.stdout ?? '');
  const message = `Key ${id} is rotated already: rotate its successor, key ${next}`;
  for (const { code, stdout, stderr } of all.filter((each) => each !== issued))
    expect([code, stdout, stderr]).toEqual([1, '', `bookstore-server: ${message}\n`]);
  expect(await show(next)).toMatchObject({ expiresAt: null, revokedAt: null });
  expect(JSON.parse(await keys('list', '--json')).at(-1)).toMatchObject({ id: next });
});

test('keys unban: ends a ban on all servers within 10 seconds, and no server renews it', async () => {
  const { id, key } = await create('--plan', 'enterprise', '--per-minute', '1', '--per-day', '9');
  expect((await ask(key)).toSorted()).toEqual(['1', 'rate_limit_exceeded']);
  await ask(key);
  await clock.pass(1_000);
  await ask(key);
  await expect.poll(async () => (await show(id)).bannedUntil).not.toBeNull();
  await clock.pass(5_000);
  expect(await ask(key)).toEqual(['api_key_banned', 'api_key_banned']);
  const { output, changes } = await changed('unban', String(id), '--by', 'ann');
  expect(output).toMatch(/within 10 seconds/);
  expect(changes).toMatchObject([
    { action: 'unban', keyId: id, by: 'ann', before: { bannedUntil: expect.any(String) } },
  ]);
  await clock.pass(MINUTE);
  expect((await ask(key)).toSorted()).toEqual(['1', 'rate_limit_exceeded']);
  expect((await show(id)).bannedUntil).toBeNull();
  expect(await keys('unban', String(id))).toBe(`Key ${id} is not banned.\n`);
  await expect(keys('unban', '999999')).rejects.toThrow(/There is no key 999999/);
});

describe('keys log', () => {
  test('has every change, also by SQL, as the commands have printed it', async () => {
    const { id } = await create('--plan', 'free', '--by', 'ann');
    const revoked = await changed('revoke', String(id), '--by', 'Bob \u{1F4DA}');
    expect(revoked.output).toMatch(/within 10 seconds/);
    expect((await changed('revoke', String(id))).changes).toEqual([]);
    const bySql = `update api_keys set revoked_at = null where id = ${id}; delete from api_keys where id = ${id}`;
    await rowsOf(server.databaseUrl, bySql);
    const log = JSON.parse(await keys('log', String(id), '--json'));
    const time = new Date(clock.time).toJSON();
    expect(log).toMatchObject([
      {
        time,
        action: 'create',
        keyId: id,
        role: role(),
        by: 'ann',
        before: null,
        after: { name: 'Ada', plan: 'free' },
      },
      { time, action: 'revoke', keyId: id, role: role(), by: 'Bob \u{1F4DA}' },
      { time, action: 'update', keyId: id, role: role(), by: null, after: { revokedAt: null } },
      { time, action: 'delete', keyId: id, role: role(), by: null, before: { name: 'Ada' }, after: null },
    ]);
    expect(revoked.changes).toEqual([log[1]]);
    expect(JSON.stringify(log)).not.toContain('keyHash');
    const all = JSON.parse(await keys('log', '--json'));
    expect(all.slice(-log.length)).toEqual(log);
    expect(await keys('log', String(id))).toMatch(/^time +action +keyId +before +after +role +by\n.* create /);
    expect(await keys('log', '999999')).toBe('There are no changes.\n');
  });

  test.each(['update api_key_changes set role = null', 'delete from api_key_changes', 'truncate api_key_changes'])(
    'is append-only: %s',
    async (sql) => {
      const rows = () => rowsOf(server.db, 'select * from api_key_changes order by id');
      const before = await rows();
      await expect(rowsOf(server.db, sql)).rejects.toThrow(/append-only/);
      expect(await rows()).toEqual(before);
    },
  );
});
