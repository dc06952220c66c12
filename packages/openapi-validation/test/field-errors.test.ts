import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import { describe, expect, test, vi } from 'vitest';
import { fieldErrors } from '../src/field-errors.ts';
import { addTextFormats } from '../src/formats.ts';
import { Compiler, type Schemas } from '../src/schemas.ts';
import { expectLinear } from './support.ts';

const compiler = new Compiler();
const order: AnySchemaObject = {
  properties: {
    to: { properties: { city: { type: 'string' } }, additionalProperties: false },
    lines: { type: 'array', items: { type: 'integer', minimum: 1 } },
    prices: { additionalProperties: { type: 'number' } },
  },
};
const failuresOf = (value: unknown) => fieldErrors(compiler, order, value, '/body');

test('the failures that are listed are short', () => {
  const unknown = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`n${index}`, 1]));
  for (const value of [{ lines: Array(30_000).fill(0) }, { to: unknown }, { prices: { ['/'.repeat(65_536)]: 'x' } }])
    expect(JSON.stringify(failuresOf(value)).length).toBeLessThan(20 * 400);
});

test('reading ends at the twentieth failure', () => {
  const read = vi.fn(Reflect.get);
  const lines = new Proxy(Array(50).fill(0), { get: read });
  expect(failuresOf({ lines })).toHaveLength(20);
  expect(read.mock.calls.filter(([, name]) => Number(name) >= 0)).toHaveLength(20);
});

const schemas: Schemas = {
  Tree: {
    type: 'object',
    required: ['kids'],
    properties: { kids: { type: 'array', items: { $ref: '#/schemas/Tree' }, uniqueItems: true }, kind: {} },
    unevaluatedProperties: false,
  },
  // Two alternatives, of which neither is excluded before its items are read, at several depths of `allOf` and `anyOf`.
  Term: { oneOf: [{ $ref: '#/schemas/And' }, { $ref: '#/schemas/Or' }] },
  And: {
    type: 'object',
    properties: { kids: { type: 'array', items: { allOf: [{ $ref: '#/schemas/Term' }] } }, op: { const: 'and' } },
  },
  Or: {
    type: 'object',
    properties: {
      kids: { type: 'array', items: { anyOf: [{ $ref: '#/schemas/Term' }, { type: 'null' }] } },
      op: { const: 'or' },
    },
  },
  Either: {
    if: { properties: { kids: { items: { $ref: '#/schemas/Either' } }, op: { const: 'and' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { kids: { items: { $ref: '#/schemas/Either' } } } },
    else: { not: { properties: { kids: { items: { $ref: '#/schemas/Either' } } }, required: ['never'] } },
  },
};

type Value = unknown;
const list =
  (item: (index: number) => Value) =>
  (length: number): Value =>
    Array.from({ length }, (_, index) => item(index));
const fields =
  (value: (index: number) => Value) =>
  (length: number): Value =>
    Object.fromEntries(Array.from({ length }, (_, index) => [`n${index}`, value(index)]));
/** Objects within each other, as deep as a body may be, as often as the length needs. */
const deep =
  (inner: object, depth = 60) =>
  (length: number): Value => {
    const one = () => {
      let value: object = inner;
      for (let level = 0; level < depth; level++) value = { kids: [value], op: level % 2 ? 'and' : 'or' };
      return value;
    };
    return { kids: Array.from({ length: Math.ceil(length / depth) }, one), op: 'and' };
  };
const tree = (length: number): Value => {
  const one = (index: number) => {
    let value: object = { kids: [], kind: index };
    for (let level = 0; level < 60; level++) value = { kids: [value] };
    return value;
  };
  return { kids: Array.from({ length: Math.ceil(length / 60) }, (_, index) => one(index)) };
};

/** By what is tried: the schema, and a value with about `length` parts. */
const CASES: Record<string, [schema: AnySchemaObject, value: (length: number) => Value]> = {
  'uniqueItems of objects': [{ uniqueItems: true }, list((index) => ({ a: { b: index } }))],
  'uniqueItems of lists that differ at their end': [{ uniqueItems: true }, list((index) => [0, 0, index])],
  'uniqueItems in uniqueItems': [{ $ref: '#/schemas/Tree' }, tree],
  'enum of objects': [{ items: { enum: [{ a: [1, 2] }, { b: 1 }] } }, list(() => ({ a: [1, 2] }))],
  'const of an object': [{ items: { const: { a: [1, 2] } } }, list((index) => ({ a: [1, index] }))],
  multipleOf: [{ items: { type: 'number', multipleOf: 0.01 } }, list((index) => index / 100)],
  contains: [{ contains: { const: -1 } }, list((index) => index)],
  'minContains and unevaluatedItems': [
    { contains: { type: 'integer' }, minContains: 2, unevaluatedItems: { type: 'integer' } },
    list((index) => index),
  ],
  prefixItems: [{ prefixItems: [{ type: 'integer' }], items: { type: 'integer' } }, list((index) => index)],
  propertyNames: [{ propertyNames: { pattern: '^n\\d+$' } }, fields((index) => index)],
  patternProperties: [
    { patternProperties: { '^n': { type: 'integer' } }, additionalProperties: false },
    fields((n) => n),
  ],
  unevaluatedProperties: [
    { allOf: [{ patternProperties: { '^n': { type: 'integer' } } }], unevaluatedProperties: false },
    fields((index) => index),
  ],
  dependentSchemas: [
    { items: { dependentSchemas: { a: { required: ['b'] } }, dependentRequired: { b: ['a'] } } },
    list(() => ({ a: 1, b: 1 })),
  ],
  'recursive alternatives, valid': [{ $ref: '#/schemas/Term' }, deep({ op: 'and', kids: [] })],
  'recursive alternatives, invalid': [{ $ref: '#/schemas/Term' }, deep({ op: 'xor', kids: [] })],
  'recursive conditions': [{ $ref: '#/schemas/Either' }, deep({ op: 'xor', kids: [] })],
};

/** Counts how often a value or a part of it is read. */
function counted(value: unknown, count: { reads: number }): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).map(([name, part]) => [name, counted(part, count)] as const);
  const copy = Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
  return new Proxy(copy, {
    get(target, name) {
      count.reads += 1;
      return Reflect.get(target, name);
    },
    ownKeys(target) {
      const names = Reflect.ownKeys(target);
      count.reads += names.length;
      return names;
    },
    getOwnPropertyDescriptor(target, name) {
      count.reads += 1;
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
  });
}

/** The reads of a validation, or of the search for all failures of a value with one more. */
function readsOf(schema: AnySchemaObject, value: unknown, isWorded: boolean): number {
  const compiler = new Compiler(schemas);
  const count = { reads: 0 };
  const body = counted(value, count);
  if (isWorded) fieldErrors(compiler, { properties: { value: schema } }, counted({ value }, count), '/body');
  else compiler.compile(schema)(body);
  return count.reads;
}

describe.each(Object.entries(CASES))('twice as many parts cost twice as many reads: %s', (_name, [schema, value]) => {
  test.each([false, true])('with all failures listed: %s', (isWorded) => {
    const [half, whole] = [1_000, 2_000].map((length) => readsOf(schema, value(length), isWorded)) as [number, number];
    expect(whole).toBeLessThan(2.1 * half + 250);
    expect(whole).toBeLessThan(100 * 2_000);
  });
});

const repeated = [...'a1-.:/@[(\\ +=é', 'a@', 'a.', 'a-', '::', '%41', '{a}', '(?<a>', '~1', '0:', 'P1', 'http://'];
const ajv = new Ajv2020();
addTextFormats(ajv);

test.each(Object.keys(ajv.formats))('64 kB take linear time as the format %s', (format) => {
  const validate = new Compiler().compile({ type: 'string', format });
  for (const one of repeated)
    for (const start of ['', 'http://', 'a@', '2020-01-01T00:00:00.'])
      expectLinear((length) => {
        const text = `${start}${one.repeat(length / one.length)}!`;
        return () => validate(text);
      });
});
