import { randomBytes } from 'node:crypto';
import type { Case } from './raw-cases.ts';

/** The collection of a service at which requests are directed. Each of its items is at `path/{id}`. */
export interface Collection {
  /** Path of the list and of creations, such as `/v1/items`. */
  path: string;
  /** The required fields of a new item: a text of 1 to 255 characters, and a safe integer. */
  fields: { text: string; integer: string };
  /** The query parameter of the list that takes one of some values. */
  filter: string;
  /** The header by which SDKs tell their version. */
  clientHeader: string;
}

/** A valid new item. */
const itemOf = ({ fields: { text, integer } }: Collection) => `{"${text}":"Ada","${integer}":7}`;

/** A size in bytes that exceeds every limit of the server. */
const LARGE = 70_000;

/** Builds requests as bytes, valid unless given invalid parts. */
export function requestsOf(apiKey: string, { path }: Collection) {
  const usual = () => [
    'Host: api.example',
    `Authorization: Bearer ${apiKey}`,
    // Each request has a new address, so that those without a valid key are not rate-limited.
    `X-Forwarded-For: 10.${[...randomBytes(3)].join('.')}`,
  ];
  const message = (line: string, headers: string[], body = '') => [line, ...headers, '', body].join('\r\n');
  /** A message with `Connection: close`. */
  const request = (line: string, ...more: string[]) => message(line, [...usual(), 'Connection: close', ...more]);
  const post = (body: string | Buffer, ...more: string[]) => {
    const framing = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
    return Buffer.concat([
      Buffer.from(request(`POST ${path} HTTP/1.1`, ...framing, ...more)),
      Buffer.isBuffer(body) ? body : Buffer.from(body),
    ]);
  };
  /** A POST with the framing headers that the caller gives. */
  const framed = (headers: string[], body: string) =>
    message(`POST ${path} HTTP/1.1`, [...usual(), 'Content-Type: application/json', ...headers], body);
  return {
    request,
    post,
    framed,
    get: (target: string, ...more: string[]) => request(`GET ${target} HTTP/1.1`, ...more),
    chunked: (body: string) => framed(['Transfer-Encoding: chunked', 'Connection: close'], body),
    /** A GET that keeps the connection open. */
    kept: (target: string) => message(`GET ${target} HTTP/1.1`, usual()),
    /** A GET of HTTP/1.0. */
    old: (target: string) => message(`GET ${target} HTTP/1.0`, usual()),
  };
}

/** Malformed, hostile and unusual requests, with the expected statuses. */
export function allCases(apiKey: string, collection: Collection): Case[] {
  const { request, get, post, framed, chunked, kept, old } = requestsOf(apiKey, collection);
  const { path, filter, clientHeader } = collection;
  const item = itemOf(collection);
  const [relative, segment] = [path.slice('/v1'.length), path.slice('/v1/'.length)];
  const smuggled = kept('/v1/smuggled');
  const inChunks = chunked(`${item.length.toString(16)}\r\n${item}\r\n0\r\n\r\n`);

  const gets = (name: string, bytes: string | Buffer, ...answers: number[]): Case => ({ name, bytes, answers });
  const bad = (name: string, bytes: string | Buffer) => gets(name, bytes, 400);
  const unchunked = (name: string, ...headers: string[]) => bad(name, framed(headers, `0\r\n\r\n${smuggled}`));
  const unmeasured = (name: string, ...headers: string[]) => bad(name, framed(headers, `{}${smuggled}`));
  const target = (path: string, status: number) => gets(`the target ${path.slice(0, 60)}`, get(path), status);
  const typed = (type: string, status: number) =>
    gets(`a body as "${type}"`, post(item).toString().replace('application/json', type), status);
  const header = (name: string, status: number, ...headers: string[]) => gets(name, get(path, ...headers), status);

  return [
    // Request smuggling: there is exactly one response, because the trailing bytes are not parsed as a request.
    unchunked('a length and chunks', 'Content-Length: 4', 'Transfer-Encoding: chunked'),
    unchunked('chunks and a length', 'Transfer-Encoding: chunked', 'Content-Length: 4'),
    unchunked('a space before the colon', 'Transfer-Encoding : chunked'),
    unchunked('two transfer codings', 'Transfer-Encoding: chunked', 'Transfer-Encoding: identity'),
    unchunked('a header behind a bare CR', 'X-A: b\rTransfer-Encoding: chunked'),
    ...['xchunked', 'identity', 'chunked, identity', '\x0bchunked', 'chunked\x00', 'chunk', ''].map((coding) =>
      unchunked(`the transfer coding ${JSON.stringify(coding)}`, `Transfer-Encoding: ${coding}`),
    ),
    unmeasured('two Content-Lengths', 'Content-Length: 2', 'Content-Length: 40'),
    unmeasured('the same Content-Length twice', 'Content-Length: 2', 'Content-Length: 2'),
    ...['2, 2', '+2', '-2', '0x2', '2e0', '2.0', '', '२', '99999999999999999999'].map((length) =>
      unmeasured(`the Content-Length "${length}"`, `Content-Length: ${length}`),
    ),
    bad('a request in the body of another', post(smuggled)),
    gets('a GET with a request as its body', get(path, `Content-Length: ${smuggled.length}`) + smuggled, 200),

    // Chunks.
    gets('chunks', inChunks, 201),
    // RFC 9112, section 6.1: the client may not know chunks, and a proxy before it may see another end.
    bad('chunks of HTTP/1.0', inChunks.replace('HTTP/1.1', 'HTTP/1.0')),
    ...['zz', '-1', '0x2', 'fffffffffffffffff', '', ' 2'].map((size) =>
      bad(`a chunk of the size "${size}"`, chunked(`${size}\r\n{}\r\n0\r\n\r\n`)),
    ),
    bad('a chunk longer than its size', chunked('2\r\n{}}}}}\r\n0\r\n\r\n')),
    gets('an endless chunk extension', chunked(`2;${'x'.repeat(LARGE)}\r\n{}`), 413),
    gets('chunks beyond the limit', chunked(`${LARGE.toString(16)}\r\n${'x'.repeat(LARGE)}`), 413),
    { ...bad('chunks without an end', chunked('2\r\n{}\r\n')), afterwards: 'half-close' },

    // Other protocols and versions.
    bad('TLS', Buffer.from('16030100050100000103', 'hex')),
    bad('HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    gets('HTTP/0.9', `GET ${path}\r\n\r\n`, 401),
    bad('HTTP/9.9', `GET ${path} HTTP/9.9\r\nHost: x\r\n\r\n`),
    gets('HTTP/1.0', old(path), 200),
    bad('a lower-case method', `get ${path} HTTP/1.1\r\nHost: x\r\n\r\n`),
    bad('no request line', 'hello\r\n\r\n'),
    bad('an unknown method', `FETCH ${path} HTTP/1.1\r\nHost: x\r\n\r\n`),
    bad('a blank in the target', `GET ${path} now HTTP/1.1\r\nHost: x\r\n\r\n`),
    bad('lines that end in LF', get(path).replaceAll('\r\n', '\n')),
    bad('zeros', Buffer.alloc(100)),
    bad('random bytes', Buffer.concat([Buffer.from([0xff]), randomBytes(1_000)])),

    // Headers.
    bad('no Host', `GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`),
    header('two Hosts', 400, 'Host: other.example'),
    header('a NUL in a header', 400, 'X-A: \0'),
    header('a header without a name', 400, ': x'),
    header('a space in a header name', 400, 'X A: x'),
    header('a control character as a header name', 400, '\x01: x'),
    header('90 headers', 200, ...Array(90).fill('A: b')),
    header('400 headers', 431, ...Array(400).fill('A: b')),
    header('5,000 headers', 431, ...Array(5_000).fill('A: b')),
    header('a long header', 431, `X-A: ${'x'.repeat(LARGE)}`),
    header('a header that is still on its way', 431, `X-A: ${'x'.repeat(5_000_000)}`),
    header('headers named like properties of Object.prototype', 200, '__proto__: x', 'constructor: x'),
    ...['1.2.3.4:5678', '[::1]:80', '::1', 'unknown', '', ', ,', '1.2.3.4, x'].map((address) =>
      header(`a forwarded address "${address}"`, 200, `X-Forwarded-For: ${address}`),
    ),
    // With headers of 12 kB, a pattern that takes quadratic time would be slow.
    ...['a=', '"', ',', ' ', '[', '1.'].flatMap((part) => [
      header(`a long key of ${part}`, 401, `Authorization: Bearer ${part.repeat(6_000)}!`),
      header(`a long forwarded address of ${part}`, 200, `X-Forwarded-For: ${part.repeat(6_000)}!`),
      header(`a long client of ${part}`, 200, `${clientHeader}: js/${part.repeat(6_000)}!`),
      bad(`a long idempotency key of ${part}`, post(item, `Idempotency-Key: "${part.repeat(6_000)}!`)),
      gets(`long codings of ${part}`, get('/openapi.json', `Accept-Encoding: gzip;q=0${part.repeat(6_000)}!`), 200),
    ]),
    ...['x', apiKey].map((other) => header('two keys, even equal ones', 401, `Authorization: Bearer ${other}`)),
    header('an upgrade to WebSocket', 200, 'Upgrade: websocket'),
    // Node.js detects an upgrade by `Connection: upgrade`.
    gets(
      'an upgrade of the connection',
      kept(path).replace('\r\n', '\r\nConnection: upgrade, close\r\nUpgrade: x\r\n'),
      200,
    ),
    header('an upgrade to HTTP/2', 200, 'Upgrade: h2c', 'HTTP2-Settings: AA'),
    gets('100-continue', post(item, 'Expect: 100-continue'), 100, 201),
    gets('100-continue with an invalid body', post('{}', 'Expect: 100-continue'), 100, 400),
    ...['coffee', '100-continue, tea'].map((other) => gets(`Expect: ${other}`, post(item, `Expect: ${other}`), 417)),
    gets('another expectation, nowhere', get('/nowhere', 'Expect: coffee'), 417),
    gets('two types of a body', post(item, 'Content-Type: application/json'), 415),
    ...['gzip', 'br', 'x-unknown', 'gzip, identity'].map((coding) =>
      gets(`a body in ${coding}`, post(item, `Content-Encoding: ${coding}`), 415),
    ),
    ...[
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'Application/JSON',
      'application/json; x=y; charset = utf-8',
    ].map((type) => typed(type, 201)),
    ...['utf-16', '"utf-16"', 'UTF-16LE', 'utf8', 'iso-8859-1', '', 'utf-8; charset=utf-16', '"utf-8'].map((charset) =>
      typed(`application/json; charset=${charset}`, 415),
    ),
    ...['text/plain', 'text/json', 'application/jsonp', 'application/json5', 'application/merge-patch+json']
      .concat('application/', 'json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x')
      .concat('application', 'text/plain; application/json', '')
      .map((type) => typed(type, 415)),
    ...['', '""', 'ü', 'a b', 'x'.repeat(256)].map((key) =>
      bad(`the idempotency key "${key.slice(0, 10)}"`, post(item, `Idempotency-Key: ${key}`)),
    ),

    // Targets.
    target(`http://api.example${path}?limit=1`, 200),
    target(`HTTPS://user@api.example:8443/v1/%${segment.charCodeAt(0).toString(16)}${segment.slice(1)}`, 200),
    ...['http://api.example', 'http://api.example?limit=1'].map((root) => target(root, 302)),
    ...['/v1', '/v1/', path.slice(0, -1), `/v2${relative}`, relative, `/V1${relative}`, `${path}//`, `${path}/?x=/1`]
      .concat(`/v1/${segment.toUpperCase()}`)
      .concat(`${path}/1/nowhere`, '/v1/nowhere/1', `${path}%2F1`, `${path}:id`, '/livez/x', '/docs/nothing')
      .concat('/openapi.json/', '/favicon.ico', '/.env', '/nowhere?limit=x')
      .map((path) => target(path, 404)),
    ...['/v1/%c3', '/%e0%a4', '/%'].map((path) => target(path, 400)),
    ...['http://', `http://${path}`, '*', '/openapiXjson', '/livezz'].map((form) => target(form, 404)),
    gets('the asterisk', request('OPTIONS * HTTP/1.1'), 404),
    gets('CONNECT', request('CONNECT api.example:443 HTTP/1.1'), 400),
    gets('TRACE', request(`TRACE ${path} HTTP/1.1`), 405),
    target(`${path}?${'x'.repeat(LARGE)}`, 431),
    ...['/v1/../livez', `${path}/..`, `${path}/%2e%2e`, `${path}/%252e%252e`, `${path}/..%2f..%2flivez`]
      .concat(`${path}/%00`, `${path}%00`, `${path}/1%00`, `${path}/\\`, `/${path}`, `/v1/${relative}`)
      .map((path) => target(path, 404)),
    ...['%', '%zz', '%ff', '%c0%ae', '%ed%a0%80'].map((id) => target(`${path}/${id}`, 400)),
    ...['-0', '1e400', '1.0', '0x1', 'NaN', '__proto__', '٣', '9007199254740991', '9007199254740992']
      .concat('9223372036854775807')
      .map((id) => target(`${path}/${encodeURIComponent(id)}`, 404)),
    ...['__proto__=1', 'limit=1&limit=1', 'limit[]=1', 'limit=1e1', 'limit=9223372036854775808', `${filter}=%00`]
      .concat('cursor=%00', 'limit=%', 'cursor=..', `cursor=${'x'.repeat(200)}`, 'cursor=YWZ0ZXI6MWU0MDA', '%00=1')
      .map((query) => target(`${path}?${query}`, 400)),

    ...bodiesOf(collection).map(([name, body, status]) => gets(`a new item: ${name}`, post(body), status)),

    bad(
      'a body 30,000 deep with an idempotency key',
      post('['.repeat(30_000) + ']'.repeat(30_000), 'Idempotency-Key: x'),
    ),

    // Connections.
    {
      ...gets('requests, then half-closed', kept(path).repeat(2) + kept('/nowhere'), 200, 200, 404),
      afterwards: 'half-close',
    },
    { ...gets('a creation, then half-closed', post(item), 201), afterwards: 'half-close' },
    { ...bad('half a request line, then half-closed', 'GET /v1/p'), afterwards: 'half-close' },
    { ...bad('half a body, then half-closed', framed(['Content-Length: 99'], '{')), afterwards: 'half-close' },
    { ...gets('nothing, then half-closed', ''), afterwards: 'half-close' },
    gets('nothing', '', 408),
    gets('half a request line', 'GET /v1/p', 408),
    gets(
      'a hundred pipelined requests',
      kept(`${path}?limit=1`).repeat(99) + get(`${path}?limit=x`),
      ...Array(99).fill(200),
      400,
    ),
    gets(
      'garbage between pipelined requests',
      `${kept(`${path}?limit=1`)}${kept(`${path}/0`)}hello\r\n\r\n${kept(path)}`,
      200,
      404,
      400,
    ),
    ...[chunked('zz\r\n'), request('CONNECT api.example:443 HTTP/1.1')].map((invalid) =>
      gets('invalid HTTP behind a valid request', `${kept(`${path}?limit=1`)}${invalid}`, 200, 400),
    ),
    gets('a body that is announced as too large', framed(['Content-Length: 1000000000'], ''), 413),
    gets('a body longer than its Content-Length', framed(['Content-Length: 2'], `{}}}${kept(path)}`), 400, 400),
  ];
}

type Body = [name: string, body: string | Buffer, status: number];

/** Digits that bring a body close to its size limit. */
const ZEROS = '0'.repeat(30_000);

/** Bodies for a creation, valid and invalid, with the expected status. */
function bodiesOf(collection: Collection): Body[] {
  const { text, integer } = collection.fields;
  const item = itemOf(collection);
  const named = (name: string) => `{"${text}":"${name}","${integer}":7}`;
  const numbered = (number: string) => `{"${text}":"Ada","${integer}":${number}}`;
  const withNumbers = (numbers: string[], status: number) =>
    numbers.map((number): Body => [`the number ${number.slice(0, 30)}`, numbered(number), status]);

  return [
    ['an escaped NUL in its name', named('\\u0000'), 400],
    ['a raw NUL in its name', named('\0'), 400],
    ['a lone high surrogate', named('\\ud800'), 400],
    ['a lone low surrogate', named('\\udc00x'), 400],
    ['a surrogate pair', named('\\ud83d\\udc15'), 201],
    ['a right-to-left name', named('\u202eכלב'), 201],
    ['a ZWJ sequence as name', named('👩‍👩‍👧‍👦'), 201],
    ['a name of 255 code points', named('🐕'.repeat(255)), 201],
    ['a name of 256 code points', named('🐕'.repeat(256)), 400],
    ['SQL as name', named(`'); drop table api_keys; --`), 201],
    ['an empty name', named(''), 400],
    ['__proto__ instead of a name', `{"__proto__":{"${text}":"x"},"${integer}":7}`, 400],
    ['__proto__ as an extra field', `{"${text}":"Ada","${integer}":7,"__proto__":{"admin":true}}`, 400],
    ['a constructor', `{"${text}":"Ada","${integer}":7,"constructor":{"prototype":{}}}`, 400],
    // RFC 8259 leaves duplicate names open. The last one counts, as in JSON.parse.
    ['two names', `{"${text}":5,"${text}":"Ada","${integer}":7}`, 201],
    ['two names, the last one bad', `{"${text}":"Ada","${text}":5,"${integer}":7}`, 400],
    ...withNumbers(['9007199254740991', '-9007199254740991', '-0', '7.0', '7e0', '70e-1'], 201),
    ...withNumbers(['9007199254740992', '9007199254740993', '-9007199254740992', '9223372036854775807'], 400),
    ...withNumbers(['9223372036854775808', '1e400', '1e-400', '7.5', '9007199254740991.4', '"7"', 'null'], 400),
    ...withNumbers(['true', 'NaN', 'Infinity', '07', '0x7', '[7]'], 400),
    // With so many digits, a quadratic parser would be slow.
    ...withNumbers([`1.${ZEROS}1`, `-1.${ZEROS}1`, `0.${ZEROS}1`, `1${ZEROS}`, `1e-1${ZEROS}`, `1e1${ZEROS}`], 400),
    ...withNumbers([`1.${ZEROS}`, `-0.${ZEROS}`, `1e${ZEROS}1`, `70.${ZEROS}e-${ZEROS}1`], 201),
    ['brackets 30,000 deep', '['.repeat(30_000) + ']'.repeat(30_000), 400],
    ['brackets 30,000 deep, unclosed', '['.repeat(30_000), 400],
    ['a number 10,000 deep', numbered(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`), 400],
    ['5,000 unknown fields', `{${Array.from({ length: 5_000 }, (_, index) => `"${index}":1`).join()}}`, 400],
    ['invalid UTF-8', Buffer.from(named('\xff'), 'latin1'), 400],
    ['a body in UTF-16', Buffer.from(item, 'utf16le'), 400],
    // These are a truncated character, an overlong NUL and an encoded surrogate.
    ...['\xc3', '\xc0\x80', '\xed\xa0\x80'].map(
      (bytes): Body => ['bytes that are no text', Buffer.from(named(bytes), 'latin1'), 400],
    ),
    ['a byte order mark', `\ufeff${item}`, 400],
    ...['', ' ', 'null', '[]', '7', '"x"', '{', '{}{}', `${item}x`, `${item},`, `[${item}]`, '// a comment\n{}']
      .concat(`${text}=Ada`, `{'${text}':'Ada','${integer}':7}`, `{"${text}":"Ada","${integer}":7,}`)
      .concat(named('tab\there'), numbered('.7'), `{"${text}":"Ada","__proto__":{"${integer}":7}}`)
      .map((body): Body => [`the body ${body}`, body, 400]),
    ['a body of the largest size', item.padEnd(65_536, ' '), 201],
    ['a body of one byte more', item.padEnd(65_537, ' '), 413],
    ['a body over the size limit', named('x'.repeat(LARGE)), 413],
  ];
}
