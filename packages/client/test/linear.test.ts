import { expectLinear } from '@petstore/testkit/linear';
import { describe, expect, test } from 'vitest';
import { linkTarget, metadata, parseDeprecation, parseRateLimit, parseRetryAfter } from '../src/headers.ts';
import { createClient, isPetstoreError } from '../src/index.ts';
import { apiKey } from './helpers.ts';

type WorstCase = (length: number) => string;

/** A text of about `length` characters: a start, repetitions, an end. */
const run =
  (repeated: string, start = '', end = ''): WorstCase =>
  (length) =>
    start + repeated.repeat(length / repeated.length) + end;

const RUNS = [
  ...[
    ' ',
    '0',
    '9',
    '"',
    '\\',
    ',',
    ';',
    '<',
    '>',
    '=',
    '/',
    '@',
    '<>',
    '< ',
    ';q',
    '; rel=',
    '</>;',
    'rel ',
    '";',
  ].map((text) => run(text)),
  run(' ', '</v1>', 'x'),
  run('; ', '</v1>', 'rel'),
  run(';rel ', '</v1>', '='),
  run(' ', '</v1>; rel="', 'x'),
  run('a', '"', '\\'),
  run('a/', 'https://', '@'),
  run('0', '1', 'x'),
  run('0', '@', 'x'),
];

describe('a header of 64 kB takes linear time:', () => {
  const HEADERS: Record<string, (headers: Headers) => unknown> = {
    'Retry-After': (headers) => parseRetryAfter(headers.get('Retry-After'), 0),
    'X-RateLimit-Limit': metadata,
    'RateLimit-Policy': (headers) => parseRateLimit(headers, 0),
    RateLimit: (headers) => parseRateLimit(headers, 0),
    Link: (headers) => linkTarget(headers, 'next', 'http://localhost/v1/pets'),
    Deprecation: (headers) => parseDeprecation('getPet', headers, 'http://localhost/v1/pets/1'),
    Sunset: (headers) => parseDeprecation('getPet', headers, 'http://localhost/v1/pets/1'),
    Date: metadata,
  };
  test.each(Object.entries(HEADERS))('%s', async (name, parse) => {
    const counts = { 'X-RateLimit-Limit': '1', 'X-RateLimit-Remaining': '1', 'X-RateLimit-Reset': '1' };
    for (const worstCase of RUNS)
      await expectLinear(parse, (length) => new Headers({ ...counts, [name]: worstCase(length) }));
  });
});

test('a RateLimit that repeats a name with a long policy takes linear time', async () => {
  const repeat = (text: string, length: number) => text.repeat(length / text.length);
  const counts = { 'X-RateLimit-Limit': '1', 'X-RateLimit-Remaining': '1', 'X-RateLimit-Reset': '1' };
  await expectLinear(
    (headers: Headers) => parseRateLimit(headers, 0),
    (length) =>
      new Headers({
        ...counts,
        RateLimit: repeat('"m",', length),
        'RateLimit-Policy': `"m"${repeat(';q=1x', length)}`,
      }),
  );
});

describe('a response of 64 kB takes linear time:', () => {
  const call = (respond: () => Response) =>
    createClient({ apiKey, fetch: async () => respond(), maxRetries: 0 }).getPet({ petId: 1 });
  const bodies: [string, WorstCase][] = [
    ['spaces', run(' ')],
    ['line breaks', run('\n')],
    ['control characters', run('\u0001 ')],
    ['brackets', run('[')],
    ['digits', run('0', '{"id":1.', '1}')],
    ['the start of the key', run(apiKey.slice(0, -1))],
    ['the key', run(apiKey)],
    ['a message of spaces', run(' ', '{"code":"a","message":"', '"}')],
    ['a code of escapes', run('\\u0001', '{"message":"a","code":"', '"}')],
  ];

  test.each(bodies)('a body of %s', async (_name, worstCase) => {
    for (const status of [200, 400]) {
      const result = await expectLinear((body) => call(() => new Response(body, { status })), worstCase);
      if (status === 400) expect(isPetstoreError(result)).toBe(true);
    }
  });

  test.each(['Location', 'Content-Type', 'X-Request-Id', 'Link', 'Deprecation'])('the header %s', async (name) => {
    for (const status of [200, 302, 400])
      for (const worstCase of RUNS)
        await expectLinear(
          (value) => call(() => new Response('{"id":1}', { status, headers: { [name]: value } })),
          worstCase,
        );
  });
});

test('a baseUrl of 64 kB takes linear time', async () => {
  const parse = (baseUrl: string) => createClient({ apiKey, baseUrl });
  for (const end of ['', 'a']) await expectLinear(parse, run('/', 'http://localhost/v1', end));
});
