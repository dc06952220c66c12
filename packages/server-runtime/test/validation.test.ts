import { registerValidation } from '@repo/server-runtime/internal/http/validation';
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';

const app = Fastify();
const operation = {
  queryParameters: ['ids', 'tags', 'near', 'open', 'limit', 'country', 'least'],
  bodyRequired: false,
};
app.addHook('onRequest', (request, _reply, done) => {
  Object.assign(request.raw, { exchange: { operation } });
  done();
});
registerValidation(app);
const querystring = {
  type: 'object',
  properties: {
    ids: { type: 'array', items: { type: 'integer' }, maxItems: 3 },
    tags: { type: 'array', items: { type: 'string', enum: ['new', 'used'] } },
    near: { type: 'number' },
    open: { type: 'boolean', default: false },
    limit: { type: ['integer', 'null'] },
    // Known to readers of the contract only.
    country: { type: 'string', format: 'iso-country-code' },
    least: { type: 'string', format: 'decimal' },
  },
};
app.get('/', { schema: { querystring } }, async ({ query }) => query);
afterAll(() => app.close());

test.each<[string, object | string]>([
  ['', {}],
  ['ids=1&ids=-2', { ids: [1, -2] }],
  ['ids=7', { ids: [7] }],
  ['tags=new&tags=used', { tags: ['new', 'used'] }],
  ['near=-1.50&open=true&limit=007', { near: -1.5, open: true, limit: 7 }],
  ['country=DE&least=12.50', { country: 'DE', least: '12.50' }],
  ['ids=1&ids=2&ids=3&ids=4', 'query parameter ids must NOT have more than 3 items'],
  ['ids=1&ids=x', 'query parameter ids.1 must be an integer'],
  ['ids=', 'query parameter ids.0 must be an integer'],
  ['tags=old', 'query parameter tags.0 must be one of new, used'],
  ['near=1e3', 'query parameter near must be a number'],
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
