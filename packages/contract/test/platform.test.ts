import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { Folder } from '../../contract-review/test/folder.ts';
import { bundleFile } from '../src/read.ts';
import { RULES } from '../src/rules.ts';
import type { Json } from './json.ts';
import { PLATFORM } from './workspace.ts';

/** Completes a contract of one or several files. */
async function complete(document: object, others: Record<string, object> = {}, anchors = false): Promise<Json> {
  const folder = new Folder();
  const texts = Object.entries({ 'root.yaml': { openapi: '3.1.0', ...INFO, ...document }, ...others });
  const [file = ''] = texts.map(([name, value]) =>
    folder.write(name, stringify(value, { aliasDuplicateObjects: anchors })),
  );
  return bundleFile(file, PLATFORM);
}

const INFO = { info: { title: 'Shop', version: '1.0.0' } };
const DONE = { '204': { description: 'Done.' } };
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const LIST = { '200': { description: 'Orders.', ...json({ type: 'array', items: { type: 'string' } }) } };
const limit = { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 50, default: 10 } };
const LIMITS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit-Policy', 'RateLimit'];
const EVERY = ['401', '429', '500', '503', 'default'];

/** An operation as it is completed. @param item - parts of its path, which has a parameter then */
const operation = async (method: string, operation: object, item?: object) => {
  const path = item ? '/orders/{orderId}' : '/orders';
  return (await complete({ paths: { [path]: { ...item, [method]: operation } } })).paths[path][method];
};

describe('an operation gets the responses that it can give', () => {
  const orderId = { name: 'orderId', in: 'path', required: true, schema: { type: 'string' } };

  test.each<[string, string, object, string[], item?: object]>([
    ['none of its own', 'get', {}, []],
    ['a query parameter', 'get', { parameters: [limit] }, ['400']],
    ['a header', 'get', { parameters: [{ ...limit, in: 'header' }] }, ['400']],
    ['a parameter of its path', 'get', {}, ['404'], { parameters: [orderId] }],
    ['a body', 'put', { requestBody: json({}) }, ['400', '413', '415']],
    ['a key', 'delete', {}, ['400', '409', '422']],
    ['no key', 'post', { 'x-not-idempotent': 'It is a search.' }, []],
  ])('%s', async (_, method, written, statuses, item) => {
    const { responses } = await operation(method, { responses: DONE, ...written }, item);
    expect(Object.keys(responses).sort()).toEqual(['204', ...EVERY, ...statuses].sort());
    expect(responses['401']).toEqual({ $ref: '#/components/responses/Unauthorized' });
    expect(Object.keys(responses['204'].headers)).toEqual(LIMITS);
  });
});

test('a change gets `Idempotency-Key`, a list `cursor` and `Link`, a deprecated operation its headers', async () => {
  const post = await operation('post', { responses: DONE });
  expect(post.parameters).toEqual([{ $ref: '#/components/parameters/IdempotencyKey' }]);
  const list = await operation('get', { parameters: [limit], responses: LIST });
  expect(list.parameters).toEqual([limit, { $ref: '#/components/parameters/Cursor' }]);
  expect(Object.keys(list.responses['200'].headers)).toEqual(['Link', ...LIMITS]);
  const dates = { 'x-deprecated-at': '2030-01-01', 'x-sunset': '2031-01-01', 'x-replaced-by': { operationId: 'a' } };
  const deprecated = await operation('get', { deprecated: true, ...dates, responses: DONE });
  expect(Object.keys(deprecated.responses['204'].headers)).toEqual(['Deprecation', 'Sunset', 'Link', ...LIMITS]);
  const undated = await operation('get', { deprecated: true, responses: DONE });
  expect(Object.keys(undated.responses['204'].headers)).toEqual(LIMITS);
  const all = await operation('get', { responses: LIST });
  expect(all.parameters).toBeUndefined();
});

test('what the author declares wins', async () => {
  const key = { name: 'idempotency-key', in: 'header', required: true, schema: { type: 'string' } };
  const responses = {
    '200': { description: 'Done.', headers: { 'x-ratelimit-limit': { schema: { type: 'string' } } } },
    '404': { description: 'There is no such order.' },
    '409': { description: 'It is paid.', ...json({ $ref: '#/components/schemas/Error' }) },
    '503': { description: 'Closed.', headers: { 'retry-after': { schema: { type: 'string' } } } },
  };
  const document = await complete({
    security: [{ key: [] }],
    'x-rate-limit-plans': { all: { perMinute: 1, perDay: 1 } },
    'x-error-codes': ['paid'],
    paths: { '/orders': { post: { parameters: [key], responses } } },
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  });
  const { post } = document.paths['/orders'];
  expect(post.parameters).toEqual([key]);
  expect(Object.keys(post.responses['200'].headers)).toEqual(['x-ratelimit-limit', ...LIMITS.slice(1)]);
  expect(post.responses['404']).toMatchObject({
    description: 'There is no such order.',
    ...json({ $ref: '#/components/schemas/Error' }),
  });
  expect(Object.keys(post.responses['404'].headers)).toEqual(LIMITS);
  expect(Object.keys(post.responses['409'].headers)).toEqual(['Retry-After', ...LIMITS]);
  expect(post.responses['503'].headers['retry-after']).toEqual({ schema: { type: 'string' } });
  expect(document.components.schemas.Error.properties.code['x-extensible-enum']).toEqual(
    expect.arrayContaining(['conflict', 'paid']),
  );
  expect(document.security).toEqual([{ key: [] }]);
  expect(Object.keys(document['x-rate-limit-plans'])).toEqual(['all']);
  expect(Object.keys(document.components.securitySchemes)).toEqual(['key']);
});

test('only the components that are needed are added, and none that the contract has', async () => {
  const fitting = {
    type: 'object',
    required: ['code', 'message', 'status'],
    properties: { code: {}, message: {}, status: {}, hint: { type: 'string' } },
  };
  const own = {
    schemas: { Error: fitting },
    responses: { Unauthorized: { description: 'Who?' } },
  };
  const { components } = await complete({ paths: { '/orders': { get: { responses: DONE } } }, components: own });
  expect(components.schemas).toEqual({ Error: fitting });
  expect(components.parameters).toBeUndefined();
  expect(Object.keys(components.headers)).toEqual([...LIMITS, 'Retry-After']);
  expect(components.responses.Unauthorized).toEqual({ description: 'Who?' });
});

test.each([
  ['an anchor', DONE],
  ['a reference', { $ref: '#/x-responses' }],
])('operations that share responses by %s are completed apart', async (_, shared) => {
  const put = { requestBody: json({}), responses: shared };
  const paths = { '/orders': { get: { responses: shared }, put } };
  const document = await complete({ 'x-responses': { '204': { description: 'Done.' } }, paths }, {}, true);
  const { get, put: other } = document.paths['/orders'];
  expect(Object.keys(get.responses)).not.toContain('413');
  expect(Object.keys(other.responses)).toContain('413');
  const ok = other.responses['204'].$ref ? document['x-responses']['204'] : other.responses['204'];
  expect(Object.keys(ok.headers)).toEqual(LIMITS);
});

test('a success that operations share gets the headers of all of them, once', async () => {
  const responses = { '200': { $ref: '#/components/responses/Orders' } };
  const { paths, components } = await complete({
    paths: {
      '/orders': { get: { parameters: [limit], responses } },
      '/orders/search': { post: { 'x-not-idempotent': 'It is a search.', responses } },
    },
    components: { responses: { Orders: LIST['200'] } },
  });
  for (const { responses: completed } of [paths['/orders'].get, paths['/orders/search'].post])
    expect(completed['200']).toEqual({ $ref: '#/components/responses/Orders' });
  expect(Object.keys(components.responses.Orders.headers).sort()).toEqual(['Link', ...LIMITS].sort());
});

test('webhooks and callbacks stay as they are', async () => {
  const item = { post: { responses: DONE } };
  const callbacks = { ordered: { '{$request.body#/url}': item } };
  const document = await complete({
    paths: { '/orders': { get: { responses: DONE, callbacks } } },
    webhooks: { ordered: item },
  });
  expect(document.webhooks.ordered).toEqual(item);
  expect(document.paths['/orders'].get.callbacks).toEqual(callbacks);
});

test('an int64 gets the bounds that its author does not give, but not an example of a schema', async () => {
  const int64 = { type: 'integer', format: 'int64' };
  const [minimum, maximum] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  const written = {
    Order: { properties: { id: int64, no: { ...int64, minimum: 1 } }, examples: [int64] },
    Above: { ...int64, exclusiveMinimum: 0 },
    Below: { ...int64, exclusiveMaximum: 10 },
  };
  const { components } = await complete({ paths: {}, components: { schemas: written } });
  expect(components.schemas).toEqual({
    Order: {
      properties: { id: { ...int64, minimum, maximum }, no: { ...int64, minimum: 1, maximum } },
      examples: [int64],
    },
    Above: { ...written.Above, maximum },
    Below: { ...written.Below, minimum },
  });
});

test.each<[isKept: boolean, object]>([
  [false, { type: 'string', default: null }],
  [false, { type: 'integer', default: '10' }],
  [false, { enum: ['a'], default: 'b' }],
  [false, { type: 'integer', maximum: 3, default: 5 }],
  [false, { $ref: '#/components/schemas/Letter', default: 'b' }],
  [false, { allOf: [{ $ref: '#/components/schemas/Letter' }], default: 'b' }],
  [true, { type: 'integer', default: 1 }],
  [true, { type: ['string', 'null'], default: null }],
  [true, { enum: [{ a: 1 }], default: { a: 1 } }],
  [true, { $ref: '#/components/schemas/Letter', default: 'a' }],
])(
  'a default stays if its own schema admits it, so that requests without the field are valid: %s, %j',
  async (...row) => {
    const [isKept, One] = row;
    const { components } = await complete({ paths: {}, components: { schemas: { One, Letter: { enum: ['a'] } } } });
    expect(Object.hasOwn(components.schemas.One, 'default')).toBe(isKept);
  },
);

test('a path in another file is completed with the components of the root', async () => {
  const responses = { $ref: '../responses.yaml' };
  const item = { get: { parameters: [{ $ref: '#/limit' }], responses }, post: { responses: DONE }, limit };
  const id = { type: 'integer', format: 'int64' };
  const ok = { description: 'Orders.', ...json({ type: 'array', items: id }) };
  const files = { 'paths/orders.yaml': item, 'responses.yaml': { '200': ok } };
  const { paths, components } = await complete({ paths: { '/orders': { $ref: 'paths/orders.yaml' } } }, files);
  const { get, post } = paths['/orders'];
  expect(get.parameters).toEqual([
    { $ref: '#/components/parameters/limit' },
    { $ref: '#/components/parameters/Cursor' },
  ]);
  expect(post.responses['401']).toEqual({ $ref: '#/components/responses/Unauthorized' });
  const found = get.responses['200'];
  expect(Object.keys(found.headers)).toEqual(['Link', ...LIMITS]);
  expect(found.content['application/json'].schema.items.minimum).toBe(-Number.MAX_SAFE_INTEGER);
  expect(components.responses.Unauthorized.description).toBe('The API key is missing, invalid or expired.');
});

describe('security', () => {
  const schemes = {
    bearer: { type: 'http', scheme: 'bearer' },
    person: { type: 'oauth2', flows: {} },
    session: { type: 'apiKey', in: 'cookie', name: 'session' },
  };
  const statuses = (one: Json) => Object.keys(one.responses).filter((status) => /^40[13]$/.test(status));
  const get = (security?: object[]) => ({ responses: DONE, ...(security && { security }) });

  test.each<[string, object[] | undefined, string, string[]]>([
    ['none beside others is open', undefined, 'get', []],
    ['an empty list is open', [], 'get', []],
    ['a credential that is optional may be wrong', [{}, { bearer: [] }], 'get', ['401']],
    ['a scope may lack', [{ person: ['a'] }], 'get', ['401', '403']],
    ['two credentials may differ', [{ bearer: [], session: [] }], 'get', ['401', '403']],
    ['a cookie reads', [{ session: [] }], 'get', ['401']],
    ['a cookie changes', [{ session: [] }], 'put', ['401', '403']],
  ])('%s', async (_, security, method, expected) => {
    const paths = { '/a': { [method]: get(security) }, '/b': { get: get([{ bearer: [] }]) } };
    const { paths: completed, components } = await complete({ paths, components: { securitySchemes: schemes } });
    expect(statuses(completed['/a'][method])).toEqual(expected);
    expect(statuses(completed['/b'].get)).toEqual(['401']);
    expect(components.securitySchemes).toEqual(schemes);
  });

  test('the codes and the challenge are those of the schemes', async () => {
    const of = async (security: object[]) => {
      const { components } = await complete({
        paths: { '/a': { get: get(security) } },
        components: { securitySchemes: schemes },
      });
      const { 'x-extensible-enum': codes } = components.schemas.Error.properties.code;
      const isToken = (code: string) => /^(token_|insufficient)/.test(code);
      return [codes.filter(isToken), components.headers['WWW-Authenticate'].schema.pattern] as const;
    };
    expect(await of([{ bearer: [] }])).toEqual([[], expect.any(String)]);
    expect(await of([{ bearer: ['a'] }])).toEqual([['insufficient_scope'], expect.any(String)]);
    expect(await of([{ person: [] }])).toEqual([['token_missing', 'token_invalid', 'token_expired'], undefined]);
  });

  test('without any, the platform has its own; a name of the platform needs no component', async () => {
    const { security, components } = await complete({ paths: { '/a': { get: get([]) }, '/b': { get: get() } } });
    expect(security).toEqual([{ bearerAuth: [] }]);
    expect(Object.keys(components.securitySchemes)).toEqual(['bearerAuth']);
    const named = await complete({ paths: { '/a': { get: get() }, '/b': { get: get([{ bearerAuth: [] }]) } } });
    expect(named.security).toBeUndefined();
    expect(Object.keys(named.components.securitySchemes)).toEqual(['bearerAuth']);
    expect(statuses(named.paths['/a'].get)).toEqual([]);
  });
});

// vitest -u writes it.
test('openapi/README.md has the table of what the platform adds', async () => {
  const page = fileURLToPath(new URL('../../../openapi/README.md', import.meta.url));
  const { components } = parse(readFileSync(PLATFORM, 'utf8'));
  const code = (names: string[]) => names.map((name) => `\`${name}\``).join(', ');
  const cell = (parts: string[]) => parts.filter(Boolean).join('; ') || '–';
  const rows = RULES.map(({ to, parameters = [], headers = [], responses = {} }) => {
    const taken = parameters.map((name) => `\`${components.parameters[name].name}\``).join(', ');
    return `| ${to} | ${cell([taken])} | ${cell([code(Object.keys(responses))])} | ${cell([code(headers)])} |`;
  });
  const titles = ['| To | Parameter | Responses | Headers of a success |', '|---|---|---|---|'];
  const current = readFileSync(page, 'utf8').replace(
    /(?<=<!-- platform -->\n)[\s\S]*?(?=<!-- end of platform -->)/,
    () => `${[...titles, ...rows].join('\n')}\n`,
  );
  await expect(current).toMatchFileSnapshot(page);
});
