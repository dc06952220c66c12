import { afterAll, expect, test } from 'vitest';
import { validatingServer } from './support.ts';

const querystring = {
  type: 'object',
  properties: {
    ids: { type: 'array', items: { type: 'integer' }, maxItems: 3 },
    tags: { type: 'array', items: { type: 'string', enum: ['new', 'used'] } },
    near: { type: 'number' },
    level: { enum: [1, 2.5] },
    open: { type: 'boolean', default: false },
    limit: { type: ['integer', 'null'] },
    // Only readers of the contract know this format.
    country: { type: 'string', format: 'iso-country-code' },
    least: { type: 'string', format: 'decimal' },
  },
};
const app = await validatingServer();
app.get('/', { schema: { querystring } }, async ({ query }) => query);
const card = {
  type: 'object',
  required: ['method', 'lastFour'],
  properties: { method: { const: 'card' }, lastFour: { type: 'string', pattern: '^\\d{4}$' } },
};
const transfer = {
  type: 'object',
  required: ['method', 'iban'],
  properties: { method: { enum: ['sepa', 'wire'] }, iban: { type: 'string', pattern: '^[A-Z0-9]*$' } },
};
const payment = {
  type: 'object',
  properties: {
    by: { oneOf: [card, transfer, { type: 'null' }] },
    parts: { type: 'array', minItems: 1, items: { anyOf: [card, transfer] } },
    id: { oneOf: [{ type: 'integer' }, { type: 'null' }] },
  },
};
app.post('/payments', { schema: { body: payment } }, async ({ body }) => body);
afterAll(() => app.close());

test.each<[string, object | string]>([
  ['', {}],
  ['ids=1&ids=-2', { ids: [1, -2] }],
  ['ids=7', { ids: [7] }],
  ['tags=new&tags=used', { tags: ['new', 'used'] }],
  ['near=-1.50&open=true&limit=007', { near: -1.5, open: true, limit: 7 }],
  ['country=DE&least=12.50', { country: 'DE', least: '12.50' }],
  ['ids=1&ids=2&ids=3&ids=4', 'query parameter ids must have at most 3 items'],
  ['ids=1&ids=x', 'query parameter ids.1 must be an integer'],
  ['ids=', 'query parameter ids.0 must be an integer'],
  ['tags=old', 'query parameter tags.0 must be one of new, used'],
  ['level=2.5', { level: 2.5 }],
  ['near=1e3', { near: 1_000 }],
  ['near=-1E-7', { near: -1e-7 }],
  ['near=1e-400', 'query parameter near must be a number'],
  ['near=1e400', 'query parameter near must be a number'],
  ['near=12345678901234567890', 'query parameter near is a number that is not kept exactly'],
  ['ids=9007199254740993', 'query parameter ids is a number that is not kept exactly'],
  ['limit=1e1', 'query parameter limit must be an integer or null'],
  ['tags=%ZZ', 'query has an invalid percent-encoding'],
  ['tags=%ff', 'query has an invalid percent-encoding'],
  ['open=1', 'query parameter open must be a boolean'],
  ['open=true&open=true', 'query parameter open is given more than once'],
  ['least=1e3', 'query parameter least must match format "decimal"'],
  ['other=1', 'query parameter other is unknown'],
])('%s', async (query, expected) => {
  const response = await app.inject(`/?${query}`);
  const body = response.json();
  if (typeof expected === 'string') expect(body.message).toBe(expected);
  else expect(body).toEqual({ open: false, ...expected });
});

test.each([
  [{ by: { method: 'card', lastFour: '12' } }, '/body/by/lastFour', 'must match pattern "^\\d{4}$"'],
  [{ by: { method: 'wire' } }, '/body/by/iban', 'is required'],
  [{ by: { method: 'wire', iban: 'de' } }, '/body/by/iban', 'contains an invalid character'],
  [{ by: { method: 'cash' } }, '/body/by/method', 'must be one of card, sepa, wire'],
  [{ by: { lastFour: '1234' } }, '/body/by/method', 'is required'],
  [{ by: 1 }, '/body/by', 'must be an object'],
  [{ parts: [{ method: 'card', lastFour: '1234' }, { method: 'sepa' }] }, '/body/parts/1/iban', 'is required'],
  [{ parts: [] }, '/body/parts', 'must not be empty'],
  [{ id: 'x' }, '/body/id', 'must be an integer'],
])('%j fails by the alternative that it names', async (payload, pointer, reason) => {
  const { message, errors } = (await app.inject({ method: 'POST', url: '/payments', payload })).json();
  expect(errors).toEqual([{ pointer, message: reason }]);
  expect(message).toBe(`${pointer.slice(1).replaceAll('/', '.')} ${reason}`);
});
