import { afterAll, describe, expect, test } from 'vitest';
import { operationsOf } from '../src/index.ts';
import { validatingServer } from './support.ts';

const document = {
  paths: {
    '/shelves/{shelf}/books': {
      parameters: [
        { $ref: '#/components/parameters/Shelf' },
        { in: 'header', name: 'X-Trace', schema: { type: 'boolean' } },
      ],
      get: {
        operationId: 'list',
        parameters: [
          { in: 'header', name: 'X-Trace', required: true, schema: { type: 'integer' } },
          { in: 'header', name: 'Accept', required: true, schema: { type: 'string' } },
          { in: 'query', name: 'tags', schema: { $ref: '#/components/schemas/Tags' } },
          { in: 'query', name: 'near', schema: { type: 'object', properties: { lat: { type: 'number' } } } },
          { in: 'query', name: 'size', style: 'deepObject', explode: true, schema: { type: 'object' } },
          { in: 'query', name: 'sort', style: 'pipeDelimited', explode: false, schema: { type: 'array' } },
        ],
      },
      post: { operationId: 'add', requestBody: { $ref: '#/components/requestBodies/Book' } },
    },
  },
  components: {
    parameters: { Shelf: { in: 'path', name: 'shelf', required: true, schema: { type: 'integer' } } },
    schemas: { Tags: { type: 'array', items: { type: 'string', minLength: 1 } } },
    requestBodies: {
      Book: {
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              properties: { pages: { type: 'integer' }, tags: { $ref: '#/components/schemas/Tags' } },
            },
          },
        },
      },
    },
  },
};

describe('the operations of a document are served', async () => {
  const { list, add } = operationsOf(document);
  const app = await validatingServer({ schemas: document.components.schemas });
  app.get('/shelves/:shelf/books', { config: { openapi: list } }, async ({ params, query }) => ({ params, query }));
  app.post('/shelves/:shelf/books', { config: { openapi: add } }, async ({ body }) => ({ body }));
  afterAll(() => app.close());

  test('with the parameters of the path, those of the operation first, and all styles', async () => {
    const url = '/shelves/7/books?tags=a&tags=b&lat=1.5&size[min]=2&sort=x|y';
    const { statusCode, body } = await app.inject({ url, headers: { 'x-trace': '5' } });
    const query = { tags: ['a', 'b'], near: { lat: 1.5 }, size: { min: '2' }, sort: ['x', 'y'] };
    expect([statusCode, JSON.parse(body)]).toEqual([200, { params: { shelf: 7 }, query }]);
    const missing = await app.inject({ url });
    expect(missing.json().errors).toEqual([{ pointer: '/header/x-trace', message: 'is required' }]);
  });

  test.each<[string, string, number, unknown]>([
    ['application/x-www-form-urlencoded', 'pages=12&tags=a', 200, { pages: 12, tags: ['a'] }],
    ['application/x-www-form-urlencoded', 'pages=&tags=a', 200, { tags: ['a'] }],
    ['application/x-www-form-urlencoded', 'pages=1e2', 400, 'body.pages must be an integer'],
    ['application/x-www-form-urlencoded', 'tags=%ff', 400, 'body has an invalid percent-encoding'],
    ['application/json', '{"pages":12}', 415, 'Send the body as application/x-www-form-urlencoded'],
    ['application/x-www-form-urlencoded; charset=latin1', 'pages=12', 415, 'Send the body in UTF-8'],
  ])('%s %s answers %i', async (type, payload, status, expected) => {
    const headers = { 'content-type': type };
    const response = await app.inject({ method: 'POST', url: '/shelves/7/books', headers, payload });
    const { body, message } = response.json();
    expect([response.statusCode, body ?? message]).toEqual([status, expected]);
  });
});

test.each([
  { in: 'cookie', name: 'a', schema: { type: 'array' } },
  { in: 'path', name: 'a', style: 'matrix', schema: {} },
  { in: 'query', name: 'a', content: { 'application/json': {} } },
])('a parameter that cannot be validated fails at the start: %j', (parameter) => {
  const paths = { '/': { get: { operationId: 'get', parameters: [parameter] } } };
  expect(() => operationsOf({ paths })).toThrow('cannot be validated');
});

test('a route without its operation fails at the start', async () => {
  const app = await validatingServer();
  const { typo } = operationsOf(document);
  expect(() => app.get('/', { config: { openapi: typo } }, async () => '')).toThrow('GET / has no operation');
});
