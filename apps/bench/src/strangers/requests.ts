import { createKey } from '../keys.ts';

/** A request of a client without credentials. */
export interface Stranger {
  name: string;
  /** The first line, or what stands in its place. */
  line: string;
  headers?: readonly string[];
  /** A further header, a new one for each request. */
  header?(): string;
  body?: string;
  /** The status of the response. */
  status: number;
  /** Whether all requests have one address, which is over its limit. */
  isOver?: boolean;
  /** Whether Postgres is asked. */
  isQuery?: boolean;
  /** Whether nginx answers itself. */
  isOfProxy?: boolean;
}

const JSON_TYPE = 'Content-Type: application/json';
const GZIP = 'Accept-Encoding: gzip';
const PETS = '/v1/pets';

/** @param script - the path of the script of the page */
export const strangers = (script: string, etag: string): Stranger[] => [
  { name: '`/livez`', line: 'GET /livez HTTP/1.1', status: 200 },
  { name: '`/readyz`', line: 'GET /readyz HTTP/1.1', status: 200, isQuery: true, isOfProxy: true },
  { name: '`/`', line: 'GET / HTTP/1.1', status: 302 },
  { name: '`/docs`', line: 'GET /docs HTTP/1.1', headers: [GZIP], status: 200 },
  { name: 'script of `/docs`', line: `GET ${script} HTTP/1.1`, headers: [GZIP], status: 200 },
  { name: 'the same, not compressed', line: `GET ${script} HTTP/1.1`, status: 200 },
  { name: 'the same, `HEAD`', line: `HEAD ${script} HTTP/1.1`, headers: [GZIP], status: 200 },
  {
    name: 'the same, `If-None-Match`',
    line: `GET ${script} HTTP/1.1`,
    headers: [GZIP, `If-None-Match: ${etag}`],
    status: 304,
  },
  { name: '`/openapi.json`', line: 'GET /openapi.json HTTP/1.1', headers: [GZIP], status: 200 },
  { name: '`/openapi.yaml`, not compressed', line: 'GET /openapi.yaml HTTP/1.1', status: 200 },
  { name: 'unknown path', line: 'GET /nothing HTTP/1.1', status: 404 },
  { name: 'unknown path of the API', line: 'GET /v1/nothing HTTP/1.1', status: 404 },
  { name: 'other method', line: 'DELETE /openapi.json HTTP/1.1', status: 405 },
  {
    name: 'preflight',
    line: `OPTIONS ${PETS} HTTP/1.1`,
    headers: ['Origin: https://stranger.example', 'Access-Control-Request-Method: POST'],
    status: 405,
  },
  { name: 'invalid HTTP', line: 'GET /livez HTTP/1.1\r\nNo header', status: 400, isOfProxy: true },
  {
    name: '16 KiB of headers',
    line: 'GET /livez HTTP/1.1',
    headers: [`X-Long: ${'x'.repeat(16 * 1024)}`],
    status: 431,
    isOfProxy: true,
  },
  { name: 'no key', line: `GET ${PETS} HTTP/1.1`, status: 401 },
  {
    name: 'a made-up key',
    line: `GET ${PETS} HTTP/1.1`,
    header: () => `Authorization: Bearer ${createKey()}`,
    status: 401,
    isQuery: true,
  },
  {
    name: 'no key, 64 KiB body',
    line: `POST ${PETS} HTTP/1.1`,
    headers: [JSON_TYPE],
    body: ' '.repeat(64 * 1024),
    status: 401,
  },
  { name: 'over the limit', line: `GET ${PETS} HTTP/1.1`, status: 429, isOver: true },
];
