import { expect, onTestFinished, test } from 'vitest';
import { jsonOf } from '../../src/database/json.ts';
import { temporaryDatabase } from '../support/database.ts';
import { openDatabase } from '../support/runtime.ts';

const [at, day, clock] = ['date-time', 'date', 'time'].map((format) => ({ type: 'string', format }));
const amount = { type: 'string', format: 'decimal' };

test.each<[field: object | undefined, type: string, value: string, json: unknown]>([
  [at, 'timestamptz', '2026-11-24 12:00:00.5+02', '2026-11-24T10:00:00.5Z'],
  [at, 'timestamp', '2026-11-24 10:00:00.5', '2026-11-24T10:00:00.5Z'],
  [at, 'date', '2026-11-24', '2026-11-24T00:00:00Z'],
  [at, 'text', '2026-11-24T12:00:00.5+02:00', '2026-11-24T10:00:00.5Z'],
  [at, 'timestamptz', '9999-12-31 23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
  [at, 'timestamptz', '10000-01-01Z', undefined],
  [at, 'timestamptz', '0001-01-01 BC', undefined],
  [at, 'timestamptz', 'infinity', undefined],
  [at, 'timestamp', '-infinity', undefined],
  [day, 'date', '0001-01-01', '0001-01-01'],
  [day, 'date', '0001-01-01 BC', undefined],
  [day, 'date', 'infinity', undefined],
  [clock, 'time', '12:00:00.5', '12:00:00.5Z'],
  [clock, 'timetz', '12:00:00+05:30', '06:30:00Z'],
  [clock, 'timetz', '01:00:00+05:30', '19:30:00Z'],
  // Postgres makes it of a leap second.
  [clock, 'time', '24:00:00', '00:00:00Z'],
  [{ type: 'number' }, 'float8', '1.5', 1.5],
  [{ type: 'number' }, 'float8', 'NaN', undefined],
  [{ type: 'number' }, 'numeric', '-Infinity', undefined],
  [{ type: 'number' }, 'jsonb', '1.5', 1.5],
  [{ type: 'integer' }, 'numeric', 'NaN', undefined],
  [amount, 'numeric', '1.50', '1.50'],
  [amount, 'numeric', 'Infinity', undefined],
])('%j of the %s %s is %j in JSON', async (field, type, value, written) => {
  const db = openDatabase(await temporaryDatabase({ migrated: false }));
  onTestFinished(() => db.close());
  const jsonAs = async (own: object) => {
    const json = jsonOf({ id: { required: true, type: 'integer' }, value: { ...field, ...own } as never }, 'row');
    const { rows } = await db.pool.query(`select ${json} as json from (select 7 as id, $1::${type} as value) as row`, [
      value,
    ]);
    return JSON.parse(rows[0].json).value;
  };
  expect(await jsonAs({ required: false })).toBe(written);
  expect(await jsonAs({ required: true, nullable: true })).toBe(written ?? null);
  if (written !== undefined) expect(await jsonAs({ required: true })).toBe(written);
  else await expect(jsonAs({ required: true })).rejects.toThrow('no such value: value of the row 7');
});
