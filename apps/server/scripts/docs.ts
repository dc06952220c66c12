/** Writes the reference page to dist/docs. Its large script is compressed here, which would take half the time of a start. */
import { hash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';

const app = fastify();
await app.register(scalar, { routePrefix: '/docs', configuration: { content: {} } });
const { statusCode, rawPayload } = await app.inject('/docs/js/scalar.js');
await app.close();
if (statusCode !== 200) throw new Error('@scalar/fastify-api-reference serves its script at another path');
const source = new URL('../docs/', import.meta.url);
const folder = new URL('../dist/docs/', import.meta.url);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const script = `scalar-${hash('sha256', rawPayload).slice(0, 16)}.js`;
writeFileSync(new URL(script, folder), rawPayload);
writeFileSync(new URL(`${script}.gz`, folder), gzipSync(rawPayload));
copyFileSync(new URL('start.js', source), new URL('start.js', folder));
const page = readFileSync(new URL('index.html', source), 'utf8');
writeFileSync(new URL('index.html', folder), page.replace('scalar.js', script));
