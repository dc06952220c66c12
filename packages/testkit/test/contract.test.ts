import { describe, expect, test } from 'vitest';
import { contractOf } from '../src/contract.ts';

const limit = { required: true, schema: { type: 'integer', minimum: 0 } };
const policy = { required: true, schema: { type: 'string', pattern: '^"[a-z]+";r=\\d+;t=\\d+$' } };
const link = { schema: { type: 'string', pattern: '^<[^>]+>; rel="[a-z]+"$' } };
const json = (schema: object) => ({ 'application/json': { schema } });
const failure = { headers: { 'X-RateLimit-Limit': limit }, content: json({ $ref: '#/components/schemas/Error' }) };

const { expectContract } = contractOf({
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
    '/notes/{id}': { delete: { operationId: 'deleteNote', responses: { 204: {}, default: failure } } },
  },
  components: {
    schemas: {
      Error: {
        type: 'object',
        required: ['code', 'message', 'status'],
        properties: {
          code: { type: 'string', 'x-extensible-enum': ['rate_limit_exceeded', 'internal_error', 'not_found'] },
          message: { type: 'string' },
          status: { type: 'integer' },
        },
      },
      Text: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
      Note: {
        allOf: [{ $ref: '#/components/schemas/Text' }, { properties: { id: { type: 'integer' } }, required: ['id'] }],
      },
    },
  },
});

const headers = { 'Content-Type': 'application/json', 'X-RateLimit-Limit': '60', RateLimit: '"minute";r=1;t=2' };
const notes = [{ id: 1, text: 'x' }];
const refusal = { code: 'rate_limit_exceeded', message: 'x', status: 429 };

/** Judges a response, by default a correct one. */
function judge({ status = 200, method = 'GET', path = '/v1/notes', more = {}, body = notes as unknown } = {}) {
  const all = Object.entries({ ...headers, ...more }).filter(([, value]) => value !== undefined);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return () => expectContract(method, path, { status, headers: new Headers(all as [string, string][]) }, text);
}

describe('a correct response passes', () => {
  const none = { 'Content-Type': undefined, 'X-RateLimit-Limit': undefined, RateLimit: undefined };
  test.for([
    ['a page', {}],
    ['a page with a link', { more: { Link: '</v1/notes?cursor=x>; rel="next"' } }],
    ['with headers of HTTP', { more: { Date: 'Thu, 05 Dec 2030 00:00:00 GMT', 'X-Request-Id': 'a-1' } }],
    ['a refusal', { status: 429, more: { RateLimit: undefined }, body: refusal }],
    ['no content', { status: 204, method: 'DELETE', path: '/v1/notes/7', more: none, body: '' }],
    ['a HEAD', { method: 'HEAD', body: '' }],
    ['outside the API', { path: '/docs', body: '<html>' }],
    ['outside the API, by an encoded slash', { path: '/v1%2Fnotes', body: '<html>' }],
  ] as const)('%s', ([, response]) => judge(response)());
});

describe('is refused', () => {
  test.for([
    ['another property', { body: [{ ...notes[0], key_hash: 'x' }] }, 'unevaluated'],
    [
      'another property of a failure',
      { status: 429, more: { RateLimit: undefined }, body: { ...refusal, stack: '' } },
      'unevaluated',
    ],
    ['a missing property', { body: [{ id: 1 }] }, "required property 'text'"],
    ['an undeclared header', { more: { 'X-Powered-By': 'x' } }, 'header x-powered-by is not declared'],
    ['a missing header', { more: { 'X-RateLimit-Limit': undefined } }, 'header x-ratelimit-limit is missing'],
    ['a header that is no number', { more: { 'X-RateLimit-Limit': '-' } }, 'header x-ratelimit-limit is -'],
    ['a RateLimit that is none', { more: { RateLimit: 'garbage' } }, 'header ratelimit is garbage'],
    ['a Link that is none', { more: { Link: 'next' } }, 'header link is next'],
    ['an invalid Date', { more: { Date: 'today' } }, 'header date is today'],
    ['an unknown status', { status: 418, body: { ...refusal, status: 418 } }, 'the status is not declared'],
    [
      'an unknown code',
      { status: 429, more: { RateLimit: undefined }, body: { ...refusal, code: 'x' } },
      'allowed values',
    ],
    ['another status in the body', { status: 500, more: { RateLimit: undefined }, body: refusal }, 'the body says'],
    ['HTML', { more: { 'Content-Type': 'text/html' } }, 'the Content-Type is text/html'],
    ['no JSON', { body: '[' }, 'JSON'],
    ['a body of a HEAD', { method: 'HEAD' }, 'a HEAD has a body'],
    ['a body of a 204', { status: 204, method: 'DELETE', path: '/v1/notes/7', body: 'x' }, 'header'],
    ['a success of an unknown path', { path: '/v1/other' }, 'the status is not declared'],
  ] as const)('%s', ([, response, message]) => expect(judge(response)).toThrow(message));
});
