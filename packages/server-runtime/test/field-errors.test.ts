import { fieldErrors } from '@petstore-platform/server-runtime/internal/http/field-errors';
import { Compiler } from '@petstore-platform/server-runtime/internal/http/schemas';
import { expectLinear } from '@petstore-platform/testkit/linear';
import type { AnySchemaObject } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';

const compiler = new Compiler();
const address = {
  type: 'object',
  required: ['city'],
  properties: { city: { type: 'string' } },
  additionalProperties: false,
};
const order: AnySchemaObject = {
  allOf: [{ type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }],
  type: 'object',
  required: ['to'],
  properties: {
    to: address,
    lines: { type: 'array', maxItems: 100, items: { type: 'integer', minimum: 1 } },
    prices: { type: 'object', additionalProperties: { type: 'number' } },
    payment: { oneOf: [{ type: 'string' }, { type: 'null' }] },
    labels: { type: 'object', patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
    note: { type: 'object', properties: { text: { type: 'string' } }, unevaluatedProperties: false },
  },
};
const failures = (value: unknown) =>
  fieldErrors(compiler, order, value, '/body').map(({ pointer, message }) => `${pointer} ${message}`);

test('each failure of a value is listed, at any depth and of each keyword', () => {
  const value = {
    id: 'a',
    to: { town: 'Bern' },
    lines: [1, 0, '2'],
    prices: { tea: 'cheap' },
    payment: 5,
    labels: { y: 'z' },
    note: { txt: 'Hi' },
  };
  expect(failures(value).sort()).toEqual([
    '/body/id must be an integer',
    '/body/labels/y is unknown',
    '/body/lines/1 must be at least 1',
    '/body/lines/2 must be an integer',
    '/body/note/txt is unknown',
    '/body/payment must be a string',
    '/body/prices/tea must be a number',
    '/body/to/city is required',
    '/body/to/town is unknown',
  ]);
  expect(failures([])).toEqual(['/body must be an object']);
});

test('any value that fails has a failure, and a valid one has none', () => {
  const validate = compiler.compile(order);
  const value = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        id: fc.oneof(fc.integer(), fc.string()),
        to: fc.oneof(fc.record({ city: fc.string() }), fc.jsonValue()),
        lines: fc.array(fc.oneof({ weight: 5, arbitrary: fc.nat() }, fc.jsonValue())),
        note: fc.oneof(fc.record({ text: fc.string() }), fc.jsonValue()),
        payment: fc.oneof(fc.constant(null), fc.jsonValue()),
      },
      { requiredKeys: [] },
    ),
  );
  fc.assert(
    fc.property(value, (value) => {
      const found = failures(value);
      expect(found.length > 0).toBe(!validate(value));
      expect(found.length).toBeLessThanOrEqual(20);
    }),
    { numRuns: 2_000 },
  );
});

test.each<[string, (length: number) => unknown]>([
  ['wrong items', (length) => ({ lines: Array(length / 2).fill(0) })],
  ['items of which the last one is wrong', (length) => ({ lines: [...Array(length / 2).fill(1), 0] })],
  [
    'unknown names',
    (length) => ({ to: Object.fromEntries(Array.from({ length: length / 6 }, (_, i) => [`n${i}`, 1])) }),
  ],
  ['a long name', (length) => ({ prices: { [`${'/'.repeat(length)}`]: 'x' } })],
])('a body of %s costs linear time, and at most twenty short failures', async (_, worstCase) => {
  const { length } = JSON.stringify(
    await expectLinear((value) => fieldErrors(compiler, order, value, '/body'), worstCase),
  );
  expect(length).toBeLessThan(20 * 400);
});

test('reading ends at the twentieth failure', () => {
  const read = vi.fn(Reflect.get);
  const lines = new Proxy(Array(50).fill(0), { get: read });
  expect(failures({ id: 1, to: { city: 'Bern' }, lines })).toHaveLength(20);
  expect(read.mock.calls.filter(([, name]) => Number(name) >= 0)).toHaveLength(20);
});
