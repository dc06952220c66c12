import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { stringify } from 'yaml';

/** The part of the contract that is read here. */
export interface Contract {
  servers: { url: string }[];
}

/** Written by the build, so that the package it comes from is no part of a deployment. */
const SCRIPT = new URL('../../dist/docs/scalar.js', import.meta.url);

/** What the page would ask other hosts for, or offer to send them: its reader is nobody else's business. */
const PRIVATE = {
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
} as const;

/** The page's own grey and red are too faint for small text (WCAG 2.2, criterion 1.4.3). */
const CONTRAST = `.light-mode { --scalar-color-3: #6b6b6b; --scalar-color-red: #c70005 }
.dark-mode { --scalar-color-3: #9a9a9a; --scalar-color-red: #ff6b66 }`;

/**
 * The contract as JSON and YAML, and at `/docs` as a page to read and try, to which `/` leads.
 *
 * @param reference - the contract for the page, as JSON; undefined: no page
 */
export function registerReference(app: FastifyInstance, document: Contract, reference: string | undefined): void {
  serve(app, '/openapi.json', 'application/json', JSON.stringify(document));
  serve(app, '/openapi.yaml', 'application/yaml', stringify(document));
  if (reference === undefined) return;
  const script = readFileSync(SCRIPT);
  const scriptPath = `/docs/scalar-${hash('sha256', script).slice(0, 16)}.js`;
  const forever = { 'Cache-Control': 'public, max-age=31536000, immutable' };
  serve(app, scriptPath, 'text/javascript', script, forever, readFileSync(new URL('scalar.js.gz', SCRIPT)));
  serve(app, '/docs/openapi.json', 'application/json', reference);
  // The samples are those of the document; the page would add its own, for twenty languages.
  const configuration = { url: '/docs/openapi.json', hiddenClients: true, customCss: CONTRAST, ...PRIVATE };
  const start = `Scalar.createApiReference('#app', ${JSON.stringify(configuration)})`;
  const headers = { 'Content-Security-Policy': securityPolicy(document, start), 'Referrer-Policy': 'no-referrer' };
  for (const path of ['/docs', '/docs/']) serve(app, path, 'text/html', html(scriptPath, start), headers);
  app.get('/', (_request, reply) => reply.redirect('/docs'));
}

/**
 * Serves a document, compressed on request. All clients share its buffers: one that reads slowly takes a fifth of what a
 * stream of its own from the disk would.
 */
function serve(
  app: FastifyInstance,
  path: string,
  type: string,
  content: string | Buffer,
  headers: Record<string, string> = {},
  compressed = gzipSync(content),
): void {
  const plain = Buffer.from(content);
  const version = hash('sha256', plain, 'base64url');
  app.get(path, (request, reply) => {
    const coding = GZIP.test(request.headers['accept-encoding'] ?? '') ? 'gzip' : 'identity';
    const tag = `"${version}-${coding}"`;
    reply.headers({ ETag: tag, Vary: 'Accept-Encoding', ...headers });
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    if (coding === 'gzip') reply.header('Content-Encoding', coding);
    return reply.type(`${type}; charset=utf-8`).send(coding === 'gzip' ? compressed : plain);
  });
}

/** Accepted (RFC 9110 section 12.5.3), rather than refused by a weight of 0. */
const GZIP = /\bgzip\b(?! *; *q=0(\.0*)?( *,| *$))/i;

function html(script: string, start: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <title>Petstore API</title>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="app"></div>
    <script src="${script}"></script>
    <script>${start}</script>
  </body>
</html>
`;
}

/**
 * What the page may do: run its script and the line that starts it, style itself, and send requests to the servers of the
 * contract. Nobody may frame it: its reader types a key into it.
 */
function securityPolicy({ servers }: Contract, start: string): string {
  const origins = servers.flatMap(({ url }) => URL.parse(url)?.origin ?? []);
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash('sha256', start, 'base64')}'`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src ${["'self'", ...new Set(origins)].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
