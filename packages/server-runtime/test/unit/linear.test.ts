import { expectLinear } from '@petstore-platform/testkit/linear';
import { describe, expect, test } from 'vitest';
import { decodeCursor, kindOf } from '../../src/api/cursor.ts';
import { fingerprintOf } from '../../src/api/idempotency.ts';
import { loadConfig } from '../../src/config.ts';
import { requestId } from '../../src/http/requests.ts';
import { readTemplate } from '../../src/http/templates.ts';
import { trustNetworks, withoutPort } from '../../src/proxies.ts';
import { credentialReader } from '../../src/steps/4-authentication.ts';
import { isWellFormed } from '../support/runtime.ts';
import { sharedServer } from '../support/server.ts';

/** Makes a text of about `length` characters: a start, repetitions, an end. */
const run =
  (repeated: string, start = '', end = '') =>
  (length: number) =>
    start + repeated.repeat(length / repeated.length) + end;

const BODIES: [string, (length: number) => string][] = [
  ['zeros within a fraction', run('0', '{"z":1.', '1}')],
  ['zeros that end a fraction', run('0', '{"z":1.', '}')],
  ['zeros before a fraction', run('0', '{"z":-0.', '1}')],
  ['zeros of an exponent', run('0', '{"z":1e', '1}')],
  ['zeros of an integer', run('0', '{"z":1', 'e-5}')],
  ['nines', run('9', '{"z":', '.5}')],
  ['fractions', run('1.0,', '[', '1]')],
  ['objects in objects', run('{"a":', '', '1')],
  ['brackets', run('[')],
  ['escapes', run('\\u0000', '{"title":"', '"}')],
  ['surrogates', run('\\ud800', '{"title":"', '"}')],
  [
    'fields',
    (length) => JSON.stringify(Object.fromEntries(Array.from({ length: length / 10 }, (_, i) => [`a${i}`, 1]))),
  ],
];

describe('64 kB take linear time as', () => {
  const TEXTS = [
    ' ',
    '=',
    '-',
    '-x',
    '%2D',
    '%C3%A9',
    '.',
    ':',
    '[',
    ']',
    '1',
    'A',
    '+/',
    'bearer ',
    ',',
    ' ,',
    'a&',
  ].map((text) => run(text));
  const template = readTemplate('/p/{a}-{b}-{c}-{d}:x');
  const PARSERS: Record<string, (text: string) => unknown> = {
    'a bearer token': (token) => authorize(`Bearer ${token}`),
    'an Authorization': (header) => authorize(header),
    'an Authorization of spaces': (spaces) => authorize(`Bearer ${spaces}\u0000`),
    'a token that ends in =': (text) => authorize(`Bearer a${text}!`),
    'a Basic user': (text) => authorize(`Basic ${Buffer.from(text).toString('base64')}`),
    'a Cookie': (cookie) => readOf('cookie')({ method: 'GET', headers: { cookie } } as never),
    'a path': (text) => template.valuesOf({}, `/p/${text}`),
    'an API key': (text) => isWellFormed(`bookstore_${text}`),
    'a fingerprint of arrays': (text) =>
      fingerprintOf(JSON.parse('['.repeat(text.length / 4) + ']'.repeat(text.length / 4))),
    'a cursor': (text) =>
      decodeCursor('list', Buffer.from(`list:${text}.`).toString('base64url'), [kindOf('bigint')], true),
    'any cursor': (text) => decodeCursor('list', text, [kindOf('bigint')], true),
    'a forwarded address': withoutPort,
    'a forwarded address in brackets': (text) => withoutPort(`[${text}`),
    'an address of a proxy': (text) => trustNetworks([text]),
    'an X-Request-Id': (id) => requestId({ headers: { 'x-request-id': id }, socket: {} } as never, () => true),
    'a TRUST_PROXY': (value) => loadConfig({ DATABASE_URL: 'postgres://localhost/', TRUST_PROXY: value }),
  };
  test.each(Object.entries(PARSERS))('%s', async (_name, parse) => {
    for (const text of TEXTS) await expectLinear(parse, text);
  });

  function authorize(authorization: string): unknown {
    const places = ['bearer', 'basic'] as const;
    return places.map((place) => readOf(place)({ headers: { authorization } } as never));
  }

  function readOf(place: 'bearer' | 'basic' | 'cookie') {
    const credential = { kind: 'key', in: place, name: 'key' } as const;
    return credentialReader(credential, [credential], { origins: [] });
  }
});

describe('the whole server takes linear time for', () => {
  const server = sharedServer();

  test.each(BODIES)('a body of %s', async (_name, worstCase) => {
    const response = await expectLinear(
      async (body: string) =>
        (await server.request('/v1/books', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }))
          .status,
      // The body's limit counts its frame, too.
      (length) => worstCase(length * 0.9),
    );
    expect(response).toBe(400);
  });

  // The texts stay below Node's limit of 16 kB for all headers.
  test.each<[string, (text: string) => [path: string, headers: Record<string, string>]]>([
    ['a path', (text) => [`/v1/books/${text}`, {}]],
    ['a query', (text) => [`/v1/books?limit=${text}`, {}]],
    ['the names of a query', (text) => [`/v1/books?${text}`, {}]],
    ['an Idempotency-Key', (text) => ['/v1/books', { 'Idempotency-Key': `"${text}` }]],
    ['an Accept-Encoding', (text) => ['/openapi.json', { 'Accept-Encoding': text }]],
    ['an Origin', (text) => ['/v1/books', { Origin: text }]],
    ['an X-Forwarded-For', (text) => ['/v1/books', { 'X-Forwarded-For': text }]],
  ])('%s', async (_name, request) => {
    for (const text of ['a', '/', '%41', '&', '"', 'gzip;q=0', 'gzip ', ', ', '1', '.'])
      await expectLinear(
        async (value: string) => {
          const [path, headers] = request(value);
          return (await fetch(server.origin + path, { headers })).arrayBuffer();
        },
        (length) => run(text)(length / 6),
      );
  });
});
