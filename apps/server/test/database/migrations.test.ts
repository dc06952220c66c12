import { expect, onTestFinished, test } from 'vitest';
import { insertPet } from '../support/animals.ts';
import { temporaryDatabase } from '../support/database.ts';
import { migrateDown, migrateUp, migrations, openDatabase } from '../support/runtime.ts';

test('all migrations can be reverted, and run again', async () => {
  const db = openDatabase(await temporaryDatabase(), { size: 2 });
  onTestFinished(() => db.close());
  const names = Object.keys(migrations);
  for (const name of names.toReversed()) expect(await migrateDown(db)).toEqual([name]);
  expect(await migrateUp(db)).toEqual(names);
});

test('ids end at the largest safe integer', async () => {
  const db = openDatabase(await temporaryDatabase(), { size: 1 });
  onTestFinished(() => db.close());
  await db.pool.query(`alter table pets alter column id restart with ${Number.MAX_SAFE_INTEGER}`);
  expect(await insertPet(db, { name: 'Last', categoryId: 1 })).toMatchObject({ id: Number.MAX_SAFE_INTEGER });
  await expect(insertPet(db, { name: 'Too late', categoryId: 1 })).rejects.toThrow(/maximum/);
});
