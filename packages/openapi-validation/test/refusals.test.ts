import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { validatingServer } from './support.ts';

/** The schemas of a contract as the generator's table gives them: closed, with `$ref`s to each other. */
const schemas = {
  Tree: {
    type: 'object',
    properties: { name: { type: 'string' }, branches: { type: 'array', items: { $ref: '#/schemas/Tree' } } },
    additionalProperties: false,
  },
  Account: {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' } },
    additionalProperties: false,
    'x-read-only-fields': ['id', 'createdAt'],
  },
  Near: { type: ['number', 'null'] },
  Base: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
  Round: {
    allOf: [{ type: 'object', properties: { radius: { type: 'number' } } }],
    properties: { kind: { const: 'round' } },
  },
  Square: { type: 'object', required: ['side'], properties: { kind: { const: 'square' }, side: { type: 'number' } } },
  Term: { oneOf: [{ $ref: '#/schemas/All' }, { $ref: '#/schemas/Not' }, { type: 'string', maxLength: 3 }] },
  All: { type: 'object', required: ['all'], properties: { all: { type: 'array', items: { $ref: '#/schemas/Term' } } } },
  Not: { type: 'object', required: ['not'], properties: { not: { $ref: '#/schemas/Term' } } },
};
const fields = {
  tree: { $ref: '#/schemas/Tree' },
  account: { $ref: '#/schemas/Account' },
  ignoring: { ...schemas.Account, 'x-read-only': 'ignore' },
  shape: { oneOf: [{ $ref: '#/schemas/Round' }, { $ref: '#/schemas/Square' }] },
  term: { $ref: '#/schemas/Term' },
  merged: {
    allOf: [{ $ref: '#/schemas/Base' }, { properties: { b: { type: 'integer' } } }],
    unevaluatedProperties: false,
  },
  forbidden: { properties: { admin: false } },
  not: { not: { type: 'integer' } },
  condition: {
    if: { properties: { country: { const: 'CH' } }, required: ['country'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { zip: { pattern: '^\\d{4}$' } } },
    else: { required: ['zip'] },
  },
  dependent: {
    dependentRequired: { card: ['expiry'] },
    dependentSchemas: { card: { properties: { card: { type: 'string' } } } },
  },
  contains: { type: 'array', contains: { type: 'integer' }, maxContains: 1 },
  lists: { items: { contains: { type: 'integer' } } },
  names: { propertyNames: { pattern: '^[a-z]+$' } },
  tuple: { prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
  labels: { patternProperties: { '^x-': { type: 'string' } }, additionalProperties: { type: 'integer' } },
  unique: { type: 'array', uniqueItems: true },
  own: {
    type: 'object',
    required: ['constructor'],
    properties: { toString: { type: 'string' }, constructor: { type: 'integer' } },
  },
  price: { type: 'number', multipleOf: 0.01 },
  nothing: { enum: [] },
  one: { const: { a: 1 } },
  either: {
    oneOf: [
      { type: 'object', properties: { k: { enum: ['a'] }, n: { type: 'integer', default: 1 } } },
      { type: 'null' },
    ],
  },
  note: {
    type: 'string',
    summary: 'Not a keyword',
    'x-faker': 'word',
    example: { $id: 'x' },
    format: 'x-own',
    nullable: true,
  },
  day: { type: 'string', format: 'date' },
  free: {},
};

const app = await validatingServer({ schemas });
const body = { type: 'object', properties: fields, additionalProperties: false };
app.post(
  '/',
  { schema: { body, querystring: { type: 'object', properties: { near: { $ref: '#/schemas/Near' } } } } },
  async ({ body }) => body,
);
afterAll(() => app.close());

const post = async (value: unknown) => {
  const response = await app.inject({
    method: 'POST',
    url: '/',
    payload: JSON.stringify(value),
    headers: { 'content-type': 'application/json' },
  });
  return { status: response.statusCode, body: response.json() };
};

describe('a value that fails is 400 with the pointer', () => {
  test.each<[unknown, pointer: string, message: string]>([
    [{ tree: { branches: [{ branches: [{ name: 1 }] }] } }, '/tree/branches/0/branches/0/name', 'must be a string'],
    [{ tree: { branches: [{ leaf: 1 }] } }, '/tree/branches/0/leaf', 'is unknown'],
    [{ account: { name: 'a', id: 1 } }, '/account/id', 'is read-only'],
    [{ account: { name: 'a', createdBy: 1 } }, '/account/createdBy', 'is unknown'],
    [{ ignoring: { name: 'a', other: 1 } }, '/ignoring/other', 'is unknown'],
    [{ shape: { kind: 'round', radius: 'x' } }, '/shape/radius', 'must be a number'],
    [{ shape: { kind: 'square' } }, '/shape/side', 'is required'],
    [{ shape: { kind: 'oval' } }, '/shape/kind', 'must be one of round, square'],
    [{ term: { all: [{ not: { all: [5] } }] } }, '/term/all/0/all', 'is required'],
    [{ merged: { a: 'x', c: 1 } }, '/merged/c', 'is unknown'],
    [{ merged: { a: 1 } }, '/merged/a', 'must be a string'],
    [{ forbidden: { admin: true } }, '/forbidden/admin', 'is not allowed'],
    [{ not: 1 }, '/not', 'must NOT be valid'],
    [{ condition: { country: 'CH', zip: 'x' } }, '/condition/zip', 'must match pattern "^\\d{4}$"'],
    [{ condition: {} }, '/condition/zip', 'is required'],
    [{ dependent: { card: 'x' } }, '/dependent/expiry', 'is required beside card'],
    [{ dependent: { card: 1, expiry: 1 } }, '/dependent/card', 'must be a string'],
    [{ contains: ['a'] }, '/contains', 'must contain at least 1 and no more than 1 valid item(s)'],
    [{ contains: [1, 2] }, '/contains', 'must contain at least 1 and no more than 1 valid item(s)'],
    [{ lists: [[1], []] }, '/lists/1', 'must contain at least 1 valid item(s)'],
    [{ names: { a: 1, B: 2 } }, '/names/B', 'contains an invalid character'],
    [{ tuple: ['a', 'b'] }, '/tuple/1', 'must be an integer'],
    [{ tuple: ['a', 1, 2] }, '/tuple/2', 'is not allowed'],
    [{ labels: { 'x-a': 1 } }, '/labels/x-a', 'must be a string'],
    [{ labels: { a: 'b' } }, '/labels/a', 'must be an integer'],
    [
      { unique: [[{ toString: 1, valueOf: 2 }], [{ valueOf: 2, toString: 1 }]] },
      '/unique',
      'must not have equal items',
    ],
    [{ own: {} }, '/own/constructor', 'is required'],
    [{ own: { constructor: 1, toString: 2 } }, '/own/toString', 'must be a string'],
    [{ price: 4.355 }, '/price', 'must be a multiple of 0.01'],
    [{ nothing: null }, '/nothing', 'must be one of '],
    [{ one: { valueOf: 1 } }, '/one', 'must be {"a":1}'],
    [{ day: '0000-01-01' }, '/day', 'must match format "date"'],
    [{ day: '2023-02-29' }, '/day', 'must match format "date"'],
    [{ note: 5 }, '/note', 'must be a string'],
    [{ toString: 5 }, '/toString', 'is unknown'],
    [[], '', 'must be an object'],
  ])('%j', async (value, pointer, message) => {
    const { status, body } = await post(value);
    expect(body.errors).toEqual(expect.arrayContaining([{ pointer: `/body${pointer}`, message }]));
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^body/)]);
  });

  test('or arrives', async () => {
    const value = {
      tree: { branches: [{ branches: [{ name: 'a' }] }] },
      shape: { kind: 'round', radius: 1 },
      term: { all: [{ not: 'abc' }, 'x'] },
      merged: { a: 'x', b: 1 },
      price: 4.35,
      own: { constructor: 1 },
      one: { a: 1 },
      unique: [{ a: 1 }, { a: 2 }, [1], 1, '1'],
      either: { k: 'a' },
      note: 'any',
    };
    expect(await post(value)).toEqual({ status: 200, body: value });
    const dropped = await post({ ignoring: { id: 1, name: 'a', createdAt: 'x' } });
    expect(dropped.body).toEqual({ ignoring: { name: 'a' } });
  });
});

test('the type of a parameter is the one that its `$ref` leads to', async () => {
  const status = async (near: string) =>
    (await app.inject({ method: 'POST', url: `/?near=${near}`, payload: {} })).statusCode;
  expect(await Promise.all(['1e-7', '-5', 'x', '1e400', '%zz'].map(status))).toEqual([200, 200, 400, 400, 400]);
});

test('a schema that does not compile fails at the start, not at a request', async () => {
  const broken = { Loop: { properties: { next: { $ref: '#/schemas/Loop' }, other: { $ref: '#/schemas/None' } } } };
  await expect(validatingServer({ schemas: broken })).rejects.toThrow('None');
});

const nasty = fc.oneof(
  fc.constantFrom<unknown>(
    { toString: 1 },
    { valueOf: null },
    { constructor: [] },
    [[]],
    '',
    '\u0000',
    -0,
    1e308,
    0.1,
    { kind: 'round' },
    { all: [] },
    { not: { not: 1 } },
    ['a', 1],
    { branches: [] },
  ),
  fc.jsonValue({ maxDepth: 3 }),
);
const anyBody = fc.dictionary(fc.constantFrom(...Object.keys(fields), '__proto__', 'toString', 'a/b~c'), nasty, {
  maxKeys: 4,
});

/** Whether a pointer leads to a value or, for one that is missing, into one. */
function exists(value: unknown, pointer: string): boolean {
  const names = pointer
    .split('/')
    .slice(2)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  let parent = value;
  for (const name of names.slice(0, -1)) {
    if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, name)) return false;
    parent = parent[name as never];
  }
  return pointer.startsWith('/body') && (names.length === 0 || (typeof parent === 'object' && parent !== null));
}

test('no body fails otherwise than by 400 with pointers that exist', async () => {
  await fc.assert(
    fc.asyncProperty(anyBody, async (value) => {
      const { status, body } = await post(value);
      if (status === 200) return;
      expect([status, body.message]).toEqual([400, expect.any(String)]);
      expect(body.errors.length).toBeGreaterThan(0);
      const sent = JSON.parse(JSON.stringify(value));
      for (const { pointer } of body.errors) expect(exists(sent, pointer), pointer).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
