/** Writes the reference page to dist/docs. */
import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';

const app = fastify();
await app.register(scalar, { routePrefix: '/docs', configuration: { content: {} } });
const { statusCode, rawPayload } = await app.inject('/docs/js/scalar.js');
await app.close();
if (statusCode !== 200) throw new Error('@scalar/fastify-api-reference serves its script at another path');
const source = new URL('../docs/', import.meta.url);
const folder = new URL('../dist/docs/', import.meta.url);
mkdirSync(folder, { recursive: true });
const name = `scalar-${hash('sha256', rawPayload).slice(0, 16)}.js`;
const page = readFileSync(new URL('index.html', source), 'utf8').replace('scalar.js', name);
const files: Record<string, string | Buffer> = {
  [name]: rawPayload,
  'start.js': readFileSync(new URL('start.js', source)),
  'index.html': page,
};
// Renamed into place: a server may start, or another build run, at the same time.
for (const [file, content] of Object.entries(files)) {
  const unfinished = new URL(`${file}.${process.pid}.new`, folder);
  writeFileSync(unfinished, content);
  renameSync(unfinished, new URL(file, folder));
}
// The script of an earlier version.
for (const file of readdirSync(folder))
  if (!(file in files) && !file.endsWith('.new')) rmSync(new URL(file, folder), { force: true });
