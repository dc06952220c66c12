import { expect, test } from 'vitest';
import { app } from '../example/app.ts';

test.each<[string, string | undefined, number, unknown]>([
  ['/orders', undefined, 200, { query: { limit: 20 } }],
  ['/orders?limit=5&sizes=S,M', undefined, 200, { query: { limit: 5, sizes: ['S', 'M'] } }],
  ['/orders?limit=0x5', undefined, 400, [{ pointer: '/query/limit', message: 'must be an integer' }]],
  ['/orders?page=2', undefined, 400, [{ pointer: '/query/page', message: 'is unknown' }]],
  ['/orders/7', undefined, 200, { id: 7 }],
  ['/orders/seven', undefined, 404, undefined],
  ['/orders', '{"sku":"ABC-1","count":2}', 200, { sku: 'ABC-1', count: 2 }],
  [
    '/orders',
    '{"sku":"abc","count":"2","note":""}',
    400,
    [
      { pointer: '/body/sku', message: 'must match pattern "^[A-Z]{3}-\\d+$"' },
      { pointer: '/body/count', message: 'must be an integer' },
      { pointer: '/body/note', message: 'is unknown' },
    ],
  ],
  [
    '/orders',
    '{"sku":"ABC-1","count":9007199254740993}',
    400,
    [{ pointer: '/body/count', message: 'is a number that is not kept exactly' }],
  ],
  ['/orders', '', 400, [{ pointer: '/body', message: 'is required' }]],
])('the example answers %s %s with %i', async (url, payload, status, expected) => {
  const headers = { 'content-type': 'application/json' };
  const response = await app.inject(payload === undefined ? { url } : { method: 'POST', url, payload, headers });
  const body = response.json();
  expect([response.statusCode, status === 200 ? body : body.errors]).toEqual([status, expected]);
});
