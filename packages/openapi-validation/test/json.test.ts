import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson as parse } from '../src/json.ts';
import { isMultiple, isRounded } from '../src/numbers.ts';
import { validatingServer } from './support.ts';

const parseJson = (body: Buffer) => parse(body, {} as never);

test('parseJson equals JSON.parse, except for numbers that it would round', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      fc.pre(!/"(__proto__|constructor)"/.test(text));
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

test.each([
  ['{"__proto__":{"polluted":1}}', 400],
  ['{"fraction":1.5,"list":[{"\\u005f_proto__":1}]}', 400],
  ['{"constructor":{"prototype":{}}}', 400],
  ['{"constructor":7,"prototype":1.5,"text":"\\"__proto__\\":"}', 200],
  ['\ufeff{}', 400],
])('a route without a schema answers %s with %i', async (payload, status) => {
  const app = await validatingServer();
  app.post('/', async ({ body }) => ({ ...(body as object) }));
  const headers = { 'content-type': 'application/json' };
  expect((await app.inject({ method: 'POST', url: '/', payload, headers })).statusCode).toBe(status);
});

const ROUNDED = 'is a number that is not kept exactly';
test.each<[string, string?, string?]>([
  ['{"a":9007199254740993}', '/body/a', ROUNDED],
  ['{"a":[{"b/c":-12345678901234567890}]}', '/body/a/0/b~1c', ROUNDED],
  ['{"a":[1,1e400]}', '/body/a/1', ROUNDED],
  ['{"a":1e-400}', '/body/a', ROUNDED],
  ['{"a":9007199254740991.5}', '/body/a', ROUNDED],
  [`{"a":${'['.repeat(100)}${']'.repeat(100)}}`, '/body', 'is nested deeper than 100 levels'],
  [JSON.stringify({ a: [9007199254740991, -1e300, 1e-7, 0.1, 1.5e3], text: '9007199254740993 [[[' })],
])('a free-form value %s is kept, or fails at %s', async (payload, pointer, message) => {
  const app = await validatingServer();
  app.post('/', { schema: { body: { type: 'object' } } }, async ({ body }) => body);
  const headers = { 'content-type': 'application/json' };
  const response = await app.inject({ method: 'POST', url: '/', payload, headers });
  const failure = { message: `${pointer?.slice(1).replaceAll('/', '.')} ${message}`, errors: [{ pointer, message }] };
  expect([response.statusCode, response.json()]).toEqual(pointer ? [400, failure] : [200, JSON.parse(payload)]);
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
});

test.each([
  [1e22, 1, true],
  [12391239123, 1e-8, true],
  [1e-12, 0.01, false],
  [1e308, 0.123456789, false],
  [Number.NaN, 1, false],
])('%d is a multiple of %d: %s', (value, divisor, expected) => {
  expect(isMultiple(value, divisor)).toBe(expected);
});
