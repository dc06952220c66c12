import { expect, onTestFinished, test } from 'vitest';
import { jsonOf } from '../../src/database/json.ts';
import { temporaryDatabase } from '../support/database.ts';
import { openDatabase } from '../support/runtime.ts';

test.each([
  ['timestamptz', '2026-11-24 12:00:00.5+02', '2026-11-24T10:00:00.5Z'],
  ['timestamp', '2026-11-24 10:00:00.5', '2026-11-24T10:00:00.5Z'],
  ['date', '2026-11-24', '2026-11-24T00:00:00Z'],
  ['text', '2026-11-24T12:00:00.5+02:00', '2026-11-24T10:00:00.5Z'],
])('a field with the format date-time has a zone if its column is a %s', async (type, value, written) => {
  const db = openDatabase(await temporaryDatabase({ migrated: false }));
  onTestFinished(() => db.close());
  const json = jsonOf({ at: { required: true, type: 'string', format: 'date-time' } }, 'row');
  const { rows } = await db.pool.query(`select ${json} as json from (select $1::${type} as at) as row`, [value]);
  expect(JSON.parse(rows[0].json)).toEqual({ at: written });
});
