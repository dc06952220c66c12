import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { OutcomeUnknown } from '../../src/database/errors.ts';
import { openDatabase } from '../../src/database/open.ts';
import { write } from '../../src/database/write.ts';
import { temporaryDatabase } from '../support/database.ts';

/** As pg throws it. */
const answer = (severity: string, code: string) =>
  Object.assign(new pg.DatabaseError('could not write', 0, 'error'), { severity, code });

test('what becomes of a write is unknown when Postgres crashes over it, and known when it refuses it', async () => {
  const db = openDatabase(await temporaryDatabase({ migrated: false }));
  onTestFinished(() => db.close());
  const failing = (error: Error) =>
    write(db, async (connection) => {
      await connection.query('select 1');
      throw error;
    });
  // No disk is to be had that fails: a commit that cannot be written, its connection's own and that of another one.
  for (const crash of [answer('PANIC', '53100'), answer('PANIC', '58030'), answer('WARNING', '57P02')]) {
    await expect(failing(crash)).rejects.toThrow(OutcomeUnknown);
  }
  for (const refusal of [answer('ERROR', '53100'), answer('FATAL', '57P01'), answer('ERROR', '23505')]) {
    await expect(failing(refusal)).rejects.toBe(refusal);
  }
});
