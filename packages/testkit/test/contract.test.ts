import { describe, expect, test } from 'vitest';
import { notes } from './notes.ts';

const headers = { 'Content-Type': 'application/json', 'X-RateLimit-Limit': '60', RateLimit: '"minute";r=1;t=2' };
const page = [{ id: 1, text: 'x' }];
const refusal = { code: 'rate_limit_exceeded', message: 'x', status: 429 };
const limited = { status: 429, more: { RateLimit: undefined } };

/** Judges a response, by default a correct one. */
function judge({ status = 200, method = 'GET', path = '/v1/notes', more = {}, body = page as unknown } = {}) {
  const all = Object.entries({ ...headers, ...more }).filter(([, value]) => value !== undefined);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return () => notes.expectContract(method, path, { status, headers: new Headers(all as [string, string][]) }, text);
}

describe('a correct response passes', () => {
  const none = { 'Content-Type': undefined, 'X-RateLimit-Limit': undefined, RateLimit: undefined };
  test.for([
    ['a page', {}],
    ['a page with a link', { more: { Link: '</v1/notes?cursor=x>; rel="next"' } }],
    ['with headers of HTTP', { more: { Date: 'Thu, 05 Dec 2030 00:00:00 GMT', 'X-Request-Id': 'a-1' } }],
    ['a refusal', { ...limited, body: refusal }],
    ['no content', { status: 204, method: 'DELETE', path: '/v1/notes/7', more: none, body: '' }],
    ...['application/pdf', 'image/jp2'].map((type) => {
      const more = { ...none, 'Content-Type': type, 'Content-Security-Policy': "default-src 'none'; sandbox" };
      return [type, { path: '/v1/notes/7/scan', more, body: '%' }] as const;
    }),
    ['a HEAD', { method: 'HEAD', body: '' }],
    ['outside the API', { path: '/docs', body: '<html>' }],
    ['outside the API, by an encoded slash', { path: '/v1%2Fnotes', body: '<html>' }],
  ] as const)('%s', ([, response]) => judge(response)());
});

describe('is refused', () => {
  test.for([
    ['another property', { body: [{ ...page[0], key_hash: 'x' }] }, 'unevaluated'],
    ['another property of a failure', { ...limited, body: { ...refusal, stack: '' } }, 'unevaluated'],
    ['a missing property', { body: [{ id: 1 }] }, "required property 'text'"],
    ['an undeclared header', { more: { 'X-Powered-By': 'x' } }, 'header x-powered-by is not declared'],
    ['a missing header', { more: { 'X-RateLimit-Limit': undefined } }, 'header x-ratelimit-limit is missing'],
    ['a header that is no number', { more: { 'X-RateLimit-Limit': '-' } }, 'header x-ratelimit-limit is -'],
    ['a RateLimit that is none', { more: { RateLimit: 'garbage' } }, 'header ratelimit is garbage'],
    ['a Link that is none', { more: { Link: 'next' } }, 'header link is next'],
    ['an invalid Date', { more: { Date: 'today' } }, 'header date is today'],
    ['an unknown status', { status: 418, body: { ...refusal, status: 418 } }, 'the status is not declared'],
    ['an unknown code', { ...limited, body: { ...refusal, code: 'x' } }, 'allowed values'],
    ['another status in the body', { ...limited, status: 500, body: refusal }, 'the body says'],
    ['HTML', { more: { 'Content-Type': 'text/html' } }, 'the Content-Type is text/html'],
    ['HTML for a file', { path: '/v1/notes/7/scan', more: { 'Content-Type': 'text/html' } }, 'header'],
    ['no JSON', { body: '[' }, 'JSON'],
    ['a body of a HEAD', { method: 'HEAD' }, 'a HEAD has a body'],
    ['a body of a 204', { status: 204, method: 'DELETE', path: '/v1/notes/7', body: 'x' }, 'header'],
    ['a success of an unknown path', { path: '/v1/other' }, 'the status is not declared'],
  ] as const)('%s', ([, response, message]) => expect(judge(response)).toThrow(message));
});
