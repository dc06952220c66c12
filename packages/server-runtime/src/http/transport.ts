import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { ApiError } from '../errors.ts';

/** The most header fields of a request, as in other servers. Each takes a hundred bytes of memory until the response is read. */
export const MAX_HEADERS = 100;

/** Whether a request has a body of more than these bytes, or of an unknown number. */
const hasBody = ({ headers }: IncomingMessage, bytes = 0) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > bytes;

/** The most bytes that are read, and dropped, of a body after its response. */
const REST = 2 ** 20;

/** Whether a client may send more of its body than is read, so that its response ends the connection. */
export const hasRest = (request: IncomingMessage): boolean => !request.complete && hasBody(request, REST);

/**
 * Checks in place of Node.js: not too many headers, exactly one `Host` in HTTP/1.1 (RFC 9112 section 3.2), no chunks in
 * HTTP/1.0 (section 6.1), and no expectation but `100-continue` (RFC 9110 section 10.1.1).
 */
export function transportFailure(request: IncomingMessage): ApiError | undefined {
  const headers = { Connection: 'close' };
  // Node.js leaves out the headers beyond this number.
  if (request.rawHeaders.length >= 2 * MAX_HEADERS) {
    return new ApiError(431, `The request must have less than ${MAX_HEADERS} headers`, { headers });
  }
  const { host, expect } = request.headers;
  if (host === undefined ? request.httpVersion === '1.1' : host.includes(', ')) {
    return new ApiError(400, 'The request must have exactly one Host header', { headers });
  }
  if (request.httpVersion === '1.0' && 'transfer-encoding' in request.headers) {
    return new ApiError(400, 'A request of HTTP/1.0 has no Transfer-Encoding', { headers });
  }
  if (expect === undefined || expect.toLowerCase() === '100-continue') return undefined;
  return new ApiError(417, 'Only Expect: 100-continue is supported', { headers });
}

/** A whole response, for a socket without a request that Node.js could answer. */
export function responseText(status: number, type: string, headers: Record<string, string>, body: string): string {
  const all = { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
