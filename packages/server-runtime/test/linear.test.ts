import { expectLinear } from '@petstore-platform/testkit/linear';
import { test } from 'vitest';
import { sharedServer } from './support/server.ts';

const server = sharedServer();

// The texts stay below Node's limit of 16 kB for all headers.
test.each<[string, (text: string) => [path: string, headers: Record<string, string>]]>([
  ['a path', (text) => [`/v1/books/${text}`, {}]],
  ['a query', (text) => [`/v1/books?limit=${text}`, {}]],
  ['the names of a query', (text) => [`/v1/books?${text}`, {}]],
  ['an Idempotency-Key', (text) => ['/v1/books', { 'Idempotency-Key': `"${text}` }]],
  ['an Origin', (text) => ['/v1/books', { Origin: text }]],
  ['an X-Forwarded-For', (text) => ['/v1/books', { 'X-Forwarded-For': text }]],
])('the whole server takes linear time for %s', async (_name, request) => {
  for (const text of ['a', '/', '%41', '&', '"', 'gzip;q=0', 'gzip ', ', ', '1', '.'])
    await expectLinear(
      async (value: string) => {
        const [path, headers] = request(value);
        return (await fetch(server.origin + path, { headers })).arrayBuffer();
      },
      (length) => text.repeat(length / 6 / text.length),
    );
});
