import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { rowsOf, temporaryDatabase } from '../support/database.ts';
import { temporaryFile } from '../support/files.ts';
import { temporaryHandle } from '../support/runtime.ts';
import { temporaryServer } from '../support/server.ts';

test('a bigint is read as a number; an unsafe one is an error', async () => {
  const db = temporaryHandle(await temporaryDatabase());
  const read = async (value: string) =>
    (await sql<{ n: unknown }>`select ${value}::bigint as n`.execute(db.kysely)).rows[0]?.n;
  expect(await read('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
  expect(await read('-9007199254740991')).toBe(Number.MIN_SAFE_INTEGER);
  for (const beyond of ['9007199254740992', '-9007199254740993', '9223372036854775807']) {
    await expect(read(beyond)).rejects.toThrow(beyond);
  }
  // The connection is usable afterwards.
  expect(await read('0')).toBe(0);
});

test('an idle connection is kept beyond the time limit of statements', async () => {
  const db = temporaryHandle(await temporaryDatabase(), { timeLimit: 1_000 });
  const pid = async () => (await db.pool.query('select pg_backend_pid() as pid')).rows[0].pid;
  const first = await pid();
  await delay(1_500);
  expect(await pid()).toBe(first);
});

test('a session with an incomplete request loses its locks soon after the time limit', async ({ skip }) => {
  const db = temporaryHandle(await temporaryDatabase(), { timeLimit: 1_000 });
  const { rows } = await sql<{ supported: boolean }>`
    select current_setting('transaction_timeout', true) is not null as supported`.execute(db.kysely);
  skip(!rows[0]?.supported, 'Postgres before 17 has no transaction_timeout');
  const isFree = async () =>
    (await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(42) as free`.execute(db.kysely)).rows[0]?.free;
  const frozen = (await db.pool.connect()) as pg.PoolClient & { connection: Protocol };
  // Without the final Sync message, Postgres waits with the lock held.
  frozen.connection.parse({ text: 'select pg_advisory_xact_lock(42)' });
  frozen.connection.bind({});
  frozen.connection.execute({});
  frozen.connection.flush();
  await expect.poll(isFree).toBe(false);
  await expect.poll(isFree).toBe(true);
  frozen.release(true);
});

test('only counts are committed without waiting for the disk', async () => {
  const { bookstore, db } = await temporaryServer();
  await db.pool.query(`
    create table noted ("table" text, value text);
    create function note() returns trigger language plpgsql as
      'begin insert into noted values (TG_TABLE_NAME, current_setting(''synchronous_commit'')); return null; end';
    create trigger note after insert or update on rate_limits for each statement execute function note();
    create trigger note after insert on books for each statement execute function note()`);
  await bookstore.createBook({ title: 'Ubik', storeId: 7 });
  const noted = () => rowsOf(db, 'select distinct * from noted order by 1');
  const [setting] = await rowsOf<{ value: string }>(db, `select current_setting('synchronous_commit') as value`);
  await expect.poll(noted).toEqual([
    { table: 'books', ...setting },
    { table: 'rate_limits', value: 'off' },
  ]);
  expect(setting).not.toEqual({ value: 'off' });
});

/** The protocol messages of a request, which pg writes one by one. */
type Protocol = Record<'parse' | 'bind' | 'execute', (message: object) => void> & { flush(): void };

test('a URL in a file is read again for each connection, if there is one', async () => {
  const url = await temporaryDatabase();
  const file = temporaryFile('url');
  writeFileSync(file, `${url}?application_name=before\n`);
  const db = temporaryHandle(pathToFileURL(file).href, { size: 7 });
  const next = async () => {
    // Each call keeps its connection, so that the next one opens another.
    const connection = await db.pool.connect();
    onTestFinished(() => connection.release());
    return (await connection.query('show application_name')).rows;
  };
  expect(await next()).toEqual([{ application_name: 'before' }]);
  writeFileSync(file, `${url}?application_name=after\n`);
  expect(await next()).toEqual([{ application_name: 'after' }]);
  // With the defaults of an empty or cut URL, pg would connect to another database.
  const unusable = ['', 'postgres://postgres:wro', url.replace('postgres', 'mysql'), `${url}?sslrootcert=/nowhere`];
  for (const content of unusable) {
    writeFileSync(file, content);
    expect(await next()).toEqual([{ application_name: 'after' }]);
  }
  rmSync(file);
  expect(await next()).toEqual([{ application_name: 'after' }]);
});
