import { expect, test } from 'vitest';
import { openPeople, sql } from './support.ts';

const one = (db: Awaited<ReturnType<typeof openPeople>>['db'], id: number) =>
  db.selectFrom('people').select(['id', 'name']).where('id', '=', id).executeTakeFirst();

test('a COPY has no rows, and ends no session', async () => {
  const { db } = await openPeople();
  expect(await sql`copy people to stdout`.execute(db)).toEqual({ rows: [] });
  await expect(sql`copy people from stdin`.execute(db)).rejects.toMatchObject({ code: '57014' });
  expect(await one(db, 1)).toEqual({ id: 1, name: 'p1' });
});

test('a statement may have as many parameters as Postgres allows', async () => {
  const { db } = await openPeople();
  const ids = Array.from({ length: 65_535 }, (_, index) => index);
  expect(await db.selectFrom('people').select('id').where('id', 'in', ids).execute()).toHaveLength(10);
});

test('changes are committed each by itself, and count their rows', async () => {
  const { db } = await openPeople();
  const insert = (name: string) =>
    db.insertInto('people').values({ name, age: null }).returning('name').executeTakeFirst();
  const results = await Promise.allSettled([insert('new'), insert('p1'), insert('newer')]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  const { numUpdatedRows } = await db
    .updateTable('people')
    .set({ age: 1 })
    .where('age', 'is', null)
    .executeTakeFirstOrThrow();
  expect(numUpdatedRows).toBe(2n);
});

test('a select that changes rows runs by itself', async () => {
  const { db, pool } = await openPeople();
  await pool.query(
    `create function add(name text) returns integer language sql as 'insert into people (name) values (name) returning id'`,
  );
  const add = (name: string) => db.selectNoFrom(sql<number>`add(${name})`.as('id')).executeTakeFirst();
  expect(await Promise.all([add('a'), one(db, 1), add('b')])).toMatchObject([{}, { id: 1 }, {}]);
  expect(
    await db.selectFrom('people').select('name').where('name', 'in', ['a', 'b']).orderBy('name').execute(),
  ).toEqual([{ name: 'a' }, { name: 'b' }]);
});

test('transactions see their own changes, and are undone by an exception', async () => {
  const { db } = await openPeople();
  const boom = new Error('boom');
  const failed = db.transaction().execute(async (transaction) => {
    await transaction.updateTable('people').set({ name: 'other' }).where('id', '=', 1).execute();
    expect(await one(transaction as never, 1)).toEqual({ id: 1, name: 'other' });
    throw boom;
  });
  await expect(failed).rejects.toBe(boom);
  expect(await one(db, 1)).toEqual({ id: 1, name: 'p1' });
  const swallowed = db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('people')
      .values({ name: 'p2' })
      .execute()
      .catch(() => {});
  });
  await expect(swallowed).rejects.toThrow('rolled back');
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      await sql`savepoint s`.execute(transaction);
      await transaction
        .insertInto('people')
        .values({ name: 'p2' })
        .execute()
        .catch(() => {});
      await sql`rollback to savepoint s`.execute(transaction);
      await transaction.insertInto('people').values({ name: 'kept' }).execute();
    });
  expect(await db.selectFrom('people').select('name').where('name', '=', 'kept').execute()).toHaveLength(1);
});

test('a dialect that only reads changes nothing in a transaction, or after one on its connection', async () => {
  const { db } = await openPeople({ readOnly: true, read: { settings: { 'app.user': '7' } }, max: 1 });
  const insert = (on: typeof db) => on.insertInto('people').values({ name: 'x' }).execute();
  await expect(db.transaction().execute(insert)).rejects.toMatchObject({ code: '25006' });
  const withSql = (text: string) =>
    db.transaction().execute(async (trx) => {
      await sql.raw(text).execute(trx);
      await insert(trx);
    });
  await expect(withSql('commit')).rejects.toThrow('The transaction has ended');
  await expect(withSql('set transaction read write')).rejects.toMatchObject({ code: '25001' });
  await expect(withSql('savepoint s')).rejects.toMatchObject({ code: '25006' });
  const after = db.connection().execute(async (own) => {
    await own.transaction().execute((trx) => one(trx, 1));
    await insert(own);
  });
  await expect(after).rejects.toMatchObject({ code: '25006' });
});

test('settings hold for changes, locks and functions, too', async () => {
  const { db, pool } = await openPeople({ read: { settings: { 'app.user': '7' } } });
  await pool.query(`create function add() returns text language sql as $$
    insert into people (name) values (current_setting('app.user', true)) returning name $$`);
  const user = sql<string>`current_setting('app.user', true)`;
  expect(await db.selectNoFrom(sql<string>`add()`.as('user')).executeTakeFirst()).toEqual({ user: '7' });
  const one = db.selectFrom('people').select(user.as('user')).where('id', '=', 1);
  expect(await one.forUpdate().executeTakeFirst()).toEqual({ user: '7' });
  const changed = db.updateTable('people').set({ age: 1 }).where('id', '=', 1).returning(user.as('user'));
  expect(await changed.executeTakeFirst()).toEqual({ user: '7' });
});

test('a failure has the stack of its caller', async () => {
  const { db } = await openPeople();
  const stack = expect.stringMatching(/at .*dialect\.test/);
  for (const query of [db.selectFrom('nobody' as 'people').selectAll(), db.insertInto('people').values({ name: 'p1' })])
    await expect(async () => await query.execute()).rejects.toMatchObject({ stack });
});

test('a migration of columns or types is seen at once, and fails neither changes nor later statements', async () => {
  const { db, pool } = await openPeople({ max: 1 });
  const all = () => db.selectFrom('people').selectAll().where('id', '=', 1).executeTakeFirst();
  const change = () => db.updateTable('people').set({ age: 1 }).where('id', '=', 2).returningAll().executeTakeFirst();
  for (let time = 0; time < 2; time++) await all();
  await pool.query('alter table people add height integer default 7');
  const person = { id: 1, name: 'p1', age: 1, height: 7 };
  expect(await Promise.all([all(), one(db, 1), all()])).toEqual([person, { id: 1, name: 'p1' }, person]);
  await change();
  await pool.query('alter table people add width integer');
  expect(await change()).toMatchObject({ id: 2, width: null });
  await pool.query('alter table people alter id type bigint');
  await one(db, 3_000_000_000).catch(() => {});
  expect(await one(db, 3_000_000_000)).toBeUndefined();
});
