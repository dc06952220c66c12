import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import Negotiator from 'negotiator';
import { stringify } from 'yaml';
import type { Contract, Document } from '../contract.ts';
import { isUnchanged } from '../etag.ts';

/** The page is written by the build, so that the package of its large script is not deployed. */
const PAGE = new URL('../../dist/docs/', import.meta.url);

/** The headers of a file whose name changes with its content. */
const FOREVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/** The most bytes of an `Accept-Encoding` that the server reads: thousands of entries would take ten times as long as all the rest. */
const MAX_ACCEPTED = 256;

/**
 * Serves the contract as JSON and YAML, and as a page at `/docs`, to which `/` redirects unless it is an operation.
 *
 * @param publicUrl - the URL of this server for clients, without a slash at its end; empty if it is unknown
 * @param reference - the contract for the page, as JSON. Default: no page
 */
export function registerReference(
  app: FastifyInstance,
  { basePath, document }: Pick<Contract, 'basePath' | 'document'>,
  publicUrl: string,
  reference?: string,
): void {
  const published = { ...document, servers: serversFrom(publicUrl + basePath, document) };
  serve(app, '/openapi.json', 'application/json', () => JSON.stringify(published));
  serve(app, '/openapi.yaml', 'application/yaml', () => stringify(published));
  if (reference === undefined) return;
  const read = (name: string) => readFileSync(new URL(name, PAGE));
  const [script = ''] = readdirSync(PAGE).filter((name) => /^scalar-.*\.js$/.test(name));
  const [plain, compressed, start] = [script, `${script}.gz`, 'start.js'].map(read) as [Buffer, Buffer, Buffer];
  serve(app, `/docs/${script}`, 'text/javascript', () => plain, FOREVER, compressed);
  serve(app, '/docs/start.js', 'text/javascript', () => start);
  serve(app, '/docs/openapi.json', 'application/json', () => reference);
  const title = document.info.title.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const page = read('index.html')
    .toString()
    .replace('{{title}}', () => title);
  const headers = { 'Content-Security-Policy': securityPolicy(document), 'Referrer-Policy': 'no-referrer' };
  for (const path of ['/docs', '/docs/']) serve(app, path, 'text/html', () => page, headers);
  if (!app.hasRoute({ method: 'GET', url: '/' })) app.get('/', (_request, reply) => reply.redirect('/docs'));
}

/**
 * The servers of a contract, with this one first: tools send their requests, and a key, to the first one. Its URL does not come from the
 * request, whose `Host` names the next proxy for many servers. A URL without a host is relative to that of the document.
 */
function serversFrom(url: string, { servers = [] }: Document) {
  const own = servers.find((one) => one.url === url) ?? { url: url || '/', description: 'This server' };
  return [own, ...servers.filter((one) => one !== own)];
}

/**
 * Serves a file, compressed on request. It is written and compressed at its first request: that takes a tenth of a start, and most
 * servers never get one. All clients share its buffers: a slow reader takes a fifth of the memory of a stream from the disk, as
 * @fastify/static has.
 */
function serve(
  app: FastifyInstance,
  path: string,
  type: string,
  write: () => string | Buffer,
  headers: Record<string, string> = {},
  compressed?: Buffer,
): void {
  // A contract may have the path itself.
  if (app.hasRoute({ method: 'GET', url: path })) return;
  const encode = () => {
    const plain = Buffer.from(write());
    return { plain, gzipped: compressed ?? gzipSync(plain), version: hash('sha256', plain, 'base64url') };
  };
  let file: ReturnType<typeof encode> | undefined;
  app.get(path, { config: compressed ? { isLarge: true } : {} }, (request, reply) => {
    const { 'accept-encoding': accepted = '' } = request.headers;
    const gzip = accepted.length <= MAX_ACCEPTED && new Negotiator(request).encoding(['gzip', 'identity']) === 'gzip';
    file ??= encode();
    const { plain, gzipped, version } = file;
    const etag = `"${version}-${gzip ? 'gzip' : 'identity'}"`;
    reply.headers({ ETag: etag, Vary: 'Accept-Encoding', ...headers });
    if (isUnchanged(request.headers['if-none-match'], etag)) return reply.code(304).send();
    if (gzip) reply.header('Content-Encoding', 'gzip');
    return reply.type(`${type}; charset=utf-8`).send(gzip ? gzipped : plain);
  });
}

/**
 * Allows the page's own scripts and styles, and requests to the servers of the contract. Forbids framing, because readers type
 * a key into the page.
 */
function securityPolicy({ servers = [] }: Document): string {
  const origins = servers.flatMap(({ url }) => URL.parse(url)?.origin ?? []);
  const own = `default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:`;
  const connect = ["connect-src 'self'", ...new Set(origins)].join(' ');
  return `${own}; ${connect}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}
