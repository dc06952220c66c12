import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parseJson } from '../../src/http/body.ts';
import { countAnimals, errorOf, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let stored = 0;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

// After each test: nothing unexpected was stored, and the server serves.
afterEach(async () => {
  expect(await countAnimals(server)).toBe(stored);
  expect(await server.petstore.listPets({ limit: 100 })).toHaveLength(stored);
});

const biscuit = '{"name":"Biscuit","categoryId":7}';

function post(body: NonNullable<RequestInit['body']> | null, headers: Record<string, string> = {}): Promise<Response> {
  return server.request('/v1/pets', { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
}

async function expectRefused(response: Response, status: number, code: string, message = /./): Promise<void> {
  expect(await errorOf(response)).toEqual({ status, code, message: expect.stringMatching(message) });
}

describe('media type', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/JSON',
  ])('%s is read', async (type) => {
    expect((await post(biscuit, { 'Content-Type': type })).status).toBe(201);
    stored += 1;
  });

  test.each([
    'text/plain',
    'text/json',
    'application/jsonp',
    'application/json5',
    'application/merge-patch+json',
    'application/x-www-form-urlencoded',
    'application',
    'application/',
    'json',
    'multipart/form-data; boundary=x',
    'text/plain; application/json',
  ])('%s is 415', async (type) => {
    const response = await post(biscuit, { 'Content-Type': type });
    await expectRefused(response, 415, 'unsupported_media_type', /application\/json/);
  });

  test('a body without a media type is 415', async () => {
    await expectRefused(await post(Buffer.from(biscuit)), 415, 'unsupported_media_type', /application\/json/);
  });

  test.each(['gzip', 'br', 'x-unknown', 'gzip, identity'])('Content-Encoding: %s is 415', async (coding) => {
    const body = coding === 'gzip' ? gzipSync(biscuit) : Buffer.from(biscuit);
    const response = await post(body, { 'Content-Type': 'application/json', 'Content-Encoding': coding });
    await expectRefused(response, 415, 'unsupported_media_type', /Content-Encoding/);
  });
});

describe('no body', () => {
  test('is 400: it is required', async () => {
    await expectRefused(await post(null), 400, 'invalid_request', /^body is required$/);
    const json = { 'Content-Type': 'application/json' };
    await expectRefused(await post(null, json), 400, 'invalid_request', /^body is required$/);
    await expectRefused(await post('', json), 400, 'invalid_request', /^body is required$/);
  });

  test('in chunks is 400, too', async () => {
    const empty = new ReadableStream({ start: (controller) => controller.close() });
    await expectRefused(await post(empty, { 'Content-Type': 'application/json' }), 400, 'invalid_request', /required/);
  });
});

describe('text that is no animal', () => {
  const refused = async (body: string | Buffer<ArrayBuffer>) =>
    expectRefused(await post(body, { 'Content-Type': 'application/json' }), 400, 'invalid_request', /body/);

  test.each([
    ' ',
    '{',
    '{}{}',
    `${biscuit},`,
    `[${biscuit}]`,
    "{'name':'Biscuit','categoryId':7}",
    '{"name":"Biscuit","categoryId":7,}',
    '{"name":"Biscuit","categoryId":07}',
    '{"name":"Biscuit","categoryId":.7}',
    '{"name":"Biscuit","categoryId":NaN}',
    '{"name":"Biscuit","categoryId":Infinity}',
    '{"name":"tab\there","categoryId":7}',
    '// a comment\n{}',
    'name=Biscuit&categoryId=7',
    '{"name":"Biscuit","categoryId":7,"__proto__":{"status":"sold"}}',
    '{"name":"Biscuit","__proto__":{"categoryId":7}}',
    '{"__proto__":{"name":"Biscuit","categoryId":7}}',
    '{"name":"Biscuit","categoryId":7,"constructor":{"prototype":{"status":"sold"}}}',
    '['.repeat(60_000),
    `${'['.repeat(30_000)}1.5${']'.repeat(30_000)}`,
  ])('%s is 400', refused);

  test('not in UTF-8 is 400', async () => {
    await refused(Buffer.from(biscuit.replace('B', '\xff'), 'latin1'));
    await refused(Buffer.from(`\ufeff${biscuit}`, 'utf16le'));
    // A truncated character, an overlong NUL and an encoded surrogate.
    for (const bytes of [[0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80]]) {
      await refused(Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('","categoryId":7}')]));
    }
  });

  test('of any bytes is 400', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 40 }), (bytes) => refused(Buffer.from(bytes))),
    );
  });
});

describe('a body that is too large', () => {
  const limit = 64 * 1024;
  const padded = (bytes: number) => biscuit.padEnd(bytes, ' ');
  const head = ['POST /v1/pets HTTP/1.1', 'Host: x', 'Content-Type: application/json'];
  const authorization = () => `Authorization: Bearer ${server.apiKey}`;

  test('has more than 64 KiB', async () => {
    const json = { 'Content-Type': 'application/json' };
    expect((await post(padded(limit), json)).status).toBe(201);
    stored += 1;
    await expectRefused(await post(padded(limit + 1), json), 413, 'payload_too_large');
  });

  test('is 413 at once if announced, before it is sent', async () => {
    const response = await server.raw([...head, authorization(), 'Content-Length: 1000000000', '', ''].join('\r\n'));
    expect(response.status).toBe(413);
    expect(JSON.parse(response.body)).toMatchObject({ code: 'payload_too_large' });
    expect(response.headers.get('Connection')).toBe('close');
  });

  test('is 413 in chunks, too', async () => {
    const chunk = `${(1024).toString(16)}\r\n${' '.repeat(1024)}\r\n`.repeat(65);
    const response = await server.raw([...head, authorization(), 'Transfer-Encoding: chunked', '', chunk].join('\r\n'));
    expect(response.status).toBe(413);
  });
});

describe('a body that breaks off', () => {
  test('stores nothing', async () => {
    const connection = await server.connect();
    const length = `Content-Length: ${biscuit.length + 1}`;
    const authorization = `Authorization: Bearer ${server.apiKey}`;
    const head = ['POST /v1/pets HTTP/1.1', 'Host: x', 'Content-Type: application/json', authorization, length];
    connection.write(`${head.join('\r\n')}\r\n\r\n${biscuit}`);
    connection.end();
    expect(await connection.readToEnd()).toMatch(/^(HTTP\/1.1 400 |$)/);
  });
});

test('parseJson equals JSON.parse, except for numbers that it would round', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
    }),
  );
  const mantissa = fc.maxSafeInteger().filter((integer) => integer !== 0);
  const decimal = fc.tuple(mantissa, fc.integer({ min: 1, max: 400 }), fc.integer({ min: -30, max: 30 }));
  fc.assert(
    fc.property(decimal, ([digits, fraction, shift]) => {
      // The same number with the decimal point far to the right or left.
      expect(parseJson(Buffer.from(`${digits}.${'0'.repeat(fraction)}`))).toBe(digits);
      expect(parseJson(Buffer.from(`${digits}${'0'.repeat(fraction)}e-${fraction}`))).toBe(digits);
      // Any fraction makes it a non-integer.
      expect(Number.isInteger(parseJson(Buffer.from(`${digits}.${'0'.repeat(fraction)}1`)))).toBe(false);
      const scaled = Number(`${digits}e${shift}`);
      if (!Number.isInteger(scaled)) expect(parseJson(Buffer.from(`${digits}e${shift}`))).toBe(scaled);
    }),
  );
});
