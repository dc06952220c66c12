/** Lists and objects in parameters and url-encoded forms, in each style, and cookies: generated, served and called. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from './json.ts';
import { served } from './served.ts';

const CONTRACT = `
openapi: 3.1.0
info: { title: Styles, version: 1.0.0 }
servers: [{ url: https://api.styles.example/v1 }]
paths:
  /things/{ids}:
    post:
      operationId: echo
      x-not-idempotent: It changes nothing.
      parameters:
        - { name: ids, in: path, schema: { type: array, items: { type: integer } }, example: [1, 2] }
        - { name: repeated, in: query, schema: { type: [array, 'null'], items: { type: string } } }
        - { name: commas, in: query, explode: false, schema: { type: array, items: { type: string } }, example: ['a,b', c d] }
        - { name: numbers, in: query, explode: false, schema: { type: array, items: { type: number } } }
        - { name: spaces, in: query, style: spaceDelimited, schema: { type: array, items: { type: string } } }
        - { name: pipes, in: query, style: pipeDelimited, schema: { type: array, items: { type: string } } }
        - { name: pairs, in: query, explode: false, schema: { type: object, additionalProperties: { type: string } } }
        - { name: size, in: query, style: deepObject, schema: { $ref: '#/components/schemas/Size' } }
        - { name: labels, in: query, style: deepObject, explode: true, schema: { type: object, additionalProperties: { type: string } }, example: { a: b } }
        - { name: range, in: query, schema: { type: object, properties: { from: { type: integer }, to: { type: integer } } } }
        - { name: rest, in: query, schema: { type: object, additionalProperties: { type: string } } }
        - { name: 'tags[]', in: query, schema: { type: array, items: { type: string } } }
        - { name: 'q r+s&t', in: query, schema: { type: string } }
        - { name: X-Tags, in: header, required: true, schema: { type: array, items: { type: string } }, example: [t] }
        - { name: X-Pair, in: header, required: true, schema: { type: object, additionalProperties: { type: string } }, example: { r: s } }
        - { name: X-Assigned, in: header, required: true, explode: true, schema: { type: object, additionalProperties: { type: integer } }, example: { n: 1 } }
        - { name: X-Optional, in: header, schema: { type: array, items: { type: string } } }
        - { name: theme, in: cookie, required: true, schema: { anyOf: [{ type: string }, { type: string, maxLength: 9 }] }, example: dark blue }
        - { name: Level, in: cookie, schema: { type: integer } }
        - { name: marks, in: cookie, explode: false, schema: { type: array, items: { type: string } } }
      responses: { '200': { description: The parameters., content: { application/json: { schema: { type: object, additionalProperties: true } } } } }
  /forms:
    post:
      operationId: sendForm
      x-not-idempotent: It changes nothing.
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema:
              type: object
              properties:
                title: { type: string }
                ids: { type: array, items: { type: integer } }
                address: { $ref: '#/components/schemas/Address' }
                lines: { type: array, items: { $ref: '#/components/schemas/Address' } }
                deep: { $ref: '#/components/schemas/Address' }
                commas: { type: array, items: { type: string } }
                pipes: { type: array, items: { type: string } }
                pairs: { type: object, additionalProperties: { type: integer } }
                range: { type: object, properties: { from: { type: integer }, to: { type: integer } } }
            encoding:
              deep: { style: deepObject, explode: true }
              commas: { explode: false }
              pipes: { style: pipeDelimited }
              pairs: { style: form, explode: false }
              range: { style: form }
              lines: { contentType: application/json }
            example: { title: a b, address: { city: Ulm }, deep: { city: Ulm }, commas: ['a,b', c] }
      responses: { '200': { description: The fields., content: { application/json: { schema: { type: object, additionalProperties: true } } } } }
components:
  schemas:
    Address: { type: object, properties: { city: { type: string }, zip: { type: integer } } }
    Size:
      anyOf:
        - { type: object, properties: { min: { type: integer }, exact: { type: boolean }, unit: { type: string } } }
        - { type: 'null' }
`;

const NEEDED = { ids: [1], theme: 't', 'X-Tags': ['t'], 'X-Pair': { r: 's' }, 'X-Assigned': { n: 1 } };

const { client, built, request } = await served(CONTRACT, ({ write }) => ({
  echo: write('echo', async ({ path, query, headers }: Json) => ({
    status: 200,
    body: { ...path, ...query, headers },
  })),
  sendForm: write('sendForm', async ({ body }: Json) => ({ status: 200, body })),
}));

const declared = new Set(['repeated', 'commas', 'numbers', 'spaces', 'pipes', 'pairs', 'from', 'to', '__proto__']);
const text = fc.string({ unit: 'grapheme', maxLength: 6 }).filter((one) => !one.includes('\0') && one.isWellFormed());
const without = (separator: string) => text.filter((one) => !one.includes(separator));
const header = fc
  .string({ minLength: 1, maxLength: 6 })
  .filter((one) => one === one.trim() && !/[,=]/.test(one) && one !== '__proto__');
const some = <T>(one: fc.Arbitrary<T>, minLength = 1) => fc.array(one, { minLength, maxLength: 3 });
const fields = <T>(name: fc.Arbitrary<string>, one: fc.Arbitrary<T>) =>
  fc.dictionary(name, one, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
const named = text.filter((one) => one !== '__proto__');

test('the server reads what the SDK sends, in each style', async () => {
  const parameters = fc.record(
    {
      ids: some(fc.integer()),
      repeated: some(text),
      commas: some(text),
      numbers: some(fc.integer({ min: -1e9, max: 1e9 }).map((one) => one / 64)),
      spaces: some(without(' ')),
      pipes: some(without('|')),
      pairs: fields(named, text),
      size: fc.record({ min: fc.integer(), exact: fc.boolean(), unit: text }),
      labels: fields(
        named.filter((one) => !one.includes('[')),
        text,
      ),
      range: fc.record({ from: fc.integer(), to: fc.integer() }),
      rest: fields(
        text.filter((one) => !declared.has(one) && !/[[\]]/.test(one)),
        text,
      ),
      theme: text,
      Level: fc.integer(),
      marks: some(header),
      'X-Tags': some(header),
      'X-Pair': fields(header, header),
      'X-Assigned': fields(header, fc.integer()),
    },
    { requiredKeys: ['ids', 'theme', 'X-Tags', 'X-Pair', 'X-Assigned'] },
  );
  const run = async (given: Json) => {
    const { headers, ...read } = await client.echo(given);
    const { 'X-Tags': tags, 'X-Pair': pair, 'X-Assigned': assigned, theme, Level, marks, ...others } = given;
    expect(read).toEqual(others);
    const cookies = { 'cookie theme': theme, 'cookie Level': Level, 'cookie marks': marks };
    expect({ ...cookies, ...headers }).toEqual({ 'x-tags': tags, 'x-pair': pair, 'x-assigned': assigned, ...cookies });
  };
  await fc.assert(fc.asyncProperty(parameters, run), { numRuns: 150 });
});

test('the server reads the forms that the SDK sends, in each style', async () => {
  const address = fc.record({ city: text, zip: fc.integer() }, { requiredKeys: [] });
  const full = fc.record({ city: text, zip: fc.integer() });
  const form = fc.record(
    {
      title: text,
      ids: some(fc.integer()),
      address,
      lines: some(address),
      deep: full,
      commas: some(text),
      pipes: some(without('|')),
      pairs: fields(named, fc.integer()),
      range: fc.record({ from: fc.integer(), to: fc.integer() }),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(form, async (given) => {
      expect(await client.sendForm(given)).toEqual(given);
    }),
    { numRuns: 100 },
  );
});

test.each<[form: string, status: number, read: Json]>([
  ['deep[city]=Ulm&deep%5Bzip%5D=5', 200, { deep: { city: 'Ulm', zip: 5 } }],
  ['address=%7B%22city%22%3A%22Ulm%22%7D', 200, { address: { city: 'Ulm' } }],
  ['lines=%5B%7B%22zip%22:1%7D,%7B%7D%5D', 200, { lines: [{ zip: 1 }, {}] }],
  ['commas=a,b%2Cc&pipes=a|b%7Cc', 200, { commas: ['a', 'b,c'], pipes: ['a', 'b', 'c'] }],
  ['from=1&to=2', 200, { range: { from: 1, to: 2 } }],
  ['address=', 200, {}],
  ['address={', 400, { message: 'body.address is not valid JSON' }],
  [
    'address=%7B%22zip%22:9007199254740993%7D',
    400,
    { message: 'body.address.zip is a number that is not kept exactly' },
  ],
  ['address[city]=Ulm', 400, { message: 'body.address[city] is unknown' }],
  ['deep[__proto__]=a', 400, { message: 'body.deep[__proto__] is unknown' }],
  ['deep[city]=a&deep[city]=b', 400, { message: 'body.deep[city] is unknown' }],
])('a form %s is %i', async (body, status, read) => {
  const response = await request('/forms', 'POST', body, { 'content-type': 'application/x-www-form-urlencoded' });
  expect([response.status, await response.json()]).toEqual([
    status,
    status === 200 ? read : expect.objectContaining(read),
  ]);
});

test('an optional header is an option, with its text', async () => {
  const { headers } = await client.echo(NEEDED, { headers: { 'X-Optional': 'a, b' } });
  expect(headers['x-optional']).toEqual(['a', 'b']);
});

describe('a request', () => {
  const send = async (query: string, headers: Json = {}, path = '1') => {
    const needed = { cookie: 'theme=t', 'x-tags': 't', 'x-pair': 'r,s', 'x-assigned': 'n=1' };
    const response = await request(`/things/${path}?${query}`, 'POST', undefined, { ...needed, ...headers });
    const { headers: own, ids, ...body }: Json = await response.json();
    return { status: response.status, body };
  };

  test.each<[query: string, read: Json]>([
    ['commas=a,b%2Cc,+d,', { commas: ['a', 'b,c', ' d', ''] }],
    ['commas=', { commas: [''] }],
    ['c%6Fmmas=a,%E2%82%AC', { commas: ['a', '€'] }],
    ['numbers=1,2.5,-3e-1', { numbers: [1, 2.5, -0.3] }],
    ['spaces=a%20b+c', { spaces: ['a', 'b', 'c'] }],
    ['pipes=a|b%7Cc', { pipes: ['a', 'b', 'c'] }],
    ['pairs=a,1,b%2C,2', { pairs: { a: '1', 'b,': '2' } }],
    ['size[min]=5&size%5Bexact%5D=true', { size: { min: 5, exact: true } }],
    ['labels[constructor]=a&labels[]=b&labels[a]]=c', { labels: { constructor: 'a', '': 'b', 'a]': 'c' } }],
    ['from=1&to=2', { range: { from: 1, to: 2 } }],
    ['size=1&a.b=2&constructor=3', { rest: { size: '1', 'a.b': '2', constructor: '3' } }],
    ['tags%5B%5D=x&tags[]=y&q+r%2Bs%26t=+%2B', { 'tags[]': ['x', 'y'], 'q r+s&t': ' +' }],
  ])('reads %s', async (query, read) => {
    expect(await send(query)).toEqual({ status: 200, body: read });
  });

  test.each([
    ['labels[__proto__]=a', 'query parameter labels[__proto__] is unknown'],
    ['__proto__=a', 'query parameter __proto__ is unknown'],
    ['pairs=__proto__,a', 'query parameter pairs must be an object'],
    ['pairs=a,1,a,2', 'query parameter pairs must be an object'],
    ['pairs=a', 'query parameter pairs must be an object'],
    ['labels[a]=1&labels[a]=2', 'query parameter labels[a] is given more than once'],
    ['commas=a&commas=b', 'query parameter commas is given more than once'],
    ['from=1&from=2', 'query parameter from is given more than once'],
    ['size[other]=1', 'query parameter size.other is unknown'],
    ['size[min]=x', 'query parameter size.min must be an integer'],
    ['numbers=1,x', 'query parameter numbers.1 must be a number'],
    ['labels[a]=%00', 'query parameter labels.a contains an invalid character'],
    ['labels[%00]=a', 'query parameter labels has a field whose name contains an invalid character'],
    ['commas=a%', 'query has an invalid percent-encoding'],
    ['size[min]=9007199254740993', 'query parameter size is a number that is not kept exactly'],
  ])('is refused for %s', async (query, message) => {
    expect(await send(query)).toMatchObject({ status: 400, body: { message } });
  });

  test('with wrong headers or path is refused', async () => {
    expect(await send('', { 'x-assigned': 'n' })).toMatchObject({ status: 400 });
    expect(await send('', { 'x-pair': '__proto__,a' })).toMatchObject({ status: 400 });
    expect(await send('', { cookie: 'a=theme; Theme=t' })).toMatchObject({
      body: { message: 'header cookie theme is required' },
    });
    expect(await send('', { cookie: 'theme=100%; theme=t; Level=x' })).toMatchObject({
      body: { errors: [{ pointer: '/header/cookie Level' }] },
    });
    expect(await send('', {}, '1,x')).toMatchObject({ status: 404 });
    expect(await send('', {}, '1,2')).toMatchObject({ status: 200 });
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test('with thousands of fields is answered', async () => {
    const query = Array.from({ length: 1_000 }, (_, index) => `labels[${index}]=1`).join('&');
    const { status, body } = await send(query);
    expect([status, Object.keys(body.labels).length]).toEqual([200, 1_000]);
  });
});

test.each<[Json, string]>([
  [{ spaces: ['a b'] }, 'spaces: "a b" has " "'],
  [{ pipes: ['|'] }, 'pipes: "|" has "|"'],
  [{ labels: { 'a[': 'b' } }, 'labels: the name "a[" has a bracket'],
  [{ labels: { a: ['b'] } }, 'labels.a must be a string, a safe number or a boolean'],
  [{ labels: ['a'] }, 'labels must be an object'],
  [{ commas: { a: 'b' } }, 'commas must be a list'],
  [{ commas: [null] }, 'commas.0 must be a string'],
  [{ rest: { commas: 'a' } }, 'rest: "commas" is another parameter'],
  [{ ids: [] }, 'ids is missing or empty'],
  [{ 'X-Tags': ['a,b'] }, 'X-Tags: "a,b" has ","'],
  [{ 'X-Assigned': { 'a=': 1 } }, 'X-Assigned: the name "a=" has a "="'],
])('the SDK refuses %j, which would be read as something else', async (given, message) => {
  await expect(client.echo({ ...NEEDED, ...given })).rejects.toThrow(message);
});

test('the test client passes parameters as they were given', async () => {
  const given = { ...NEEDED, labels: { a: 'b' }, commas: ['a'] };
  expect(await built.createTestClient({ echo: (parameters: Json) => parameters }).echo(given)).toEqual(given);
});

test('the samples of the reference are written in the styles', () => {
  const { paths } = JSON.parse(built.contract.reference);
  const [, curl] = paths['/things/{ids}'].post['x-codeSamples'];
  expect(curl.source).toContain("/v1/things/1%2C2?commas=a%2Cb,c%20d&labels%5Ba%5D=b'");
  expect(curl.source).toContain("--header 'X-Pair: r,s'");
  expect(curl.source).toContain("--header 'Cookie: theme=dark%20blue'");
  const [, form] = paths['/forms'].post['x-codeSamples'];
  const address = '%7B%22city%22%3A%22Ulm%22%7D';
  expect(form.source).toContain(`title=a+b&address=${address}&deep%5Bcity%5D=Ulm&commas=a%2Cb,c'`);
});
