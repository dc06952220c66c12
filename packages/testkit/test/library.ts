import { contractOf } from '../src/contract.ts';

const headers = {
  'Library-Card': { required: true, schema: { type: 'string', pattern: '^card-\\d+$' } },
  'Books-Left': { $ref: '#/components/headers/Books-Left' },
};

const failure = (description: string) => ({
  description,
  headers,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
});

const json = (schema: object) => ({ 'application/json': { schema } });

/** The contract of another service. */
export const library = contractOf({
  servers: [{ url: 'https://library.example/v2/' }],
  paths: {
    '/books': {
      get: {
        operationId: 'listBooks',
        parameters: [{ name: 'shelf', in: 'query', required: true, example: 'a b' }],
        responses: {
          200: {
            description: 'A page.',
            headers: { ...headers, Link: { schema: { type: 'string', pattern: '^<[^<>]+>; rel="[a-z]+"$' } } },
            content: json({ type: 'array', items: { $ref: '#/components/schemas/Book' } }),
          },
          default: { $ref: '#/components/responses/Other' },
        },
      },
      post: {
        operationId: 'addBook',
        parameters: [{ $ref: '#/components/parameters/Idempotency' }],
        requestBody: { content: { 'application/json': { example: { title: 'Emma' } } } },
        responses: {
          201: { description: 'Added.', headers, content: json({ $ref: '#/components/schemas/Book' }) },
          401: failure('No card.'),
          default: { $ref: '#/components/responses/Other' },
        },
      },
    },
    '/books/newest': {
      get: {
        operationId: 'getNewest',
        responses: { 200: { description: 'The newest.', content: json({ $ref: '#/components/schemas/Novel' }) } },
      },
    },
    '/books/{book}': {
      parameters: [{ name: 'book', in: 'path', required: true, schema: { example: 7 } }],
      delete: {
        operationId: 'deleteBook',
        deprecated: true,
        responses: {
          204: {
            description: 'Gone.',
            headers: { ...headers, Sunset: { required: true, schema: { type: 'string' } } },
          },
          404: failure('No such book.'),
          default: { $ref: '#/components/responses/Other' },
        },
      },
    },
  },
  components: {
    parameters: { Idempotency: { name: 'Idempotency-Key', in: 'header' } },
    headers: { 'Books-Left': { schema: { type: 'integer', minimum: 0 } } },
    responses: { Other: failure('Any other.') },
    schemas: {
      Book: {
        type: 'object',
        required: ['title'],
        properties: {
          title: { type: 'string' },
          author: { type: 'object', properties: { name: { type: 'string' } } },
          tags: {
            type: 'object',
            additionalProperties: { type: 'object', properties: { weight: { type: 'number' } } },
          },
          notes: { type: 'object', additionalProperties: true },
        },
      },
      Novel: {
        allOf: [
          { $ref: '#/components/schemas/Book' },
          { properties: { pages: { type: 'integer' }, hero: { properties: { name: true } } } },
        ],
      },
      Failure: {
        type: 'object',
        required: ['code', 'status'],
        properties: {
          code: { type: 'string', 'x-extensible-enum': ['lost', 'closed', 'invalid_request'] },
          status: { type: 'integer' },
        },
      },
    },
  },
} as Parameters<typeof contractOf>[0]);
