import { randomBytes } from 'node:crypto';

/** What a client should not send, or seldom does, and what it gets. */
export interface Case {
  name: string;
  bytes: string | Buffer;
  /**
   * The statuses of all answers, in their order, until the server closes the connection; empty: it is just closed.
   * Default: any, but no fault of the server.
   */
  answers?: number[];
  /** After the bytes: nothing more is sent, this side of the connection is closed, at once or after a pause, or all of it is broken. */
  afterwards?: 'wait' | 'half-close' | 'pause' | 'reset';
}

/** So large that none of the server's limits lets it pass. */
const LARGE = 70_000;

const JSON_TYPE = 'Content-Type: application/json';
const ANIMAL = '{"name":"Biscuit","categoryId":7}';

export function allCases(apiKey: string): Case[] {
  const usual = () => [
    'Host: petstore.example',
    `Authorization: Bearer ${apiKey}`,
    // An address of its own each: refusals without a key are few for one.
    `X-Forwarded-For: 10.${[...randomBytes(3)].join('.')}`,
  ];
  const message = (lines: string[], body = '') => [...lines, '', body].join('\r\n');
  /** A request after which the connection ends. */
  const request = (line: string, ...more: string[]) => message([line, ...usual(), 'Connection: close', ...more]);
  const get = (target: string, ...more: string[]) => request(`GET ${target} HTTP/1.1`, ...more);
  const post = (body: string | Buffer, ...more: string[]) =>
    Buffer.concat([
      Buffer.from(request('POST /v1/pets HTTP/1.1', JSON_TYPE, `Content-Length: ${Buffer.byteLength(body)}`, ...more)),
      Buffer.from(body),
    ]);
  /** With framing of its own. */
  const framed = (headers: string[], body: string) =>
    message(['POST /v1/pets HTTP/1.1', ...usual(), JSON_TYPE, ...headers], body);
  const chunked = (body: string) => framed(['Transfer-Encoding: chunked', 'Connection: close'], body);
  const kept = (target: string) => message([`GET ${target} HTTP/1.1`, ...usual()]);
  const smuggled = message(['GET /v1/smuggled HTTP/1.1', ...usual()]);

  const bad = (name: string, bytes: string | Buffer): Case => ({ name, bytes, answers: [400] });
  const animal = (name: string, body: string | Buffer, status: number): Case => ({
    name: `an animal with ${name}`,
    bytes: post(body),
    answers: [status],
  });
  const named = (name: string) => `{"name":"${name}","categoryId":7}`;
  const numbered = (number: string) => `{"name":"Biscuit","categoryId":${number}}`;
  const target = (path: string, status: number): Case => ({
    name: `the target ${path.slice(0, 60)}`,
    bytes: get(path),
    answers: [status],
  });

  return [
    // Request smuggling: one request, one answer, and whatever follows is not taken for another one.
    bad('a length and chunks', framed(['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`)),
    bad('chunks and a length', framed(['Transfer-Encoding: chunked', 'Content-Length: 4'], `0\r\n\r\n${smuggled}`)),
    bad('two lengths', framed(['Content-Length: 2', 'Content-Length: 40'], `{}${smuggled}`)),
    bad('the same length twice', framed(['Content-Length: 2', 'Content-Length: 2'], `{}${smuggled}`)),
    bad('a list of lengths', framed(['Content-Length: 2, 2'], `{}${smuggled}`)),
    ...['+2', '-2', '0x2', '2e0', '2.0', '', '२', '99999999999999999999'].map((length) =>
      bad(`the length "${length}"`, framed([`Content-Length: ${length}`], `{}${smuggled}`)),
    ),
    ...['xchunked', 'identity', 'chunked, identity', '\x0bchunked', 'chunked\x00', 'chunk', ''].map((coding) =>
      bad(`the coding ${JSON.stringify(coding)}`, framed([`Transfer-Encoding: ${coding}`], `0\r\n\r\n${smuggled}`)),
    ),
    bad('a coding before its colon', framed(['Transfer-Encoding : chunked'], `0\r\n\r\n${smuggled}`)),
    bad('two codings', framed(['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], `0\r\n\r\n${smuggled}`)),
    bad('a header that hides another', framed(['X-A: b\rTransfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`)),
    { name: 'a request in the body of another', bytes: post(smuggled), answers: [400] },
    {
      name: 'a GET with a body that is a request',
      bytes: `${get('/v1/pets', `Content-Length: ${smuggled.length}`)}${smuggled}`,
      answers: [200],
    },

    // Chunks.
    { name: 'chunks', bytes: chunked(`${ANIMAL.length.toString(16)}\r\n${ANIMAL}\r\n0\r\n\r\n`), answers: [201] },
    ...['zz', '-1', '0x2', 'fffffffffffffffff', '', ' 2'].map((size) =>
      bad(`a chunk of the size "${size}"`, chunked(`${size}\r\n{}\r\n0\r\n\r\n`)),
    ),
    bad('a chunk longer than its size', chunked('2\r\n{}}}}}\r\n0\r\n\r\n')),
    { name: 'an endless chunk extension', bytes: chunked(`2;${'x'.repeat(LARGE)}\r\n{}`), answers: [413] },
    { name: 'chunks without an end', bytes: chunked('2\r\n{}\r\n'), answers: [400], afterwards: 'half-close' },
    {
      name: 'chunks beyond the limit',
      bytes: chunked(`${(LARGE).toString(16)}\r\n${'x'.repeat(LARGE)}`),
      answers: [413],
    },

    // What is no HTTP/1.1.
    bad('TLS', Buffer.from('16030100050100000103', 'hex')),
    bad('HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    { name: 'HTTP/0.9', bytes: 'GET /v1/pets\r\n\r\n', answers: [401] },
    bad('HTTP/9.9', 'GET /v1/pets HTTP/9.9\r\nHost: x\r\n\r\n'),
    { name: 'HTTP/1.0', bytes: message(['GET /v1/pets HTTP/1.0', ...usual()]), answers: [200] },
    bad('a method of small letters', 'get /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n'),
    bad('lines that end in LF', get('/v1/pets').replaceAll('\r\n', '\n')),
    bad('zeros', Buffer.alloc(100)),
    bad('random bytes', Buffer.concat([Buffer.from([0xff]), randomBytes(1_000)])),

    // Headers.
    bad('no Host', 'GET /v1/pets HTTP/1.1\r\nConnection: close\r\n\r\n'),
    bad('two Hosts', get('/v1/pets', 'Host: other.example')),
    bad('a NUL in a header', get('/v1/pets', 'X-A: \0')),
    bad('a header without a name', get('/v1/pets', ': x')),
    bad('a blank in the name of a header', get('/v1/pets', 'X A: x')),
    { name: '400 headers', bytes: get('/v1/pets', ...Array(400).fill('A: b')), answers: [200] },
    { name: '5,000 headers', bytes: get('/v1/pets', ...Array(5_000).fill('A: b')), answers: [431] },
    { name: 'a long header', bytes: get('/v1/pets', `X-A: ${'x'.repeat(LARGE)}`), answers: [431] },
    { name: 'headers like a prototype', bytes: get('/v1/pets', '__proto__: x', 'constructor: x'), answers: [200] },
    { name: 'two keys', bytes: get('/v1/pets', 'Authorization: Bearer x'), answers: [401] },
    { name: 'an upgrade to WebSocket', bytes: get('/v1/pets', 'Upgrade: websocket'), answers: [200] },
    { name: 'an upgrade to HTTP/2', bytes: get('/v1/pets', 'Upgrade: h2c', 'HTTP2-Settings: AA'), answers: [200] },
    { name: '100-continue', bytes: post(ANIMAL, 'Expect: 100-continue'), answers: [100, 201] },
    { name: '100-continue that is refused', bytes: post('{}', 'Expect: 100-continue'), answers: [100, 400] },
    { name: 'another expectation', bytes: post(ANIMAL, 'Expect: coffee'), answers: [417] },
    { name: 'a compressed body', bytes: post(ANIMAL, 'Content-Encoding: gzip'), answers: [415] },
    ...['', 'ü', 'a b', 'x'.repeat(256)].map((key) => ({
      name: `the idempotency key "${key.slice(0, 10)}"`,
      bytes: post(ANIMAL, `Idempotency-Key: ${key}`),
      answers: [400],
    })),

    // Targets.
    target('http://petstore.example/v1/pets?limit=1', 200),
    target('http://petstore.example', 404),
    { name: 'the asterisk', bytes: request('OPTIONS * HTTP/1.1'), answers: [404] },
    { name: 'CONNECT', bytes: request('CONNECT petstore.example:443 HTTP/1.1'), answers: [400] },
    { name: 'TRACE', bytes: request('TRACE /v1/pets HTTP/1.1'), answers: [405] },
    { name: 'a long target', bytes: get(`/v1/pets?${'x'.repeat(LARGE)}`), answers: [431] },
    ...['/v1/../livez', '/v1/pets/..', '/v1/pets/%2e%2e', '/v1/pets/%252e%252e', '/v1/pets/..%2f..%2flivez'].map(
      (path) => target(path, 404),
    ),
    ...['/v1/pets/%00', '/v1/pets%00', '/v1/pets/1%00', '/v1/pets/\\', '//v1/pets', '/v1//pets'].map((path) =>
      target(path, 404),
    ),
    ...['/v1/pets/%', '/v1/pets/%zz', '/v1/pets/%ff', '/v1/pets/%c0%ae', '/v1/pets/%ed%a0%80'].map((path) =>
      target(path, 400),
    ),
    ...[
      '-0',
      '1e400',
      '1.0',
      '0x1',
      'NaN',
      '__proto__',
      '٣',
      '9007199254740991',
      '9007199254740992',
      '9223372036854775807',
    ]
      .map(encodeURIComponent)
      .map((id) => target(`/v1/pets/${id}`, 404)),
    ...[
      '__proto__=1',
      'limit=1&limit=1',
      'limit[]=1',
      'limit=1e1',
      'limit=9223372036854775808',
      'status=%00',
      'cursor=%00',
    ]
      .concat('limit=%', 'cursor=..', `cursor=${'x'.repeat(200)}`, 'cursor=YWZ0ZXI6MWU0MDA', '%00=1')
      .map((query) => target(`/v1/pets?${query}`, 400)),

    // Animals.
    animal('NUL in its name', named('\\u0000'), 400),
    animal('a bare NUL', named('\0'), 400),
    animal('half a surrogate pair', named('\\ud800'), 400),
    animal('the other half', named('\\udc00x'), 400),
    animal('a surrogate pair', named('\\ud83d\\udc15'), 201),
    animal('a name from right to left', named('\u202eכלב'), 201),
    animal('a family for a name', named('👩‍👩‍👧‍👦'), 201),
    animal('255 dogs for a name', named('🐕'.repeat(255)), 201),
    animal('256 dogs for a name', named('🐕'.repeat(256)), 400),
    animal('a name that is SQL', named(`'); drop table pets; --`), 201),
    animal('no name', named(''), 400),
    animal('a prototype', `{"__proto__":{"name":"x"},"categoryId":7}`, 400),
    animal('a prototype beside', `{"name":"Biscuit","categoryId":7,"__proto__":{"admin":true}}`, 400),
    animal('a constructor', `{"name":"Biscuit","categoryId":7,"constructor":{"prototype":{}}}`, 400),
    // RFC 8259 leaves it open; the last one counts, as everywhere in JavaScript.
    animal('two names', `{"name":5,"name":"Biscuit","categoryId":7}`, 201),
    animal('two names, the last one bad', `{"name":"Biscuit","name":5,"categoryId":7}`, 400),
    ...['9007199254740991', '-9007199254740991', '-0', '7.0', '7e0', '70e-1'].map((number) =>
      animal(`the category ${number}`, numbered(number), 201),
    ),
    ...[
      '9007199254740992',
      '9007199254740993',
      '-9007199254740992',
      '9223372036854775807',
      '9223372036854775808',
      '1e400',
    ]
      .concat('1e-400', '7.5', '9007199254740991.4', '"7"', 'null', 'true', 'NaN', 'Infinity', '07', '0x7', '[7]')
      .map((number) => animal(`the category ${number}`, numbered(number), 400)),
    animal('brackets 30,000 deep', '['.repeat(30_000) + ']'.repeat(30_000), 400),
    animal('brackets 30,000 deep, left open', '['.repeat(30_000), 400),
    animal('a category 10,000 deep', numbered(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`), 400),
    animal('5,000 unknown fields', `{${Array.from({ length: 5_000 }, (_, i) => `"${i}":1`).join()}}`, 400),
    animal('a body that is no UTF-8', Buffer.from(named('\xff'), 'latin1'), 400),
    animal('a body in UTF-16', Buffer.from(ANIMAL, 'utf16le'), 400),
    animal('a byte order mark', `\ufeff${ANIMAL}`, 400),
    ...['', 'null', '[]', '7', '"x"', '{', `${ANIMAL}x`].map((body) => animal(`the body ${body}`, body, 400)),
    animal('more than there may be', named('x'.repeat(LARGE)), 413),
    {
      name: 'an animal as a form',
      bytes: `${request('POST /v1/pets HTTP/1.1', 'Content-Type: application/x-www-form-urlencoded', 'Content-Length: 6')}name=x`,
      answers: [415],
    },

    // Connections.
    // Node.js takes a client that closes its side for one that is gone, unless it has answered before.
    { name: 'a request, and its side closed', bytes: get('/v1/pets'), afterwards: 'half-close' },
    { name: 'half a request line, and its side closed', bytes: 'GET /v1/p', answers: [400], afterwards: 'half-close' },
    {
      name: 'half a body, and its side closed',
      bytes: framed(['Content-Length: 99'], '{'),
      answers: [400],
      afterwards: 'half-close',
    },
    { name: 'nothing, and its side closed', bytes: '', answers: [], afterwards: 'half-close' },
    { name: 'half a body, and broken', bytes: framed(['Content-Length: 99'], '{'), answers: [], afterwards: 'reset' },
    { name: 'a request, and broken', bytes: get('/v1/pets'), answers: [], afterwards: 'reset' },
    { name: 'nothing', bytes: '', answers: [408] },
    { name: 'half a request line', bytes: 'GET /v1/p', answers: [408] },
    {
      name: 'a hundred requests at once',
      bytes: kept('/v1/pets?limit=1').repeat(99) + get('/v1/pets?limit=x'),
      answers: [...Array(99).fill(200), 400],
    },
    {
      name: 'requests, and what is none',
      bytes: `${kept('/v1/pets?limit=1')}${kept('/v1/pets/0')}hello\r\n\r\n${kept('/v1/pets')}`,
      answers: [200, 404, 400],
    },
    {
      name: 'a body longer than its length',
      bytes: framed(['Content-Length: 2'], `{}}}${kept('/v1/pets')}`),
      answers: [400, 400],
    },
  ];
}
