/** Forms with files, streams, and responses in several media types: generated, served and called. */
import { hash, randomBytes } from 'node:crypto';
import { connect as socketTo } from 'node:net';
import { Readable } from 'node:stream';
import { parseResponse } from '@petstore-platform/testkit/raw';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Json } from './json.ts';
import { failureOf, served, untilStill } from './served.ts';

const CONTRACT = `
openapi: 3.1.0
info: { title: Files, version: 1.0.0, license: { name: MIT, identifier: MIT } }
servers: [{ url: https://api.files.example/v1 }]
paths:
  /files:
    post:
      operationId: addFile
      summary: A form with files in memory
      x-max-body: 100000
      requestBody: &form
        required: true
        content:
          multipart/form-data:
            schema: { $ref: '#/components/schemas/NewFile' }
            encoding: { file: { contentType: 'image/png, text/*' } }
      responses: { '201': { description: OK, content: { application/json: { schema: { type: object, additionalProperties: true } } } } }
  /streams:
    post:
      operationId: storeFiles
      summary: A form with files that flow
      x-max-body: 100000000
      requestBody: *form
      responses: { '201': { description: OK, content: { application/json: { schema: { type: object, additionalProperties: true } } } } }
  /blobs:
    post:
      operationId: putBlob
      summary: Bytes that flow, and come back
      x-max-body: 50000000
      requestBody: { required: true, content: { application/octet-stream: {} } }
      responses: { '200': { description: OK, content: { application/octet-stream: {}, text/plain: { schema: { type: string } } } } }
  /blobs/{size}:
    get:
      operationId: getBlob
      summary: Bytes that flow
      parameters: [{ name: size, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: OK, content: { application/pdf: { schema: { type: string, format: binary } } } } }
  /notes:
    get:
      operationId: listNotes
      summary: JSON or CSV
      responses: { '200': { description: OK, content: { text/csv: { schema: { type: string } }, application/json: { schema: { type: array, items: { type: object, additionalProperties: true } } } } } }
    post:
      operationId: addNote
      summary: One of two successes
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [later], properties: { later: { type: boolean } } } } } }
      responses:
        '200': { description: OK, content: { application/json: { schema: { type: object } }, text/csv: { schema: { type: string } } } }
        '202': { description: Later, headers: { Location: { schema: { type: string } } } }
components:
  schemas:
    NewFile:
      type: object
      required: [title, file]
      properties:
        title: { type: string, minLength: 1 }
        times: { type: integer }
        tags: { type: array, items: { type: integer } }
        about: { type: object, required: [by], properties: { by: { type: string }, n: { type: number } } }
        file: { type: string, format: binary, minLength: 1, maxLength: 90000 }
        extras: { type: array, maxItems: 2, items: { type: string, format: binary } }
`;

let signal: AbortSignal | undefined;
let isDestroyed = false;
let isOpen = (_: unknown) => {};

const {
  server,
  client,
  request: send,
  headOf,
  connect,
} = await served(CONTRACT, ({ read, write, stream }) => ({
  addFile: write('addFile', async ({ body: { file, extras = [], ...body } }: Json) => ({
    status: 201,
    body: {
      ...body,
      files: await Promise.all(
        [file, ...extras].map(async (one: File) => [one.name, one.type, hash('sha256', await one.bytes())]),
      ),
      at: performance.now(),
    },
  })),
  storeFiles: stream('storeFiles', async ({ body, files }: Json, _db: Json, context: Json) => {
    const found: Json[] = [];
    ({ signal } = context);
    for await (const { field, name, type, stream } of files) {
      if (name === 'skipped') continue;
      let size = 0;
      for await (const chunk of stream) {
        size += chunk.length;
        isOpen(size);
      }
      found.push([field, name, type, size]);
    }
    return context.write(async () => ({ status: 201, body: { ...body, found, at: performance.now() } }));
  }),
  putBlob: stream('putBlob', async ({ body, headers }: Json, _db: Json, { write }: Json) => {
    if (headers.accept === 'text/plain') {
      for await (const _ of body);
      return write(async () => ({ status: 200, type: 'text/plain', body: `${performance.now()}` }));
    }
    return { status: 200, body };
  }),
  getBlob: stream('getBlob', async ({ path: { size } }: Json, _db: Json, context: Json) => {
    ({ signal } = context);
    const chunk = Buffer.alloc(10_000, 'x');
    return {
      status: 200,
      body: Readable.from(
        (async function* () {
          try {
            for (let sent = 0; sent < size; sent += chunk.length) {
              yield chunk;
              if (size === 13) throw new Error('lost');
              isOpen(sent);
            }
          } finally {
            isDestroyed = true;
          }
        })(),
      ),
    };
  }),
  listNotes: read('listNotes', async ({ headers }: Json) =>
    headers.accept === 'text/csv'
      ? { status: 200, type: 'text/csv', body: 'id\r\n1' }
      : { status: 200, body: [{ id: 1 }] },
  ),
  addNote: write('addNote', async ({ body: { later }, headers }: Json) =>
    later
      ? { status: 202, headers: { Location: '/v1/notes' } }
      : headers.accept === 'text/csv'
        ? { status: 200, type: 'text/csv', body: `${performance.now()}` }
        : { status: 200, body: {} },
  ),
}));

const png = (size: number) => new File([Buffer.alloc(size, 7)], 'a.png', { type: 'image/png' });
/** Fields by name; a list has several of a name, and undefined is left out. */
type Fields = Record<string, string | File | (string | File)[] | undefined>;
const formOf = (fields: Fields) => {
  const form = new FormData();
  for (const [name, values] of Object.entries(fields))
    for (const value of [values ?? []].flat()) form.append(name, value);
  return form;
};

/** Asserts a failure where files are in memory and where they flow. A message that begins with a place has its pointer. */
async function expectRefused(body: Json, message?: string | RegExp, status = 400, type?: string) {
  for (const target of ['/files', '/streams']) {
    const response = await send(target, 'POST', body, { ...(type && { 'Content-Type': type }) });
    const [found, text, ...pointers] = await failureOf(response);
    expect([target, found]).toEqual([target, status]);
    if (message === undefined) continue;
    expect(text).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
    const [, place] = /^(body\.\S*)/.exec(text) ?? [];
    expect(pointers).toEqual(place ? [`/${place.replaceAll('.', '/')}`] : []);
  }
}

test('a form has the values of its schema, and files with their names, types and bytes', async () => {
  const [one, other] = [png(1_000), new File(['ü\r\n--x'], 'ü b.txt', { type: 'text/plain' })];
  const fields = { title: 'Ann & Bob', times: 3, tags: [1, 2], about: { by: 'Ann' } };
  const added = await client.addFile({ ...fields, file: one, extras: [other] });
  const described = [one, other].map(async (each) => [each.name, each.type, hash('sha256', await each.bytes())]);
  const files = await Promise.all(described);
  expect(added).toEqual({ ...fields, files, at: expect.any(Number) });
  const stored = await client.storeFiles({ ...fields, file: one, extras: [other] });
  const found = [
    ['file', 'a.png', 'image/png', 1_000],
    ['extras', other.name, 'text/plain', other.size],
  ];
  expect(stored).toEqual({ ...fields, found, at: expect.any(Number) });
});

test.each<[string, Fields, string | RegExp, status?: number]>([
  ['no title', { title: undefined }, 'body.title is required'],
  ['no file', { file: undefined }, 'body.file is required'],
  ['a wrong number', { times: 'x' }, 'body.times must be an integer'],
  ['a wrong object', { about: '{}' }, 'body.about.by is required'],
  ['no JSON', { about: '{' }, 'body.about is not valid JSON'],
  ['an unknown field', { admin: '1' }, 'body.admin is unknown'],
  ['__proto__', { ['__proto__']: '1' }, 'body.__proto__ is unknown'],
  ['NUL', { title: 'a\0' }, 'body.title contains an invalid character'],
  ['a text as a file', { file: 'x' }, 'body.file must be a file'],
  ['an unknown file', { title: ['x', png(1)] }, 'body.title must not be a file'],
  ['another type', { file: new File([], 'a', { type: 'application/pdf' }) }, 'body.file must be image/png or text/*'],
  ['a name of dots', { file: new File([], '..', { type: 'image/png' }) }, 'body.file has an invalid file name'],
  ['a large file', { file: png(90_001) }, 'body.file is larger than 90000 bytes', 413],
  ['too many files', { extras: [1, 2, 3].map(png) }, /^body.extras (must have at most 2|is given too often)/],
])('a form with %s is refused', (_name, fields, message, status) =>
  expectRefused(formOf({ title: 'x', ...fields, file: 'file' in fields ? fields.file : png(1) }), message, status),
);

const BYTES = 'application/octet-stream';
const BOUNDARY = 'multipart/form-data; boundary=b';
/** Sends a form as text. */
const sendForm = (target: string, body: string | ReadableStream) =>
  send(target, 'POST', body, { 'Content-Type': BOUNDARY });
const part = (disposition: string, text: string, headers = '') =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\n${headers}\r\n${text}\r\n`;
const TITLE = part('name="title"', 'x');
const FILE = part('name="file"; filename="a.png"', 'x', 'Content-Type: image/png\r\n');
const UNTOUCHED = (name: string) => part(`name="${name}"; filename=""`, '', `Content-Type: ${BYTES}\r\n`);
const named = (name: string) => part(`name="file"; filename="${name}"`, '', 'Content-Type: image/png\r\n');
const NOT_VALID = 'body is not valid multipart/form-data';

test.each<[string, string | Buffer<ArrayBuffer>, message?: string | undefined, status?: number, type?: string]>([
  ['no boundary', `${TITLE}--b--`, NOT_VALID, 400, 'multipart/form-data'],
  ['another type', `${TITLE}--b--`, 'Send the body as multipart/form-data', 415, 'multipart/mixed; boundary=b'],
  ['nothing', '', NOT_VALID],
  ['no end', TITLE, NOT_VALID],
  ['no end of a file', TITLE + FILE.slice(0, -4), NOT_VALID],
  ['a part without a name', `${TITLE}${part('', 'x')}${FILE}--b--`, 'body. is unknown'],
  ['a file name with NUL', `${TITLE}${named('a\0')}--b--`, 'body.file has an invalid file name'],
  ['a long file name', `${TITLE}${named('a'.repeat(256))}--b--`, 'body.file has an invalid file name'],
  ['large fields', `${part('name="tags"', '1'.repeat(2 ** 19)).repeat(2)}--b--`, undefined, 413],
  ['large names', `${part(`name="${'x'.repeat(70_000)}"`, '1').repeat(16)}--b--`, undefined, 413],
  ['a large field', `${part('name="title"', 'x'.repeat(2 ** 20 + 1))}--b--`, undefined, 413],
  [
    'a text that is no UTF-8',
    Buffer.from(`${part('name="title"', 'caf\u00e9')}${FILE}--b--`, 'latin1'),
    'body.title is not valid UTF-8',
  ],
  [
    'a number that is rounded',
    `${TITLE}${part('name="about"', '{"by":"x","n":9007199254740993}')}${FILE}--b--`,
    'body.about.n is a number that is not kept exactly',
  ],
  ['10,000 parts', `${part('name="tags"', '1').repeat(10_000)}--b--`, undefined, 413],
  ['no file that is required', `${TITLE}${UNTOUCHED('file')}--b--`, 'body.file is required'],
  [
    'bytes of a file without a name',
    `${TITLE}${FILE}${part('name="extras"; filename=""', 'x')}--b--`,
    'body.extras has an invalid file name',
  ],
  ['an untouched file that is none', `${TITLE}${FILE}${UNTOUCHED('title')}--b--`, 'body.title must not be a file'],
])('a form with %s is refused', (_name, body, message, status, type = BOUNDARY) =>
  expectRefused(body, message, status, type),
);

test('what a browser sends for an untouched field is absent: a file and a number', async () => {
  const body = `${TITLE}${part('name="times"', '')}${UNTOUCHED('extras')}${FILE}--b--`;
  for (const target of ['/files', '/streams']) {
    const response = await sendForm(target, body);
    expect(response.status).toBe(201);
    expect(await response.json()).not.toHaveProperty('times');
  }
});

test('a file that is destroyed before it is read fails its form', async () => {
  const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
  const extra = (size: number) => part('name="extras"; filename="a"', 'x'.repeat(size));
  // The last two chunks are read at once: the file begins in the first of them, and the limit is passed in the second.
  const chunks = [TITLE + extra(95_000), extra(100).slice(0, -2), 'x'.repeat(10_000)].map(chunk);
  const headers = { 'Content-Type': BOUNDARY, 'Transfer-Encoding': 'chunked' };
  const connection = await connect('POST /v1/files', headers, chunks.join(''));
  expect(await connection.read(/}$/)).toMatch(/^HTTP\/1.1 413 /);
});

test('a form that is too large is refused, whether or not the client says its size, between its parts, too', async () => {
  const files = part('name="extras"; filename="a"', 'x'.repeat(60_000)).repeat(2);
  for (const body of [`${TITLE}${FILE}${files}--b--`, `${'x'.repeat(200_000)}\r\n${TITLE}${FILE}--b--`])
    for (const sent of [body, new Blob([body]).stream()])
      expect(await failureOf(await sendForm('/files', sent))).toEqual([
        413,
        'The body is larger than the service accepts',
      ]);
});

test('the name of a file is no path, and a form in a form is its text', async () => {
  const inner = `--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nx\r\n${part('name="file"; filename="../../etc/pass\\"wd"', '--c\r\n\r\n--c--', 'Content-Type: image/png\r\n')}--b--`;
  const { files }: Json = await (await sendForm('/files', inner)).json();
  expect(files).toEqual([['pass"wd', 'image/png', hash('sha256', '--c\r\n\r\n--c--')]]);
});

test('a field that follows a file is refused where files flow, and not where they are in memory', async () => {
  const fields = formOf({ file: png(1), title: 'x' });
  expect((await send('/files', 'POST', fields)).status).toBe(201);
  const refused = await failureOf(await send('/streams', 'POST', fields));
  expect(refused).toEqual([400, 'body.title is required', '/body/title']);
  const late = formOf({ title: 'x', file: png(1), times: '1' });
  expect(await failureOf(await send('/streams', 'POST', late))).toEqual([
    400,
    'body.times must be sent before the files',
    '/body/times',
  ]);
});

test.each(['addFile', 'storeFiles'])('a key of %s covers the bytes, names and types of files', async (name) => {
  const idempotencyKey = name;
  const call = (file: File, others = {}) => client[name]({ title: 'x', file, ...others }, { idempotencyKey });
  const first = await call(png(2_000));
  expect(await call(png(2_000))).toEqual(first);
  for (const file of [
    png(2_001),
    new File([png(2_000)], 'b.png', { type: 'image/png' }),
    new File([png(2_000)], 'a.png', { type: 'text/plain' }),
  ])
    await expect(call(file)).rejects.toMatchObject({ status: 422, code: 'idempotency_key_reused' });
  await expect(call(png(2_000), { extras: [png(1)] })).rejects.toMatchObject({ status: 422 });
});

test('a change before the end of the files is a bug, as the key could not cover them', async () => {
  const skipped = new File(['x'], 'skipped', { type: 'image/png' });
  await expect(client.storeFiles({ title: 'x', file: skipped })).rejects.toMatchObject({ status: 500 });
});

test('bytes flow through the server, which holds none of them', async () => {
  const bytes = randomBytes(20_000_000);
  const chunks = Array.from({ length: 200 }, (_, index) => bytes.subarray(index * 100_000, (index + 1) * 100_000));
  const body = new Blob(chunks).stream();
  const response = await send('/blobs', 'POST', body, { 'Content-Type': BYTES });
  expect(response.headers.get('Content-Type')).toBe('application/octet-stream');
  expect(response.headers.get('Content-Security-Policy')).toBe("default-src 'none'; sandbox");
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
});

test('an SDK sends blobs and streams with their progress, and reads blobs, texts and streams', async () => {
  const bytes = randomBytes(300_000);
  const hashOf = async (body: Blob | ReadableStream) => hash('sha256', await new Response(body).bytes());
  for (const body of [new Blob([bytes]), new Blob([bytes]).stream()]) {
    const told: Json[] = [];
    const total = body instanceof Blob ? bytes.length : undefined;
    const sent = await client.putBlob(body, { onProgress: (progress: Json) => told.push(progress) });
    expect(await hashOf(sent)).toBe(hash('sha256', bytes));
    expect(told.length).toBeGreaterThan(1);
    expect(told.at(-1)).toEqual({ sent: bytes.length, total });
  }
  const told: Json[] = [];
  await client.addFile({ title: 'x', file: png(1_000) }, { onProgress: (progress: Json) => told.push(progress) });
  expect(told.at(-1).sent).toBe(told.at(-1).total);
  expect(told.at(-1).total).toBeGreaterThan(1_000);
  expect(await client.putBlob(new Blob(['x']), { accept: 'text/plain' })).toMatch(/^[\d.]+$/);
  expect(await client.listNotes()).toEqual([{ id: 1 }]);
  expect(await client.listNotes({ accept: 'text/csv' })).toBe('id\r\n1');
  const large: Blob = await client.getBlob({ size: 20_000_000 });
  expect([large.size, large.type]).toEqual([20_000_000, 'application/pdf']);
  expect(await hashOf(await client.getBlob({ size: 20_000_000 }, { as: 'stream' }))).toBe(await hashOf(large));
  expect((await client.getBlob({ size: 0 })).size).toBe(0);
  await expect(client.listNotes({ accept: 'text/html' })).rejects.toThrow('accept must be one of');
});

test('a stream that a client gives up ends at the server, too', async () => {
  isDestroyed = false;
  const controller = new AbortController();
  const options = { as: 'stream', signal: controller.signal };
  const reader = (await client.getBlob({ size: 900_000_000 }, options)).getReader();
  expect((await reader.read()).done).toBe(false);
  controller.abort(new Error('enough'));
  await expect(async () => {
    for (;;) await reader.read();
  }).rejects.toThrow('enough');
  await expect.poll(() => isDestroyed).toBe(true);
});

test('a blob is sent again with the same key, and a stream only if nothing was taken from it', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  onTestFinished(() => void vi.restoreAllMocks());
  const sent: Json[] = [];
  const clientOf = (isTaken: boolean) =>
    client.withOptions({
      maxRetries: 1,
      fetch: async (url: string, init: Json) => {
        const [isFirst, { body }] = [sent.push(init.headers['idempotency-key']) % 2 === 1, init];
        if (isFirst && isTaken && body.getReader) await body.getReader().read();
        if (isFirst) throw new Error('lost');
        return fetch(url, body === init.body ? init : { ...init, body });
      },
    });
  const put = async (isTaken: boolean, body: Json, options = {}) => {
    sent.length = 0;
    const call = clientOf(isTaken).putBlob(body, options);
    const { code, attempts, size = code }: Json = await call.catch((error: unknown) => error);
    return [size, attempts, sent.length, new Set(sent).size, sent[0] !== undefined];
  };
  const blob = new Blob([randomBytes(200_000)]);
  const twice = [blob.size, undefined, 2, 1, true];
  expect(await put(true, blob)).toEqual(twice);
  expect(await put(true, blob, { onProgress: () => {} })).toEqual(twice);
  expect(await put(false, blob.stream())).toEqual(twice);
  expect(await put(true, blob.stream())).toEqual(['network_error', 1, 1, 1, true]);
});

test('a key covers bytes that flow', async () => {
  const put = (text: string) => client.putBlob(new Blob([text]), { accept: 'text/plain', idempotencyKey: 'blob' });
  const first = await put('abc');
  expect(await put('abc')).toBe(first);
  await expect(put('abd')).rejects.toMatchObject({ status: 422, code: 'idempotency_key_reused' });
});

test('a body that is too large is refused, at its end if the client does not say its size', async () => {
  const headers = { Accept: 'text/plain', 'Content-Type': BYTES };
  const body = new Blob(Array.from({ length: 51 }, () => Buffer.alloc(1_000_000)));
  expect((await send('/blobs', 'POST', body.stream(), headers).catch(() => ({ status: 413 }))).status).toBe(413);
  const large = { 'Content-Type': BYTES, 'Content-Length': 50_000_001, Connection: 'close' };
  const connection = await connect('POST /v1/blobs', large);
  expect(parseResponse(await connection.readToEnd()).status).toBe(413);
});

test('a response is in the media type that the client accepts', async () => {
  const get = async (accept?: string, method = 'GET') => {
    const response = await send('/notes', method, undefined, accept === undefined ? {} : { Accept: accept });
    expect(response.headers.get('Vary')).toBe('Accept');
    return [response.status, response.headers.get('Content-Type'), await response.text()];
  };
  const json = [200, 'application/json; charset=utf-8', '[{"id":1}]'];
  const csv = [200, 'text/csv; charset=utf-8', 'id\r\n1'];
  for (const accept of [undefined, '*/*', 'application/json', 'text/csv;q=0.5, application/*'])
    expect(await get(accept)).toEqual(json);
  for (const accept of ['text/csv', 'text/*', 'application/json;q=0.1, text/csv'])
    expect(await get(accept)).toEqual(csv);
  expect(await get('text/csv', 'HEAD')).toEqual([200, 'text/csv; charset=utf-8', '']);
  expect((await get('image/png'))[0]).toBe(406);
  // At the same time, equal requests share a handler.
  expect(await Promise.all([get('text/csv'), get(), get('text/csv'), get()])).toEqual([csv, json, csv, json]);
});

test('an operation has several successes, and a key repeats that of the first request', async () => {
  const { data, response } = await client.addNote({ later: true }).withResponse();
  const { headers, status } = response;
  expect([status, data, headers.get('Content-Type')]).toEqual([202, undefined, null]);
  expect(headers.get('Location')).toBe('/v1/notes');
  expect(await client.addNote({ later: false })).toEqual({});
  const options = { accept: 'text/csv', idempotencyKey: 'n' };
  const csv = await client.addNote({ later: false }, options);
  expect(csv).toMatch(/^[\d.]+$/);
  expect(await client.addNote({ later: false }, options)).toBe(csv);
});

test('HEAD runs no stream, and a failure within one ends the connection', async () => {
  isDestroyed = false;
  const head = await send('/blobs/1000000', 'HEAD', undefined);
  expect([head.status, head.headers.get('Content-Type'), await head.text()]).toEqual([200, 'application/pdf', '']);
  const get = async (size: number) => (await send(`/blobs/${size}`, 'GET', undefined)).arrayBuffer();
  expect((await get(1_000_000)).byteLength).toBe(1_000_000);
  await expect(get(13)).rejects.toThrow();
});

test('a client that does not read makes the handler wait, and one that leaves ends it', async () => {
  const socket = socketTo(server.port, '127.0.0.1').pause();
  isDestroyed = false;
  let sent = 0;
  isOpen = (size) => {
    sent = size as number;
  };
  socket.write(headOf('GET /v1/blobs/900000000'));
  await expect.poll(() => sent).toBeGreaterThan(0);
  await untilStill(() => sent);
  expect(sent).toBeLessThan(50_000_000);
  expect(signal?.aborted).toBe(false);
  socket.destroy();
  await expect.poll(() => isDestroyed).toBe(true);
  expect(signal?.aborted).toBe(true);
});

test('a client that leaves within an upload ends its handler', async () => {
  const opened = new Promise((resolve) => {
    isOpen = resolve;
  });
  const headers = { 'Content-Type': BOUNDARY, 'Content-Length': 100_000 };
  const socket = await connect('POST /v1/streams', headers, TITLE + FILE.slice(0, -2));
  await opened;
  socket.destroy();
  await expect.poll(() => signal?.aborted).toBe(true);
  expect((await send('/notes', 'GET', undefined)).status).toBe(200);
});

test('a body that is read in a stream has the time that it needs, and a client that stalls is disconnected', async () => {
  const { app } = server;
  expect(app.server.requestTimeout).toBeGreaterThan(30_000);
  const { timeout } = app.server;
  app.server.timeout = 300;
  onTestFinished(() => {
    app.server.timeout = timeout;
  });
  const headers = { 'Content-Type': BYTES, Accept: 'text/plain', 'Content-Length': 100_000 };
  const connection = await connect('POST /v1/blobs', headers, 'x');
  expect(await connection.readToEnd()).toBe('');
});
