import { contractOf } from '../src/contract.ts';

const limit = { required: true, schema: { type: 'integer', minimum: 0 } };
const policy = { required: true, schema: { type: 'string', pattern: '^"[a-z]+";r=\\d+;t=\\d+$' } };
const link = { schema: { type: 'string', pattern: '^<[^>]+>; rel="[a-z]+"$' } };
const json = (schema: object) => ({ 'application/json': { schema } });
const failure = { headers: { 'X-RateLimit-Limit': limit }, content: json({ $ref: '#/components/schemas/Error' }) };

/** The contract of a small service. */
export const notes = contractOf({
  servers: [{ url: 'https://notes.example/v1' }],
  paths: {
    '/notes': {
      get: {
        operationId: 'listNotes',
        responses: {
          200: {
            headers: { 'X-RateLimit-Limit': limit, RateLimit: policy, Link: link },
            content: json({ type: 'array', items: { $ref: '#/components/schemas/Note' } }),
          },
          429: failure,
          default: failure,
        },
      },
    },
    '/notes/{id}/scan': {
      get: { operationId: 'scanNote', responses: { 200: { content: { 'application/pdf': {}, 'image/*': {} } } } },
    },
    '/notes/{id}': { delete: { operationId: 'deleteNote', responses: { 204: {}, default: failure } } },
  },
  components: {
    schemas: {
      Error: {
        type: 'object',
        required: ['code', 'message', 'status'],
        properties: {
          code: {
            type: 'string',
            'x-extensible-enum': ['invalid_request', 'rate_limit_exceeded', 'internal_error', 'not_found'],
          },
          message: { type: 'string' },
          status: { type: 'integer' },
        },
      },
      Text: {
        type: 'object',
        required: ['text'],
        properties: { text: { type: 'string' } },
        // Data that look like schemas with the same id.
        example: { $id: 'text' },
        'x-topics': { $id: 'text', type: 'string' },
      },
      Note: {
        allOf: [{ $ref: '#/components/schemas/Text' }, { properties: { id: { type: 'integer' } }, required: ['id'] }],
      },
    },
  },
});
