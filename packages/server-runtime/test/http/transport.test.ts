import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countBooks, sharedServer, someAddress, temporaryServer } from '../support/server.ts';

// cases.test.ts has the abuses.

const server = sharedServer();

/** A request with a valid key, further header lines and `Connection: close`. */
function request(requestLine: string, ...lines: string[]): string {
  const usual = ['Connection: close', `X-Forwarded-For: ${someAddress()}`, `Authorization: Bearer ${server.apiKey}`];
  return [requestLine, ...usual, ...lines, '', ''].join('\r\n');
}

test('a client that keeps its side open after invalid HTTP does not delay the shutdown', async () => {
  const other = await temporaryServer();
  const connection = await other.connect();
  connection.write('hello\r\n\r\n');
  expect(await connection.readToEnd()).toMatch(/^HTTP\/1.1 400 /);
  await other.app.close();
});

test('the rest of a refused body is read, so that no reset discards the response, and the connection stays in use', async () => {
  const other = await temporaryServer();
  const client = await other.connect();
  const post = (body: string) =>
    [
      'POST /v1/books HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${other.apiKey}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n');
  const large = post('x'.repeat(200_000));
  client.write(large.slice(0, 1_000));
  expect(await client.read(/HTTP\/1.1 413 [\s\S]*}$/)).not.toMatch(/connection: close/i);
  client.write(large.slice(1_000) + post('{"title":"Ubik","storeId":7}'));
  await client.read(/HTTP\/1.1 201 /);
  expect(await countBooks(other)).toBe(1);
});

test('a client of HTTP/1.0 gets no 100 Continue, which it does not know', async () => {
  const lines = ['Content-Type: application/json', 'Content-Length: 28', 'Expect: 100-continue'];
  const { status } = await server.raw(`${request('POST /v1/books HTTP/1.0', ...lines)}{"title":"Ubik","storeId":7}`);
  expect(status).toBe(201);
});

test('no target causes a 500', async () => {
  const piece = fc.constantFrom(...['/v1', '/books', '%ff', '%2f', '..', '//'], ...'/%?#&=;@:*é');
  const target = fc.array(fc.oneof(piece, fc.string()), { maxLength: 8 }).map((pieces) => pieces.join(''));
  await fc.assert(
    fc.asyncProperty(target, fc.constantFrom('GET', 'POST', 'OPTIONS'), async (text, method) => {
      const { status } = await server.raw(request(`${method} /${text} HTTP/1.1`, 'Host: x'));
      expect(status).toBeGreaterThanOrEqual(200);
      expect(status).toBeLessThan(500);
    }),
    { numRuns: 500, examples: [['../v1', 'GET']] },
  );
});
