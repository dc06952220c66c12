/** Writes the script of the reference page to dist/docs, and compressed, which would take half the time of a start. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';

const app = fastify();
await app.register(scalar, { routePrefix: '/docs', configuration: { content: {} } });
const { statusCode, rawPayload } = await app.inject('/docs/js/scalar.js');
await app.close();
if (statusCode !== 200) throw new Error('@scalar/fastify-api-reference serves its script at another path');
const folder = new URL('../dist/docs/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('scalar.js', folder), rawPayload);
writeFileSync(new URL('scalar.js.gz', folder), gzipSync(rawPayload));
