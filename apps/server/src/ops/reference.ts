import { hash } from 'node:crypto';
import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { stringify } from 'yaml';
import type { ContractDocument } from '../http/operations.ts';
import { referenceDocument } from './reference-document.ts';

/** What the page would ask other hosts for, or offer to send them: its reader is nobody else's business. */
const PRIVATE = {
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
} as const;

/** The contract as JSON and YAML, and at `/docs` as a page to read and try. Its script is served from here, too. */
export async function registerReference(app: FastifyInstance, document: ContractDocument): Promise<void> {
  const json = JSON.stringify(document);
  const yaml = stringify(document);
  app.get('/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(json));
  app.get('/openapi.yaml', async (_request, reply) => reply.type('application/yaml; charset=utf-8').send(yaml));
  await app.register(async (docs) => {
    docs.addHook('onSend', async (_request, reply, payload) => {
      if (!String(reply.getHeader('Content-Type')).startsWith('text/html')) return;
      reply.headers({ 'Content-Security-Policy': securityPolicy(document, payload), 'Referrer-Policy': 'no-referrer' });
    });
    await docs.register(scalar, {
      routePrefix: '/docs',
      configuration: { content: referenceDocument(document), ...PRIVATE },
    });
  });
}

/**
 * What the page may do: run its script and the few lines that start it, style itself, and send requests to the servers of
 * the contract. Nobody may frame it: its reader types a key into it.
 */
function securityPolicy({ servers }: ContractDocument, page: unknown): string {
  const [, start = ''] = /<script type="text\/javascript">(.*?)<\/script>/s.exec(String(page)) ?? [];
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
