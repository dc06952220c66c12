import { exchange } from '@petstore-platform/testkit/raw';
import { loadConfig } from '@repo/bookstore/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contract } from '../support/contract.ts';
import { serverProcess } from '../support/process.ts';
import { sharedServer, type TestServer, temporaryServer } from '../support/server.ts';

const server = sharedServer();

const MADE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const request = (target: string, ...lines: string[]) =>
  [`GET ${target} HTTP/1.1`, 'Host: x', 'Connection: close', ...lines, '', ''].join('\r\n');

async function idOf(to: TestServer, target: string, ...lines: string[]): Promise<string | null> {
  return (await to.raw(request(target, ...lines))).headers.get('X-Request-Id');
}

test('an id with other characters, a second one, and a long one are replaced', async () => {
  for (const id of ['', 'a'.repeat(129), 'a b', 'a,b', '"a"', '<b>', '\x1b[2J', 'é', '../a\\', '%0a', '{}'])
    expect(await idOf(server, '/v1/books', `X-Request-Id: ${id}`)).toMatch(MADE);
  expect(await idOf(server, '/v1/books', 'X-Request-Id: a', 'X-Request-Id: b')).toMatch(MADE);
  expect(await idOf(server, '/v1/books')).toMatch(MADE);
});

test.each([
  ['', false],
  ['10.0.0.0/8,fd00::/8', false],
  ['10.0.0.0/8,127.0.0.1', true],
  ['127.0.0.0/8', true],
  ['1', true],
])('with TRUST_PROXY=%s, an id from 127.0.0.1 is kept: %s', async (value, believed) => {
  const { TRUST_PROXY } = loadConfig({ DATABASE_URL: server.databaseUrl, TRUST_PROXY: value });
  const other = await temporaryServer({ config: { TRUST_PROXY } });
  // A client that claims a trusted address is not believed either.
  const id = await idOf(other, '/v1/books', 'X-Forwarded-For: 10.0.0.1', 'X-Request-Id: mine');
  expect(id).toEqual(believed ? 'mine' : expect.stringMatching(MADE));
});

test('any request is one log line in printable ASCII, with the id of its response', async () => {
  const { port, stop } = await serverProcess({ TRUST_PROXY: '1', LOG_ADDRESS: 'on' });
  // Every byte allowed in a header. Some control terminals, such as 9b, or end lines, such as 85.
  const byte = fc.integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x7f);
  const special = fc.constantFrom('\x9b2J', '\x85', '"', '\\', '\\n', '%0a', '%1b', '%', '}');
  const unit = fc.oneof(
    byte.map((code) => String.fromCharCode(code)),
    special,
  );
  const text = fc.array(unit, { maxLength: 20 }).map((units) => units.join(''));
  const answered = new Set<string | null>();
  await fc.assert(
    fc.asyncProperty(text, text, async (path, value) => {
      const headers = ['X-Request-Id', 'User-Agent', 'Authorization', 'X-Forwarded-For'].map(
        (name) => `${name}: ${value}`,
      );
      const bytes = Buffer.from(request(`/${path.replaceAll(' ', '')}`, ...headers), 'latin1');
      const { headers: answer } = await exchange(port, bytes, contract);
      answered.add(answer.get('X-Request-Id'));
    }),
    { numRuns: 300, examples: [['x'.repeat(10_000), 'forged"}']] },
  );
  expect(answered.size).toBeGreaterThan(50);
  const { stdout } = await stop();
  expect(stdout).toMatch(/^[ -~\n]*$/);
  expect(stdout).toContain('"address":"127.0.0.1"');
  // Without METRICS_PORT, nothing is measured.
  expect(stdout).not.toContain('Metrics');
  const lines = stdout.trimEnd().split('\n');
  const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  expect(new Set(logged.map(({ reqId }) => reqId))).toEqual(answered);
  for (const line of lines) expect(line.length).toBeLessThan(1_000);
});
