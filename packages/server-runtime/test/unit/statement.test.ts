import { expect, onTestFinished, test } from 'vitest';
import { type Named, named, RequestDb, select } from '../../src/database/statement.ts';
import { OutcomeUnknown } from '../../src/errors.ts';
import { temporaryDatabase } from '../support/database.ts';
import { openDatabase } from '../support/runtime.ts';

test('the outcome of a write is unknown if its connection is gone, and known if Postgres refuses', async () => {
  const db = openDatabase(await temporaryDatabase({ migrated: false }));
  onTestFinished(() => db.close());
  const write = (text: string) =>
    new RequestDb(db).transact('test', (connection, commits) => {
      commits();
      return connection.query(text);
    });
  await expect(write('select pg_terminate_backend(pg_backend_pid())')).rejects.toThrow(OutcomeUnknown);
  // These are the codes of a full disk and of a duplicate.
  for (const code of ['53100', '23505'])
    await expect(write(`do $$ begin raise sqlstate '${code}'; end $$`)).rejects.toMatchObject({ code });
  await expect(write('begin; select 1/0')).rejects.toMatchObject({ code: '22012' });
});

test('statements whose long names begin alike do not clash', async () => {
  const db = openDatabase(await temporaryDatabase({ migrated: false }));
  onTestFinished(() => db.close());
  const title = 'listé'.repeat(20);
  const [one, other] = [1, 2].map((value) => named(`${title}${value}`, `select ${value} as value`)) as [Named, Named];
  expect([await select(db.pool, one), await select(db.pool, other)]).toEqual([[{ value: 1 }], [{ value: 2 }]]);
});
