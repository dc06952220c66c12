import { expectLinear } from '@petstore-platform/testkit/linear';
import { createClient, isBookstoreError } from '@repo/bookstore';
import { describe, expect, test } from 'vitest';
import { apiKey } from './helpers.ts';

type WorstCase = (length: number) => string;

/** A text of about `length` characters: a start, repetitions, an end. */
const run =
  (repeated: string, start = '', end = ''): WorstCase =>
  (length) =>
    start + repeated.repeat(length / repeated.length) + end;

const RUNS = [
  ...[...' 09"\\,;<>=/@', '<>', '< ', ';q', '; rel=', '</>;', 'rel ', '";'].map((text) => run(text)),
  run(' ', '</v1>', 'x'),
  run('; ', '</v1>', 'rel'),
  run(';rel ', '</v1>', '='),
  run(' ', '</v1>; rel="', 'x'),
  run('a', '"', '\\'),
  run('a/', 'https://', '@'),
  run('0', '1', 'x'),
  run('0', '@', 'x'),
];

describe('a response of 64 kB takes linear time:', () => {
  const call = (respond: () => Response) =>
    createClient({ apiKey, fetch: async () => respond(), maxRetries: 0 }).getBook({ bookId: 1 });
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
      if (status === 400) expect(isBookstoreError(result)).toBe(true);
    }
  });

  const COUNTS = { 'X-RateLimit-Limit': '1', 'X-RateLimit-Remaining': '1', 'X-RateLimit-Reset': '1' };
  const names = ['Location', 'Content-Type', 'X-Request-Id', 'Link', 'Deprecation', 'Sunset', 'Retry-After', 'Date'];
  test.each([...names, 'RateLimit', 'RateLimit-Policy', 'X-RateLimit-Limit'])('the header %s', async (name) => {
    const json = '{"id":1}';
    for (const status of [200, 302, 400])
      for (const worstCase of RUNS)
        await expectLinear(
          (value) => call(() => new Response(json, { status, headers: { ...COUNTS, [name]: value } })).withResponse(),
          worstCase,
        );
  });

  test('a RateLimit that repeats a name with a long policy', async () => {
    const repeat = (text: string, length: number) => text.repeat(length / text.length);
    const headers = (length: number) => ({
      ...COUNTS,
      RateLimit: repeat('"m",', length),
      'RateLimit-Policy': `"m"${repeat(';q=1x', length)}`,
    });
    await expectLinear(
      (headers: Record<string, string>) => call(() => new Response('{"id":1}', { headers })).withResponse(),
      headers,
    );
  });
});

test('a baseUrl of 64 kB takes linear time', async () => {
  const parse = (baseUrl: string) => createClient({ apiKey, baseUrl });
  for (const end of ['', 'a']) await expectLinear(parse, run('/', 'http://localhost/v1', end));
});
