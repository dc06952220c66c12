import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { Handle, statement } from '../../src/database/statement.ts';
import { OutcomeUnknown } from '../../src/errors.ts';
import { temporaryDatabase } from '../support/database.ts';
import { openDatabase } from '../support/runtime.ts';

test('the outcome of a write is unknown if its connection is gone, and known if Postgres refuses', async () => {
  const db = openDatabase(await temporaryDatabase({ migrated: false }));
  onTestFinished(() => db.close());
  const write = (text: string) =>
    new Handle(db).transact('test', (connection, commits) => {
      commits();
      return connection.query(text);
    });
  await expect(write('select pg_terminate_backend(pg_backend_pid())')).rejects.toThrow(OutcomeUnknown);
  // These are the codes of a full disk and of a duplicate.
  for (const code of ['53100', '23505'])
    await expect(write(`do $$ begin raise sqlstate '${code}'; end $$`)).rejects.toMatchObject({ code });
  await expect(write('begin; select 1/0')).rejects.toMatchObject({ code: '22012' });
});

test('a row arrives while Postgres computes the next', async () => {
  const url = await temporaryDatabase({ migrated: false });
  const [db, other] = [openDatabase(url), openDatabase(url)];
  onTestFinished(() => void Promise.all([db.close(), other.close()]));
  // Postgres sends 8 kB at a time, the rest at the end. The last row waits for the lock.
  const select = statement<{ rows: number }, { row: number; wide: string }>(
    'select_rows',
    (
      value,
    ) => sql`select row, repeat('x', 9000) as wide, case when row = ${value('rows')} then pg_advisory_xact_lock(7) end
      from generate_series(1, ${value('rows')}::integer) as row`,
  );
  const blocker = await other.pool.connect();
  await blocker.query('select pg_advisory_lock(7)');
  const rows: number[] = [];
  const end = select(db.pool, { rows: 3 }, ({ row }) => rows.push(row));
  await expect.poll(() => rows).toEqual([1]);
  blocker.release(true);
  expect(await end).toEqual([]);
  expect(rows).toEqual([1, 2, 3]);
  await expect(select(db.pool, { rows: Number.NaN }, () => {})).rejects.toThrow('integer');
  const refuse = () => {
    throw new Error('no');
  };
  await expect(select(db.pool, { rows: 2 }, refuse)).rejects.toThrow('no');
  expect(db.pool.idleCount).toBe(db.pool.totalCount);
  expect(await select(db.pool, { rows: 1 })).toMatchObject([{ row: 1 }]);
});

test('statements whose long names begin alike do not clash', async () => {
  const db = openDatabase(await temporaryDatabase({ migrated: false }));
  onTestFinished(() => db.close());
  const title = 'listé'.repeat(20);
  const [one, other] = [1, 2].map((value) =>
    statement<object, { value: number }>(`${title}${value}`, () => sql`select ${sql.lit(value)} as value`),
  );
  expect([await one?.(db.pool, {}), await other?.(db.pool, {})]).toEqual([[{ value: 1 }], [{ value: 2 }]]);
});
