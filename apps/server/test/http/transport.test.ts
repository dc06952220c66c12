import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { someAddress, startServer, type TestServer, temporaryServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

// After each test, the server serves other clients.
afterEach(async () => {
  await server.petstore.listPets();
});

/** A request with a valid key, further header lines and `Connection: close`. */
function request(requestLine: string, ...lines: string[]): string {
  const usual = ['Connection: close', `X-Forwarded-For: ${someAddress()}`, `Authorization: Bearer ${server.apiKey}`];
  return [requestLine, ...usual, ...lines, '', ''].join('\r\n');
}

async function expectError(bytes: string | Buffer, status: number, code: string): Promise<void> {
  const response = await server.raw(bytes);
  expect(JSON.parse(response.body)).toEqual({ status, code, message: expect.stringMatching(/^[^\n]+$/) });
  expect(response.status).toBe(status);
  expect(response.headers.get('X-Request-Id')).toMatch(/^[\w-]{36}$/);
  expect(response.headers.get('Connection')).toBe('close');
  expect(Number(response.headers.get('Content-Length'))).toBe(Buffer.byteLength(response.body));
}

const host = 'Host: petstore.example';

describe('invalid HTTP', () => {
  test.each([
    ['no request line', 'hello\r\n\r\n'],
    ['another protocol', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['an unknown method', 'FETCH /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an unknown version', 'GET /v1/pets HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['a blank in the target', 'GET /v1/pets now HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a header without a name', 'GET /v1/pets HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n'],
    ['a folded header', 'GET /v1/pets HTTP/1.1\r\nHost: x\r\nX-A: 1\r\n\x01: 2\r\n\r\n'],
    ['a NUL in a header', 'GET /v1/pets HTTP/1.1\r\nHost: x\r\nX-A: \0\r\n\r\n'],
    ['two lengths', 'POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    ['a length that is none', 'POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: two\r\n\r\n{}'],
    [
      'a length beside chunks',
      'POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('%s is 400', async (_what, bytes) => expectError(bytes, 400, 'invalid_request'));

  test('an invalid chunk is 400', async () => {
    const lines = [host, 'Content-Type: application/json', 'Transfer-Encoding: chunked'];
    await expectError(`${request('POST /v1/pets HTTP/1.1', ...lines)}zz\r\n`, 400, 'invalid_request');
  });

  test('a client that keeps its side open does not delay the shutdown', async () => {
    const other = await temporaryServer();
    const connection = await other.connect();
    connection.write('hello\r\n\r\n');
    expect(await connection.readToEnd()).toMatch(/^HTTP\/1.1 400 /);
    await other.app.close();
  });
});

describe('headers', () => {
  test('too large are 431', async () => {
    const code = 'request_header_fields_too_large';
    await expectError(request('GET /v1/pets HTTP/1.1', host, `X-Large: ${'x'.repeat(20_000)}`), 431, code);
    await expectError(request(`GET /v1/pets?${'x'.repeat(20_000)} HTTP/1.1`, host), 431, code);
    // Also while the client is still sending.
    await expectError(request('GET /v1/pets HTTP/1.1', host, `X-Large: ${'x'.repeat(5_000_000)}`), 431, code);
  });

  test('without Host, or with two, are 400', async () => {
    await expectError(request('GET /v1/pets HTTP/1.1'), 400, 'invalid_request');
    await expectError(request('GET /v1/pets HTTP/1.1', host, host), 400, 'invalid_request');
    await expectError(request('GET /nowhere HTTP/1.1'), 400, 'invalid_request');
  });

  test('of HTTP/1.0 need no Host', async () => {
    expect((await server.raw(request('GET /v1/pets HTTP/1.0'))).status).toBe(200);
  });

  test('with an unknown expectation are 417', async () => {
    await expectError(request('GET /v1/pets HTTP/1.1', host, 'Expect: coffee'), 417, 'expectation_failed');
    await expectError(request('GET /v1/pets HTTP/1.1', host, 'Expect: 100-continue, tea'), 417, 'expectation_failed');
    await expectError(request('GET /nowhere HTTP/1.1', host, 'Expect: coffee'), 417, 'expectation_failed');
  });
});

test('a client of HTTP/1.0 gets no 100 Continue, which it does not know', async () => {
  const lines = ['Content-Type: application/json', 'Content-Length: 29', 'Expect: 100-continue'];
  const { status } = await server.raw(`${request('POST /v1/pets HTTP/1.0', ...lines)}{"name":"Rex","categoryId":7}`);
  expect(status).toBe(201);
});

describe('the target', () => {
  test('in absolute form equals that in origin form', async () => {
    for (const target of ['http://petstore.example/v1/pets?limit=1', 'HTTPS://user@petstore.example:8443/v1/pets']) {
      expect((await server.raw(request(`GET ${target} HTTP/1.1`, host))).status).toBe(200);
    }
    // Both are `/`, which redirects to the reference.
    for (const target of ['http://petstore.example', 'http://petstore.example?limit=1']) {
      expect((await server.raw(request(`GET ${target} HTTP/1.1`, host))).headers.get('Location')).toBe('/docs');
    }
  });

  test('in authority form is refused', async () => {
    await expectError(request('CONNECT petstore.example:443 HTTP/1.1', host), 400, 'invalid_request');
  });

  test('in asterisk form matches no path', async () => {
    await expectError(request('OPTIONS * HTTP/1.1', host), 404, 'not_found');
  });

  test.each(['/v1/pets/%', '/v1/pets/%f', '/v1/pets/%zz', '/v1/pets/%ff', '/v1/%c3', '/%e0%a4', '/%'])(
    '%s has an invalid percent-encoding: 400',
    async (path) => expectError(request(`GET ${path} HTTP/1.1`, host), 400, 'invalid_request'),
  );

  test('with equivalent percent-encoding is the same', async () => {
    expect((await server.raw(request('GET /v1/%70ets?limit=1 HTTP/1.1', host))).status).toBe(200);
  });

  test('never causes a 500', async () => {
    const piece = fc.constantFrom(
      '/',
      '/v1',
      '/pets',
      '%',
      '%ff',
      '%2f',
      '?',
      '#',
      '&',
      '=',
      ';',
      '..',
      '//',
      '@',
      ':',
      '*',
      'é',
    );
    const target = fc.array(fc.oneof(piece, fc.string()), { maxLength: 8 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(target, fc.constantFrom('GET', 'POST', 'OPTIONS'), async (text, method) => {
        const { status } = await server.raw(request(`${method} /${text} HTTP/1.1`, host));
        expect(status).toBeGreaterThanOrEqual(200);
        expect(status).toBeLessThan(500);
      }),
      { numRuns: 500, examples: [['../v1', 'GET']] },
    );
  });

  test.each(['/v1/pets#%ff', '/v1/nowhere#%ff', '/nowhere%2f..%2f', '//', '//x', '/v1//pets', '/v1/pets;x=1'])(
    '%s is answered',
    async (path) => {
      const { status } = await server.raw(request(`GET ${path} HTTP/1.1`, host));
      expect([200, 400, 404]).toContain(status);
    },
  );
});

describe('a connection', () => {
  test('serves requests in sequence, also after a failure', async () => {
    const connection = await server.connect();
    const get = (path: string) => `GET ${path} HTTP/1.1\r\n${host}\r\nAuthorization: Bearer ${server.apiKey}\r\n\r\n`;
    connection.write(get('/v1/pets?limit=x') + get('/v1/pets/0') + get('/v1/pets?limit=1'));
    const text = await connection.read(/HTTP\/1.1 200 [\s\S]*\]$/);
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 404', 'HTTP/1.1 200']);
  });

  test('that continues with invalid HTTP answers all requests before it, then 400', async () => {
    const get = (path: string) => `GET ${path} HTTP/1.1\r\n${host}\r\nAuthorization: Bearer ${server.apiKey}\r\n\r\n`;
    const [garbage, badChunk, tunnel] = await Promise.all([server.connect(), server.connect(), server.connect()]);
    garbage.write(`${get('/v1/pets?limit=1')}${get('/v1/pets/0')}hello\r\n\r\n`);
    const post = `POST /v1/pets HTTP/1.1\r\n${host}\r\nAuthorization: Bearer ${server.apiKey}\r\nContent-Type: application/json\r\n`;
    badChunk.write(`${get('/v1/pets/0')}${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`);
    tunnel.write(
      `${get('/v1/pets?limit=1')}${get('/v1/pets/0')}CONNECT petstore.example:443 HTTP/1.1\r\n${host}\r\n\r\n`,
    );
    const statuses = async (connection: typeof garbage) => (await connection.readToEnd()).match(/(?<=HTTP\/1.1 )\d+/g);
    expect(await statuses(garbage)).toEqual(['200', '404', '400']);
    expect(await statuses(badChunk)).toEqual(['404', '400']);
    expect(await statuses(tunnel)).toEqual(['200', '404', '400']);
  });
});
