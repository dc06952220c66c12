import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { stringify } from 'yaml';
import type { ContractDocument } from './operations.ts';
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
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: { content: referenceDocument(document), ...PRIVATE },
  });
}
