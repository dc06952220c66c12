import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { jsonOf } from '../../src/database/json.ts';
import { parseJson as parse } from '../../src/http/body.ts';
import { isMultiple, isRounded } from '../../src/http/numbers.ts';
import { temporaryDatabase } from '../support/database.ts';
import { openDatabase } from '../support/runtime.ts';

const parseJson = (body: Buffer) => parse(body).value;

test('parseJson equals JSON.parse, except for numbers that it would round', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
    }),
  );
  const mantissa = fc.maxSafeInteger().filter((integer) => integer !== 0);
  const decimal = fc.tuple(mantissa, fc.integer({ min: 1, max: 400 }), fc.integer({ min: -30, max: 30 }));
  fc.assert(
    fc.property(decimal, ([digits, fraction, shift]) => {
      // The number stays the same when the decimal point moves far to the right or left.
      expect(parseJson(Buffer.from(`${digits}.${'0'.repeat(fraction)}`))).toBe(digits);
      expect(parseJson(Buffer.from(`${digits}${'0'.repeat(fraction)}e-${fraction}`))).toBe(digits);
      // Any fraction makes it a non-integer.
      expect(Number.isInteger(parseJson(Buffer.from(`${digits}.${'0'.repeat(fraction)}1`)))).toBe(false);
      const scaled = Number(`${digits}e${shift}`);
      if (!Number.isInteger(scaled)) expect(parseJson(Buffer.from(`${digits}e${shift}`))).toBe(scaled);
    }),
  );
});

test('each integer in digits is kept or noticed', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (integer) => {
      const isSafe = integer >= Number.MIN_SAFE_INTEGER && integer <= Number.MAX_SAFE_INTEGER;
      expect(isRounded(`${integer}`, Number(integer))).toBe(!isSafe);
    }),
  );
});

test('multiples are those of the decimals', () => {
  const digits = fc.integer({ min: -1_000_000, max: 1_000_000 });
  fc.assert(
    fc.property(
      digits,
      fc.integer({ min: 1, max: 5_000 }),
      fc.integer({ min: 0, max: 9 }),
      (number, divisor, places) => {
        expect(isMultiple(Number(`${number}e-${places}`), Number(`${divisor}e-${places}`))).toBe(
          number % divisor === 0,
        );
      },
    ),
  );
  for (const [value, divisor] of [
    [4.35, 0.01],
    [19.99, 0.01],
    [1e22, 1],
    [0, 0.3],
    [12391239123, 1e-8],
  ] as const)
    expect(isMultiple(value, divisor)).toBe(true);
  for (const [value, divisor] of [
    [4.355, 0.01],
    [1e-12, 0.01],
    [1e308, 0.123456789],
    [Number.NaN, 1],
  ] as const)
    expect(isMultiple(value, divisor)).toBe(false);
});

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
