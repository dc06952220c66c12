import { randomBytes } from 'node:crypto';

/** Builds requests as bytes, valid unless given invalid parts. */

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
export const itemOf = ({ fields: { text, integer } }: Collection) => `{"${text}":"Ada","${integer}":7}`;

/** A size in bytes that exceeds every limit of the server. */
export const LARGE = 70_000;

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
