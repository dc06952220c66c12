import { randomBytes } from 'node:crypto';

/** The bytes of requests, valid unless they are made otherwise. */

export const ANIMAL = '{"name":"Biscuit","categoryId":7}';

/** Larger than every limit of the server. */
export const LARGE = 70_000;

export function requestsOf(apiKey: string) {
  const usual = () => [
    'Host: petstore.example',
    `Authorization: Bearer ${apiKey}`,
    // An address of its own each: an address may make few requests without a key.
    `X-Forwarded-For: 10.${[...randomBytes(3)].join('.')}`,
  ];
  const message = (line: string, headers: string[], body = '') => [line, ...headers, '', body].join('\r\n');
  /** A request after which the connection ends. */
  const request = (line: string, ...more: string[]) => message(line, [...usual(), 'Connection: close', ...more]);
  const post = (body: string | Buffer, ...more: string[]) => {
    const framing = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
    return Buffer.concat([
      Buffer.from(request('POST /v1/pets HTTP/1.1', ...framing, ...more)),
      Buffer.isBuffer(body) ? body : Buffer.from(body),
    ]);
  };
  /** With framing of its own. */
  const framed = (headers: string[], body: string) =>
    message('POST /v1/pets HTTP/1.1', [...usual(), 'Content-Type: application/json', ...headers], body);
  return {
    request,
    post,
    framed,
    get: (target: string, ...more: string[]) => request(`GET ${target} HTTP/1.1`, ...more),
    chunked: (body: string) => framed(['Transfer-Encoding: chunked', 'Connection: close'], body),
    /** A request after which the connection stays open. */
    kept: (target: string) => message(`GET ${target} HTTP/1.1`, usual()),
    old: (target: string) => message(`GET ${target} HTTP/1.0`, usual()),
  };
}
