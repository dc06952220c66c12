import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { stringify } from 'yaml';
import type { Contract, Document } from '../contract.ts';
import { etag, isUnchanged } from '../etag.ts';

/** The page is written by the build, so that the package of its large script is not deployed. */
const PAGE = new URL('../../dist/docs/', import.meta.url);

/** The headers of a file whose name changes with its content. */
const FOREVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };

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
  const [large, start] = [script, 'start.js'].map(read) as [Buffer, Buffer];
  serve(app, `/docs/${script}`, 'text/javascript', () => large, FOREVER);
  serve(app, '/docs/start.js', 'text/javascript', () => start);
  serve(app, '/docs/openapi.json', 'application/json', () => reference);
  const title = document.info.title.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const page = `${read('index.html')}`.replace('{{title}}', () => title);
  const headers = { 'Content-Security-Policy': securityPolicy(document), 'Referrer-Policy': 'no-referrer' };
  for (const path of ['/docs', '/docs/']) serve(app, path, 'text/html', () => page, headers);
  if (!app.hasRoute({ method: 'GET', url: '/' })) app.get('/', (_request, reply) => reply.redirect('/docs'));
}

/**
 * The servers of a contract, with this one first: tools send their requests, and a key, to the first one. Its URL does not come from the
 * request, whose `Host` names the next proxy for many servers. A URL without a host is relative to that of the document.
 */
function serversFrom(url: string, { servers = [] }: Document) {
  const current = servers.find((one) => one.url === url) ?? { url: url || '/', description: 'This server' };
  return [current, ...servers.filter((one) => one !== current)];
}

/**
 * Serves a file, which nginx compresses. It is written at its first request, as most servers never get one. All clients share its buffer: a
 * slow reader takes a fifth of the memory of a stream from the disk, as @fastify/static has.
 */
function serve(
  app: FastifyInstance,
  path: string,
  type: string,
  write: () => string | Buffer,
  headers: Record<string, string> = {},
): void {
  // A contract may have the path itself.
  if (app.hasRoute({ method: 'GET', url: path })) return;
  let file: { content: string | Buffer; tag: string } | undefined;
  app.get(path, (request, reply) => {
    file ??= fileOf(write());
    const { content, tag } = file;
    reply.headers({ ETag: tag, ...headers });
    if (isUnchanged(request.headers['if-none-match'], tag)) return reply.code(304).send();
    return reply.type(`${type}; charset=utf-8`).send(content);
  });
}

const fileOf = (content: string | Buffer) => ({ content, tag: etag(hash('sha256', content, 'base64url')) });

/**
 * Allows the page's own scripts and styles, and requests to the servers of the contract. Forbids framing, because readers type
 * a key into the page.
 */
function securityPolicy({ servers = [] }: Document): string {
  const origins = servers.flatMap(({ url }) => URL.parse(url)?.origin ?? []);
  const policy = `default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:`;
  const connect = ["connect-src 'self'", ...new Set(origins)].join(' ');
  return `${policy}; ${connect}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}
