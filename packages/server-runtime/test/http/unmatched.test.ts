import { operations } from '@repo/bookstore/generated/routes';
import { describe, expect, test } from 'vitest';
import { errorOf, sharedServer } from '../support/server.ts';

const server = sharedServer();

const ONE = '/v1/books/{bookId}';
const templates = [...new Set(Object.values(operations).map(({ path }) => path))];
const example = (template: string) => template.replace(/\{\w+\}/g, '1');

/** The `Allow` of a path of the contract. */
function allowed(template: string): string {
  const methods = Object.values(operations).flatMap(({ path, method }) => (path === template ? method : []));
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort().join(', ');
}

// cases.test.ts has paths that only resemble a known one.
test('an unknown path is 404 with the base path, with a key and without', async () => {
  const message = 'There is no such path: those of the API begin with /v1/';
  for (const response of [await server.request('/v1/book'), await server.anonymous('/books/1')]) {
    expect(await errorOf(response)).toMatchObject({ status: 404, code: 'not_found', message });
    expect(response.headers.has('WWW-Authenticate')).toBe(false);
  }
});

describe('a known path', () => {
  const paths: [path: string, allowed: string][] = [
    ...templates.map((path): [string, string] => [example(path), allowed(path)]),
    ['/v1/%62ooks?limit=x', allowed('/v1/books')],
    ...['/v1/books/abc', '/v1/books/1%2F2', '/v1/books/%25'].map((path): [string, string] => [path, allowed(ONE)]),
    ...['/livez', '/openapi.json', '/docs/'].map((path): [string, string] => [path, 'GET, HEAD']),
  ];
  const large = 'x'.repeat(100_000);
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'PURGE', 'QUERY', 'LINK'];

  test.each(paths)('%s with a method not in %s is 405 with Allow', async (path, allow) => {
    for (const method of methods.filter((each) => !allow.split(', ').includes(each))) {
      // The checks of key, query and body would come later.
      const response = await server.anonymous(path, { method, ...(method === 'PURGE' && { body: large }) });
      expect([method, response.status]).toEqual([method, 405]);
      // A HEAD has no body.
      if (method !== 'HEAD') expect(await errorOf(response)).toMatchObject({ code: 'method_not_allowed' });
      expect(response.headers.get('Allow')).toBe(allow);
      expect(response.headers.has('WWW-Authenticate')).toBe(false);
    }
  });
});
