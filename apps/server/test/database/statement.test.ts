import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { OutcomeUnknown } from '../../src/database/errors.ts';
import { openDatabase } from '../../src/database/open.ts';
import { ChangeHandle } from '../../src/database/statement.ts';
import { temporaryDatabase } from '../support/database.ts';

/** An error of pg. */
const answer = (severity: string, code: string) =>
  Object.assign(new pg.DatabaseError('could not write', 0, 'error'), { severity, code });

test('the outcome of a write is unknown if Postgres crashes, and known if it refuses', async () => {
  const db = openDatabase(await temporaryDatabase({ migrated: false }));
  onTestFinished(() => db.close());
  const failing = (error: Error) =>
    new ChangeHandle(db).write(async (connection) => {
      await connection.query('select 1');
      throw error;
    });
  // Simulated, as no failing disk is available: a failed commit on this connection and on another one.
  for (const crash of [answer('PANIC', '53100'), answer('PANIC', '58030'), answer('WARNING', '57P02')]) {
    await expect(failing(crash)).rejects.toThrow(OutcomeUnknown);
  }
  for (const refusal of [answer('ERROR', '53100'), answer('FATAL', '57P01'), answer('ERROR', '23505')]) {
    await expect(failing(refusal)).rejects.toBe(refusal);
  }
});
