/**
 * Headers that a contract declares: required ones are parameters, others options; a response says where its result will be. Beside it,
 * other successes may have other statuses.
 */
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Json } from './json.ts';
import { served } from './served.ts';
import { ROOT } from './workspace.ts';

const CONTRACT = `
openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
servers: [{ url: https://api.shop.example/v1 }]
paths:
  /orders/{orderId}:
    put:
      operationId: replaceOrder
      parameters:
        - { name: orderId, in: path, required: true, schema: { type: integer } }
        - { name: If-Match, in: header, required: true, schema: { type: string } }
        - { name: Accept-Language, in: header, schema: { type: string } }
      requestBody: { content: { application/json: { schema: { type: object, properties: { title: { type: string } } } } } }
      responses:
        '200': { description: The order., headers: { ETag: { required: true, schema: { type: string } } }, content: { application/json: { schema: { type: object, properties: { language: { type: string } } } } } }
        '412': { description: Another version is stored. }
  /exports:
    post:
      operationId: startExport
      parameters: [{ name: Prefer, in: header, schema: { type: string } }]
      responses:
        '200': { description: Exported., content: { application/json: { schema: { type: array, items: { type: string } } } } }
        '202': { description: Started., headers: { Location: { required: true, schema: { type: string } } }, content: { application/json: { schema: { type: object, properties: { id: { type: string } } } } } }
        '204': { description: Nothing to export. }
`;

const { etag, requireMatch }: Json = await import(path.join(ROOT, 'packages/server-runtime/src/index.ts'));
const { client } = await served('shop.yaml', CONTRACT, ({ write }) => ({
  replaceOrder: write('replaceOrder', async ({ headers }: Json) => {
    requireMatch(headers['if-match'], etag(3));
    return { status: 200, headers: { ETag: etag(4) }, body: { language: headers['accept-language'] } };
  }),
  startExport: write('startExport', async ({ headers: { prefer } }: Json) => {
    if (prefer === 'wait=9') return { status: 200, body: ['a', 'b'] };
    if (prefer === undefined) return { status: 204 };
    return { status: 202, headers: { Location: `/v1/exports/7?${prefer}` }, body: { id: '7' } };
  }),
}));

test('a required header is a parameter of the method, another one an option', async () => {
  const call = client.replaceOrder({ orderId: 1, 'If-Match': '"3"' }, {}, { headers: { 'Accept-Language': 'de' } });
  const { data, response } = await call.withResponse();
  expect([data, response.headers.get('ETag')]).toEqual([{ language: 'de' }, '"4"']);
});

test('another version is refused, and a request without the header', async () => {
  const statusOf = (parameters: object) =>
    client.replaceOrder(parameters, {}).catch(({ status, errors }: Json) => [status, errors]);
  expect(await statusOf({ orderId: 1, 'If-Match': '"2"' })).toEqual([412, []]);
  expect(await statusOf({ orderId: 1 })).toEqual([400, [{ pointer: '/header/if-match', message: 'is required' }]]);
  await expect(client.replaceOrder({ orderId: 1, 'If-Match': 'a\nb' }, {})).rejects.toThrow('cannot be sent');
  await expect(client.replaceOrder({ orderId: 1, 'If-match': '"3"' }, {})).rejects.toThrow(
    'unknown parameter "If-match"',
  );
});

test('a result that comes later is where the `Location` leads', async () => {
  const { data, response } = await client.startExport({ headers: { Prefer: 'respond-async' } }).withResponse();
  expect([response.status, data]).toEqual([202, { id: '7' }]);
  expect(response.headers.get('Location')).toBe('/v1/exports/7?respond-async');
});

test('of several successes, each has its own data', async () => {
  const resultOf = async (headers: object) => {
    const { data, response } = await client.startExport({ headers }).withResponse();
    return [response.status, data];
  };
  expect(await resultOf({ Prefer: 'wait=9' })).toEqual([200, ['a', 'b']]);
  expect(await resultOf({})).toEqual([204, undefined]);
});
