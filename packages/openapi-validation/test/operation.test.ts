import type { RouteShorthandOptions } from 'fastify';
import { afterAll, describe, expect, test } from 'vitest';
import { type Operation, type Parameter, type Style, sentQuery } from '../src/index.ts';
import { validatingServer } from './support.ts';

const style = (name: Style['style'], explode: boolean, of: Style['of'] = 'list'): Style => ({
  style: name,
  explode,
  of,
});
const tags = { type: 'array', items: { type: 'string', minLength: 1 } };
const shelf: Parameter = { in: 'path', name: 'shelf', required: true, schema: { type: 'integer' } };
const inQuery = (name: string, schema: object, style?: Style): Parameter => ({
  in: 'query',
  name,
  required: false,
  schema,
  ...(style && { style }),
});
const near = { ...style('form', true, 'object'), names: ['lat'] };
const list: Operation = {
  parameters: [
    shelf,
    { in: 'header', name: 'X-Trace', required: true, schema: { type: 'integer' } },
    inQuery('tags', { $ref: '#/components/schemas/Tags' }),
    inQuery('near', { type: 'object', properties: { lat: { type: 'number' } } }, near),
    inQuery('size', { type: 'object' }, style('deepObject', true, 'object')),
    inQuery('sort', { type: 'array' }, style('pipeDelimited', false)),
    inQuery('fields', { type: 'array' }, style('form', false)),
    inQuery('cursor', { type: 'string' }),
  ],
};
const pages = {
  type: 'object',
  properties: { pages: { type: 'integer' }, tags: { $ref: '#/components/schemas/Tags' }, size: { type: 'object' } },
};
const add: Operation = {
  parameters: [shelf],
  body: {
    required: false,
    media: { type: 'application/x-www-form-urlencoded', kind: 'form' },
    styles: { size: style('deepObject', true, 'object') },
    schema: pages,
  },
};

describe('operations are served', async () => {
  const app = await validatingServer({ schemas: { Tags: tags } });
  app.get('/shelves/:shelf/books', { config: { openapi: list } }, async ({ params, query }) => {
    return { params, query, next: sentQuery(query as object, { cursor: 'new' }).join('&') };
  });
  app.post('/shelves/:shelf/books', { config: { openapi: add } }, async ({ body }) => ({ body }));
  afterAll(() => app.close());

  test('with all styles', async () => {
    const url = '/shelves/7/books?tags=a&tags=b&lat=1.5&size[a%20b]=2&sort=x|y&fields=a%2Cb,>&cursor=old';
    const { statusCode, body } = await app.inject({ url, headers: { 'x-trace': '5' } });
    const plain = { tags: ['a', 'b'], near: { lat: 1.5 }, size: { 'a b': '2' }, sort: ['x', 'y'] };
    const query = { ...plain, fields: ['a,b', '>'], cursor: 'old' };
    // The link to the next page has lists and objects as they were sent.
    const next = 'tags=a&tags=b&lat=1.5&size%5Ba+b%5D=2&sort=x%7Cy&fields=a%2Cb,%3E&cursor=new';
    expect([statusCode, JSON.parse(body)]).toEqual([200, { params: { shelf: 7 }, query, next }]);
    const missing = await app.inject({ url });
    expect(missing.json().errors).toEqual([{ pointer: '/header/x-trace', message: 'is required' }]);
  });

  test.each<[string, string, number, unknown]>([
    ['application/x-www-form-urlencoded', 'pages=12&tags=a', 200, { pages: 12, tags: ['a'] }],
    ['application/x-www-form-urlencoded', 'pages=&tags=a', 200, { tags: ['a'] }],
    ['application/x-www-form-urlencoded', 'pages=1e2', 400, 'body.pages must be an integer'],
    ['application/x-www-form-urlencoded', 'tags=%ff', 400, 'body has an invalid percent-encoding'],
    ['application/x-www-form-urlencoded', 'size[min]=1', 200, { size: { min: '1' } }],
    ['application/x-www-form-urlencoded', 'size=1&size[min]=1', 400, 'body.size must be an object'],
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
  ['application/json', 'json', undefined, 200],
  ['application/json', 'json', '', 200],
  ['application/json', 'json', 'null', 400],
  ['application/json', 'json', '{}', 200],
  ['application/x-www-form-urlencoded', 'form', undefined, 200],
] as const)('a body as %s (%s) that is not required, %j, answers %i', async (type, kind, payload, status) => {
  const app = await validatingServer();
  const schema = { type: 'object', properties: { pages: { type: 'integer' } } };
  const body = { required: false, media: { type, kind }, schema };
  app.post('/', { config: { openapi: { parameters: [], body } } }, async ({ body }) => ({ sent: body }));
  const headers = { 'content-type': type };
  const response = await app.inject({ method: 'POST', url: '/', ...(payload !== undefined && { payload, headers }) });
  expect([response.statusCode, response.json().sent]).toEqual([status, payload === '{}' ? {} : undefined]);
});

test.each<[string, RouteShorthandOptions, string]>([
  [
    'an operation',
    { config: { openapi: { parameters: [], body: { required: true, schema: { type: 'string' } } } } },
    '',
  ],
  ['a schema', { schema: { body: { type: 'string' } } }, 'text/xml'],
  ['a schema of JSON', { schema: { body: { content: { 'application/json': { schema: { type: 'string' } } } } } }, ''],
  [
    'a schema of texts',
    { schema: { body: { content: { 'text/plain': { schema: { type: 'string' } } } } } },
    'text/plain',
  ],
])('%s takes no other media type, though it is parsed', async (_name, options, others) => {
  const app = await validatingServer();
  app.addContentTypeParser('text/xml', { parseAs: 'string' }, async (_request: unknown, body: string) => body);
  app.post('/', options, async () => ({}));
  for (const type of ['text/plain', 'text/xml']) {
    const response = await app.inject({ method: 'POST', url: '/', payload: '"a"', headers: { 'content-type': type } });
    expect([type, response.statusCode]).toEqual([type, others === type ? 200 : 415]);
  }
});

test('a route without its operation fails at the start', async () => {
  const app = await validatingServer();
  expect(() => app.get('/', { config: { openapi: undefined } }, async () => '')).toThrow('GET / has no operation');
});
