/** Bodies that are not `application/json`, in both directions, and headers that a contract declares: read, generated, served and called. */
import { expect, test } from 'vitest';
import type { Json } from './json.ts';
import { failureOf, runtime, served } from './served.ts';

const CONTRACT = `
openapi: 3.1.0
info: { title: Shop, version: 1.0.0, license: { name: MIT, identifier: MIT } }
servers: [{ url: https://api.shop.example/v1 }]
paths:
  /login:
    post:
      operationId: login
      summary: A form
      requestBody: { required: true, content: { application/x-www-form-urlencoded: { schema: { $ref: '#/components/schemas/Login' } } } }
      responses: { '200': { description: OK, content: { application/json: { schema: { type: object, additionalProperties: true } } } } }
  /lines:
    post:
      operationId: importLines
      summary: A text, and a text as the response
      x-max-body: 100000
      requestBody: { required: true, content: { text/csv: { schema: { type: string, maxLength: 90000 } } } }
      responses: { '200': { description: OK, content: { text/csv: { schema: { type: string } } } } }
  /lines/{line}:
    patch:
      operationId: updateLine
      summary: JSON of other names
      parameters: [{ name: line, in: path, required: true, schema: { type: integer } }]
      requestBody: { required: true, content: { application/merge-patch+json: { schema: { type: object, properties: { title: { type: string } } } } } }
      responses: { '200': { description: OK, content: { application/hal+json: { schema: { type: object, properties: { title: { type: string } } } } } } }
    get:
      operationId: exportLine
      summary: XML
      parameters: [{ name: line, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: OK, content: { application/xml: { schema: { type: object } } } } }
  /files:
    post:
      operationId: signFile
      summary: Bytes, and bytes as the response
      x-max-body: 300000
      requestBody: { required: true, content: { application/pdf: { schema: { type: string, format: binary } } } }
      responses: { '201': { description: OK, content: { application/octet-stream: {} } }, '422': { description: It is no file. } }
    get:
      operationId: getFile
      summary: Bytes
      responses: { '200': { description: OK, content: { image/png: { schema: { type: string, format: binary } } } }, '202': { description: Soon. } }
  /words/{word}:
    parameters: [{ name: word, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getWord
      summary: A text as JSON
      responses: { '200': { description: OK, content: { application/json: { schema: { $ref: '#/components/schemas/Word' } } } } }
    post:
      operationId: sayWord
      summary: A text as JSON, stored
      responses: { '201': { description: OK, content: { application/hal+json: { schema: { oneOf: [{ type: string }, { type: object }] } } } } }
  /r/{slug}:
    get:
      operationId: follow
      summary: A redirection
      parameters: [{ name: slug, in: path, required: true, schema: { type: string } }]
      responses: { '302': { description: Where it leads., headers: { Location: { required: true, schema: { type: string, format: uri } } } } }
  /orders/{orderId}:
    put:
      operationId: replaceOrder
      parameters:
        - { name: orderId, in: path, required: true, schema: { type: integer } }
        - { name: If-Match, in: header, required: true, schema: { type: string } }
        - { name: Accept-Language, in: header, schema: { type: string } }
      requestBody: { content: { application/json: { schema: { type: object, properties: { title: { type: string } } } } } }
      responses:
        '200': { description: The order., headers: { ETag: { required: true, schema: { type: string } } }, content: { application/json: { schema: { type: object, properties: { language: { type: string } } } } } }
        '412': { description: Another version is stored. }
  /exports:
    post:
      operationId: startExport
      parameters: [{ name: Prefer, in: header, schema: { type: string } }]
      responses:
        '200': { description: Exported., content: { application/json: { schema: { type: array, items: { type: string } } } } }
        '202': { description: Started., headers: { Location: { required: true, schema: { type: string } } }, content: { application/json: { schema: { type: object, properties: { id: { type: string } } } } } }
        '204': { description: Nothing to export. }
components:
  schemas:
    Word: { allOf: [{ type: string, maxLength: 100 }] }
    Login:
      allOf: [{ type: object, required: [name], properties: { name: { type: string, minLength: 1 }, times: { type: integer, maximum: 9 } } }]
      properties: { stays: { type: boolean }, tags: { type: array, items: { type: integer } } }
`;

/** No UTF-8, and all values of a byte. */
const BYTES = Buffer.from(Array.from({ length: 1024 }, (_, index) => 255 - (index % 256)));

const { ApiError, etag, requireMatch } = runtime;
const { client, built, request } = await served(CONTRACT, ({ read, write }) => ({
  login: write('login', async ({ body }: Json) => ({ status: 200, body })),
  importLines: write('importLines', async ({ body }: Json) => ({
    status: 200,
    body: `"${body}" ${performance.now()}`,
  })),
  updateLine: write('updateLine', async ({ body }: Json) => ({ status: 200, body })),
  exportLine: read('exportLine', async ({ path: { line } }: Json) => ({ status: 200, body: `<line>${line}</line>` })),
  signFile: write('signFile', async ({ body }: Json) => {
    if (!(body instanceof Uint8Array)) throw new Error('no bytes');
    if (body.length === 1) throw new ApiError(422, 'Fehlerhaft: ü');
    return { status: 201, body: Buffer.concat([body, Buffer.from(`${performance.now()}`)]) };
  }),
  getWord: read('getWord', async ({ path: { word } }: Json) => ({ status: 200, body: word })),
  sayWord: write('sayWord', async ({ path: { word } }: Json) => ({
    status: 201,
    body: word === 'it' ? { word } : word,
  })),
  getFile: read('getFile', async () => ({ status: 200, body: BYTES })),
  follow: read('follow', async ({ path: { slug } }: Json) => ({
    status: 302,
    headers: { Location: `https://x.example/${slug}` },
  })),
  replaceOrder: write('replaceOrder', async ({ headers }: Json) => {
    requireMatch(headers['if-match'], etag(3));
    return { status: 200, headers: { ETag: etag(4) }, body: { language: headers['accept-language'] } };
  }),
  startExport: write('startExport', async ({ headers: { prefer } }: Json) => {
    if (prefer === 'wait=9') return { status: 200, body: ['a', 'b'] };
    if (prefer === undefined) return { status: 204 };
    return { status: 202, headers: { Location: `/v1/exports/7?${prefer}` }, body: { id: '7' } };
  }),
}));

const post = (target: string, type: string, body: Json, headers: object = {}) =>
  request(target, 'POST', body, { 'Content-Type': type, ...headers });
const FORM = 'application/x-www-form-urlencoded';

test('a form has the values of its schema', async () => {
  const form = { name: 'Ann & Bob', times: 3, stays: true, tags: [1, 2] };
  expect(await client.login(form)).toEqual(form);
  // A single value is a list, too.
  expect(await client.login({ name: '5', tags: [7] })).toEqual({ name: '5', tags: [7] });
  const response = await post('/login', `${FORM};charset=UTF-8`, 'name=a+b%21&tags=1');
  expect(await response.json()).toEqual({ name: 'a b!', tags: [1] });
  // Browsers send untouched fields of a form.
  const untouched = await post('/login', FORM, 'name=x&times=&stays=&tags=');
  expect(await untouched.json()).toEqual({ name: 'x' });
});

test('a text is a string, in the request and in the response, also for a repeated key', async () => {
  const idempotencyKey = 'once';
  const texts = new Set();
  const text = 'a,ü\r\n1,2';
  for (const _ of [1, 2]) {
    const { data, response } = await client.importLines(text, { idempotencyKey }).withResponse();
    expect(data).toMatch(new RegExp(`^"${text}" `));
    texts.add(data);
    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('Content-Security-Policy')).toBe("default-src 'none'; sandbox");
  }
  expect(texts.size).toBe(1);
  await expect(client.importLines('other', { idempotencyKey })).rejects.toMatchObject({ status: 422 });
  expect(await client.exportLine({ line: 3 })).toBe('<line>3</line>');
});

test('bytes stay as they are, in the request and in the response, also for a repeated key', async () => {
  const { data, response } = await client.getFile().withResponse();
  expect(Buffer.from(await data.arrayBuffer())).toEqual(BYTES);
  expect([data.type, response.headers.get('Content-Length')]).toEqual(['image/png', '1024']);
  expect(response.headers.get('Content-Security-Policy')).toBe("default-src 'none'; sandbox");
  const file = new Blob(Array.from({ length: 200 }, () => BYTES));
  const options = { idempotencyKey: 'file' };
  const [first, second]: Blob[] = [await client.signFile(file, options), await client.signFile(file, options)];
  const bytes = Buffer.from(await (first as Blob).arrayBuffer());
  expect(bytes.subarray(0, file.size)).toEqual(Buffer.from(await file.arrayBuffer()));
  expect(Buffer.from(await (second as Blob).arrayBuffer())).toEqual(bytes);
  await expect(client.signFile(new Blob(['xx']), options)).rejects.toMatchObject({
    status: 422,
    code: 'idempotency_key_reused',
  });
  // The failure of such an operation is JSON.
  await expect(client.signFile(new Blob(['x']))).rejects.toMatchObject({
    status: 422,
    body: { message: 'Fehlerhaft: ü' },
  });
});

test('a body has the size that its operation allows, in bytes of UTF-8, and no NUL', async () => {
  const csv = (body: Json, headers?: object) => post('/lines', 'text/csv', body, headers);
  expect((await csv('x'.repeat(90_000))).status).toBe(200);
  expect((await csv('x'.repeat(90_001))).status).toBe(400);
  expect((await csv('x'.repeat(100_001))).status).toBe(413);
  expect((await csv('ü'.repeat(50_001))).status).toBe(413);
  expect(await failureOf(await csv(Buffer.from([0x61, 0xff])))).toEqual([400, 'body is not valid UTF-8']);
  expect((await csv('a\0')).status).toBe(400);
  expect((await csv('a', { 'Content-Encoding': 'gzip' })).status).toBe(415);
  // The others keep the usual size.
  expect((await post('/login', FORM, `name=${'x'.repeat(66_000)}`)).status).toBe(413);
});

test('JSON of another name is JSON', async () => {
  const { data, response } = await client.updateLine({ line: 1 }, { title: 'x' }).withResponse();
  expect([data, response.headers.get('Content-Type')]).toEqual([{ title: 'x' }, 'application/hal+json; charset=utf-8']);
});

test('a text may be JSON, also for a repeated key', async () => {
  for (const [index, word] of ['"ü"', '1', 'null', '{}'].entries()) {
    expect(await client.getWord({ word })).toBe(word);
    for (const _ of [1, 2]) expect(await client.sayWord({ word }, { idempotencyKey: `word-${index}` })).toBe(word);
  }
  expect(await client.sayWord({ word: 'it' })).toEqual({ word: 'it' });
});

test('a redirection says where it leads', async () => {
  const response = await request('/r/abc');
  expect([response.status, response.headers.get('Location'), await response.text()]).toEqual([
    302,
    'https://x.example/abc',
    '',
  ]);
  const called = await client.follow({ slug: 'abc' }).withResponse();
  expect([called.data, called.response.status]).toEqual(['https://x.example/abc', 302]);
});

test('a test client has texts, too', async () => {
  const test = built.createTestClient({
    getFile: () => new Blob(['x']),
    importLines: (text: string) => text.toUpperCase(),
    login: (form: Json) => form,
    follow: ({ slug }: Json) => `https://x.example/${slug}`,
  });
  expect(await test.follow({ slug: 'abc' })).toBe('https://x.example/abc');
  expect(await new Response(await test.getFile({ as: 'stream' })).text()).toBe('x');
  expect(await test.importLines('a')).toBe('A');
  expect(await (await test.getFile()).text()).toBe('x');
  expect(await test.login({ name: 'a' })).toEqual({ name: 'a' });
});

test('a required header is a parameter of the method, another one an option', async () => {
  const call = client.replaceOrder({ orderId: 1, 'If-Match': '"3"' }, {}, { headers: { 'Accept-Language': 'de' } });
  const { data, response } = await call.withResponse();
  expect([data, response.headers.get('ETag')]).toEqual([{ language: 'de' }, '"4"']);
});

test('another version is refused, and a request without the header', async () => {
  const statusOf = (parameters: object) =>
    client.replaceOrder(parameters, {}).catch(({ status, errors }: Json) => [status, errors]);
  expect(await statusOf({ orderId: 1, 'If-Match': '"2"' })).toEqual([412, []]);
  expect(await statusOf({ orderId: 1 })).toEqual([400, [{ pointer: '/header/if-match', message: 'is required' }]]);
  await expect(client.replaceOrder({ orderId: 1, 'If-Match': 'a\nb' }, {})).rejects.toThrow('cannot be sent');
  await expect(client.replaceOrder({ orderId: 1, 'If-match': '"3"' }, {})).rejects.toThrow(
    'unknown parameter "If-match"',
  );
});

test('of several successes, each has its own data, and one that comes later is where the `Location` leads', async () => {
  const resultOf = async (headers: object) => {
    const { data, response } = await client.startExport({ headers }).withResponse();
    return [response.status, data, response.headers.get('Location')];
  };
  expect(await resultOf({ Prefer: 'wait=9' })).toEqual([200, ['a', 'b'], null]);
  expect(await resultOf({})).toEqual([204, undefined, null]);
  expect(await resultOf({ Prefer: 'respond-async' })).toEqual([202, { id: '7' }, '/v1/exports/7?respond-async']);
});
