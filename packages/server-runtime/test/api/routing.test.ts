import type { Operation } from '@petstore-platform/server-runtime';
import { routerOf } from '@petstore-platform/server-runtime/tools';
import { service } from '@repo/bookstore/service';
import { startService } from '@repo/bookstore/testing';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../support/database.ts';
import { sharedServer, temporaryServer } from '../support/server.ts';

type Table = Record<string, Operation>;

/** An operation whose path parameters are texts. Its id is its method and path. */
function operation(method: string, path: string, more: Partial<Operation> = {}): Operation {
  const place = { in: 'path', required: true, schema: { type: 'string' } } as const;
  const parameters = namesOf(path).map((name) => ({ ...place, name }));
  const usual = { parameters, response: { status: 200 }, announcement: {} };
  return { id: `${method} ${path}`, method, path: `/v1${path}`, ...usual, ...more };
}

const PARAMETER = /\{([^{}]*)\}/g;
const namesOf = (path: string) => [...path.matchAll(PARAMETER)].map(([, name = '']) => name);

const tableOf = (operations: Operation[]): Table => Object.fromEntries(operations.map((each) => [each.id, each]));

/** Handlers that answer with their operation and request. */
const echoes = (table: Table) =>
  Object.fromEntries(
    Object.keys(table).map((id) => [
      id,
      async ({ path, query }: { path: object; query: object }) => ({
        status: 200,
        headers: { 'X-Operation': encodeURIComponent(id) },
        body: { path: { ...path }, query },
      }),
    ]),
  );

const options = (operations: Operation[], more: object = {}) => {
  const table = tableOf(operations);
  return { operations: table, handlers: echoes(table), ...more } as object;
};

async function reached(server: { origin: string; apiKey: string }, method: string, path: string, init: object = {}) {
  const headers = { Authorization: `Bearer ${server.apiKey}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${server.origin}/v1${path}`, { method, headers, redirect: 'manual', ...init });
  const text = await response.text();
  const id = response.headers.get('X-Operation');
  return { status: response.status, id: id && decodeURIComponent(id), headers: response.headers, text };
}

const TEMPLATES = [
  'GET /users/{user-id}',
  'POST /users/{user-id}/cards:search',
  'GET /users/me',
  'GET /orders/{order.id}',
  'GET /things:batch',
  'POST /things:batch',
  'GET /things/{id}',
  'GET /things/{id}.json',
  'POST /things/{id}:archive',
  'GET /ranges/{from}-{to}',
  'GET /points/{lat},{lng}',
  'GET /files/{name}.{kind}',
  'GET /files/{name}.tar.gz',
  'GET /a%20b/{x}',
  'GET /c d',
  'GET /été',
  'GET /all/*',
  'GET /part/a%2Fb',
  'GET /100%25',
  "GET /it's(ok)!/{constructor}",
  'HEAD /cars/{id}',
  'GET /cars/{id}',
  'OPTIONS /cars/{id}',
  'OPTIONS /only/{id}:options',
  'GET /deep/{a}/x/{b}:go/{c}',
  'GET /deep/{a}/x/{b}/{c}',
].map((text) => operation(...(text.split(/ (.*)/, 2) as [string, string])));

describe('each operation is reached by its own URL', () => {
  const server = sharedServer(() => options(TEMPLATES));

  test.each<[string, string, string | undefined, object?]>([
    ['GET', '/users/me', 'GET /users/me', {}],
    ['GET', '/users/%6De', 'GET /users/me', {}],
    ['GET', '/users/a%2Fb%3Ac', 'GET /users/{user-id}', { 'user-id': 'a/b:c' }],
    ['GET', `/users/${'x'.repeat(5_000)}`, 'GET /users/{user-id}', { 'user-id': 'x'.repeat(5_000) }],
    ['GET', '/users/', undefined],
    ['POST', '/users/7/cards:search', 'POST /users/{user-id}/cards:search', { 'user-id': '7' }],
    ['POST', '/users/7/cards%3Asearch', undefined],
    ['GET', '/things:batch', 'GET /things:batch', {}],
    ['POST', '/things:batch', 'POST /things:batch', {}],
    ['GET', '/things/a.json', 'GET /things/{id}.json', { id: 'a' }],
    ['GET', '/things/.json', 'GET /things/{id}', { id: '.json' }],
    ['GET', '/things/a%2Ejson', 'GET /things/{id}.json', { id: 'a' }],
    ['POST', '/things/a:b:archive', 'POST /things/{id}:archive', { id: 'a:b' }],
    ['POST', '/things/a%3Aarchive', undefined],
    ['POST', '/things/:archive', undefined],
    ['GET', '/ranges/-1--5', 'GET /ranges/{from}-{to}', { from: '-1', to: '-5' }],
    ['GET', '/ranges/-', undefined],
    ['GET', '/points/a%2Cb,c%2Fd', 'GET /points/{lat},{lng}', { lat: 'a,b', lng: 'c/d' }],
    ['GET', '/files/a.b.c', 'GET /files/{name}.{kind}', { name: 'a', kind: 'b.c' }],
    ['GET', '/files/a.tar.gz', 'GET /files/{name}.tar.gz', { name: 'a' }],
    ['GET', '/a%20b/%C3%A9', 'GET /a%20b/{x}', { x: 'é' }],
    ['GET', '/c%20d', 'GET /c d', {}],
    ['GET', '/%c3%a9t%C3%A9', 'GET /été', {}],
    ['GET', '/all/*', 'GET /all/*', {}],
    ['GET', '/all/%2A', 'GET /all/*', {}],
    ['GET', '/all/x', undefined],
    ['GET', '/part/a%2fb', 'GET /part/a%2Fb', {}],
    ['GET', '/100%25', 'GET /100%25', {}],
    ['GET', "/it's(ok)!/x", "GET /it's(ok)!/{constructor}", { constructor: 'x' }],
    ['GET', '/cars/1?x', undefined],
    ['GET', '/deep/1/x/2:go/3', 'GET /deep/{a}/x/{b}:go/{c}', { a: '1', b: '2', c: '3' }],
    ['GET', '/deep/1/x/2:stop/3', 'GET /deep/{a}/x/{b}/{c}', { a: '1', b: '2:stop', c: '3' }],
  ])('%s %s', async (method, path, id, values) => {
    const { status, text, id: found } = await reached(server, method, path);
    expect([found, found ? JSON.parse(text).path : undefined]).toEqual([id ?? null, values]);
    if (!id) expect([400, 404, 405]).toContain(status);
    expect(routerOf(TEMPLATES).find(method, `/v1${path}`)).toBe(path.includes('?') ? 'GET /cars/{id}' : id);
  });

  test('a HEAD of its own stands beside GET, and a GET without one has it', async () => {
    expect((await reached(server, 'HEAD', '/cars/1')).id).toBe('HEAD /cars/{id}');
    expect((await reached(server, 'GET', '/cars/1')).id).toBe('GET /cars/{id}');
    expect((await reached(server, 'HEAD', '/things/1.json')).id).toBe('GET /things/{id}.json');
  });

  test('OPTIONS is an operation, and another method of its path is 405 with Allow', async () => {
    expect((await reached(server, 'OPTIONS', '/cars/1')).id).toBe('OPTIONS /cars/{id}');
    const { status, headers } = await reached(server, 'GET', '/only/1:options');
    expect([status, headers.get('Allow')]).toEqual([405, 'OPTIONS']);
    expect((await reached(server, 'OPTIONS', '/only/1')).status).toBe(404);
    expect((await reached(server, 'DELETE', '/things/1:archive')).headers.get('Allow')).toBe('GET, HEAD, POST');
  });

  test('any values reach the operation, and come back decoded', async () => {
    const paths = TEMPLATES.filter(({ method, path }) => method === 'GET' && path.includes('{'));
    const character = fc.oneof(fc.string({ unit: 'grapheme', minLength: 1 }), fc.constantFrom('/', '%', ':', ',', ' '));
    const value = fc.array(character, { minLength: 1, maxLength: 4 }).map((all) => all.join(''));
    const values = fc.array(value, { minLength: 4, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), values, async ({ path }, values) => {
        let index = 0;
        const url = path.slice(3).replace(PARAMETER, () => encodeURIComponent(values[index++] ?? ''));
        fc.pre(values.every((value) => value.isWellFormed() && !/^\.{1,2}$/.test(value)));
        const wanted = oracle(TEMPLATES, 'GET', `/v1${url}`);
        const { id, text } = await reached(server, 'GET', url);
        expect([id, id && JSON.parse(text).path]).toEqual([wanted?.id, wanted?.values]);
      }),
    );
  });
});

test('a preflight is answered as one, also beside an OPTIONS operation', async () => {
  const config = { CORS_ORIGINS: ['https://app.example'] };
  const server = await temporaryServer(options(TEMPLATES, { config }));
  const origin = { Origin: 'https://app.example' };
  const preflight = { headers: { ...origin, 'Access-Control-Request-Method': 'GET' } };
  const { id, status, headers } = await reached(server, 'OPTIONS', '/cars/1', preflight);
  expect([id, status, headers.has('Access-Control-Allow-Methods')]).toEqual([null, 204, true]);
  const own = await reached(server, 'OPTIONS', '/cars/1');
  expect([own.id, own.status]).toEqual(['OPTIONS /cars/{id}', 200]);
});

test.each(['', '/a%20b/c:d'])('an API whose base path is "%s"', async (basePath) => {
  const paths = ['/{slug}', '/{slug}:stats', '/'];
  const operations = tableOf(paths.map((path) => operation('GET', path, { path: basePath + path })));
  const { url, drop } = await createDatabase();
  const own = { ...service, contract: { ...service.contract, basePath, operations } };
  const server = await startService(own as never, url, { handlers: echoes(operations) as never });
  onTestFinished(async () => {
    await server.close();
    await drop();
  });
  const headers = { Authorization: `Bearer ${server.apiKey}` };
  const idOf = async (path: string) => {
    const response = await fetch(server.origin + path, { headers, redirect: 'manual' });
    return decodeURIComponent(response.headers.get('X-Operation') ?? `${response.status}`);
  };
  expect(await idOf(`${basePath}/abc`)).toBe('GET /{slug}');
  expect(await idOf(`${basePath}/`)).toBe('GET /');
  expect(await idOf(`${basePath}/abc:stats`)).toBe('GET /{slug}:stats');
  expect(await idOf(`${basePath}/a/b`)).toBe('404');
  // The root of an API is its base path with a slash.
  if (basePath) expect(await idOf(basePath)).toBe('404');
  expect(await idOf('/livez')).toBe('200');
  expect(await idOf('/docs')).toBe('200');
});

test.each<[string, string, RegExp]>([
  ['TRACE', '/a', /method TRACE/],
  ['GET', '/a?b=1', /query/],
  ['GET', '/a#b', /fragment/],
  ['GET', '/{a}{b}', /separates/],
  ['GET', '/{a', /brace/],
  ['GET', '/{}', /brace/],
  ['GET', '/{a}/{a}', /twice/],
  ['GET', '/{__proto__}', /__proto__/],
  ['GET', '/a/../b', /dots/],
  ['GET', '/%C3{a}', /percent-encoding/],
])('%s %s is refused by name', (method, path, reason) => {
  const other = operation('GET', '/other');
  const { reasons } = routerOf([operation(method, path), other]);
  expect([...reasons]).toEqual([[`${method} ${path}`, expect.stringMatching(reason)]]);
});

/** A request's operation by the words of the specification: literals before parameters. Without a router. */
function oracle(operations: Operation[], method: string, url: string) {
  const found = operations.flatMap(({ id, path, ...each }) => {
    const isMethod = each.method === method || (method === 'HEAD' && each.method === 'GET');
    const [match, ...texts] = (isMethod && patternOf(path).exec(plain(url).join(''))) || [];
    if (match === undefined) return [];
    const values = Object.fromEntries(
      namesOf(path).map((name, index) => [name, decodeURIComponent(texts[index] ?? '')]),
    );
    const segments = path.split('/').map((segment) => (/[{*]|%2F|%25/.test(segment) ? 1 : 0));
    const literals = plain(path.replace(PARAMETER, '')).length;
    return [{ id, values, rank: segments.join(''), literals, own: each.method === method ? 0 : 1 }];
  });
  const [best] = found.toSorted(
    (one, other) => one.rank.localeCompare(other.rank) || other.literals - one.literals || one.own - other.own,
  );
  return best && { id: best.id, values: best.values };
}

/** The characters of a text. One that is encoded stays so if it has a meaning otherwise. */
function plain(text: string): string[] {
  const characters = text.match(/%[\da-f]{2}|./gisu) ?? [];
  return characters.flatMap((each) => {
    const encoded = each.length > 1 && each.startsWith('%') ? each.toUpperCase() : encodeURI(each);
    return (encoded.match(/%..|./g) ?? []).map((one) => {
      const character = String.fromCharCode(Number.parseInt(one.slice(1), 16));
      return one.length > 1 && /[\w.!~*'()-]/.test(character) ? character : one;
    });
  });
}

/** Each parameter of a path takes as few characters as it can, at least one. */
function patternOf(path: string): RegExp {
  const literals = path.split(/\{[^{}]*\}/).map((literal) =>
    plain(literal)
      .join('')
      .replace(/[^\w%]/g, '\\$&'),
  );
  return new RegExp(`^${literals.join('((?:%..|[^%/])+?)')}$`);
}

test('any templates: a URL reaches its own operation with its values, and another URL no other', () => {
  const literal = fc.constantFrom('a', 'ab', 'b', 'A', 'a b', 'é', 'a:b', 'a.b', "it's", 'x-y');
  const glue = fc.constantFrom('-', ':', ',', '.', ':go', '.json', '--', '2');
  const name = fc.constantFrom('id', 'user-id', 'id.x', 'constructor', 'é', 'a b');
  const parameter = name.map((each) => `{${each}}`);
  const segment = fc.oneof(
    { weight: 2, arbitrary: literal },
    { weight: 2, arbitrary: parameter },
    fc.tuple(parameter, glue).map(([each, end]) => each + end),
    fc.tuple(fc.constantFrom('v', '@', ':'), parameter).map(([start, each]) => start + each),
    fc.tuple(parameter, glue, parameter, fc.constantFrom('', ':go')).map((all) => all.join('')),
  );
  const template = fc.array(segment, { minLength: 1, maxLength: 3 }).map((all) => `/${all.join('/')}`);
  const method = fc.constantFrom('GET', 'POST', 'HEAD');
  const operations = fc
    .array(fc.tuple(method, template), { minLength: 1, maxLength: 8 })
    .map((all) => {
      const table = tableOf(all.map(([method, path]) => operation(method, path)));
      const { reasons } = routerOf(Object.values(table));
      return Object.values(table).filter(({ id }) => !reasons.has(id));
    })
    .filter((all) => all.length > 0);
  const value = fc.oneof(
    fc.constantFrom('a', 'b', 'A', '-1', 'a/b', 'a:go', 'x.json', '%', '%25', 'a,b', '2', ' ', 'é', 'go', '--'),
    fc.string({ minLength: 1 }),
  );
  const change = fc.constantFrom<(url: string, at: number) => string>(
    (url) => url,
    (url) => `${url}x`,
    (url) => `${url}/`,
    (url) => `${url}:go`,
    (url, at) => url.slice(0, at) + url.slice(at + 1),
    (url, at) => `${url.slice(0, at)}/${url.slice(at)}`,
    (url, at) => `${url.slice(0, at)}%2F${url.slice(at)}`,
    (url, at) => url.slice(0, at) + (url[at] ?? '').toUpperCase() + url.slice(at + 1),
    (url, at) =>
      url.slice(0, at) +
      (/[^%/]/.test(url[at] ?? '') ? `%${url.charCodeAt(at).toString(16)}` : url[at]) +
      url.slice(at + 1),
  );
  const values = fc.array(value, { minLength: 6, maxLength: 6 });
  const request = fc.record({ operations, which: fc.nat(), values, change, at: fc.nat(), method });
  fc.assert(
    fc.property(request, ({ operations, which, values, change, at, method }) => {
      const { path } = operations[which % operations.length] as Operation;
      let index = 0;
      const next = () => encodeURIComponent(values[index++] ?? '');
      const own = encodeURI(path.replace(PARAMETER, '{}')).replaceAll('%7B%7D', next);
      const url = change(own, 4 + (at % own.length));
      fc.pre(isDecodable(url));
      const found = routerOf(operations).find(method, url);
      expect([method, url, found]).toEqual([method, url, oracle(operations, method, url)?.id]);
    }),
    { numRuns: 3_000 },
  );
});

function isDecodable(url: string): boolean {
  try {
    return Boolean(decodeURI(url));
  } catch {
    return false;
  }
}
