/** A read-only registry for npm, as a process of its own: serves the packed packages of a folder, and prints its URL. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const [, , folder = ''] = process.argv;
const server = createServer((request, response) => {
  const name = decodeURIComponent(request.url ?? '').slice(1);
  if (name.endsWith('.tgz')) return response.end(readFileSync(join(folder, name)));
  const { port } = server.address() as AddressInfo;
  const versions = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => [file.replace('.json', '.tgz'), JSON.parse(readFileSync(join(folder, file), 'utf8'))])
    .filter(([, manifest]) => manifest.name === name)
    .map(([file, manifest]) => {
      const integrity = `sha512-${createHash('sha512')
        .update(readFileSync(join(folder, file)))
        .digest('base64')}`;
      return [manifest.version, { ...manifest, dist: { tarball: `http://127.0.0.1:${port}/${file}`, integrity } }];
    });
  response.writeHead(versions.length > 0 ? 200 : 404, { 'content-type': 'application/json' });
  const latest = versions.at(-1)?.[0];
  return response.end(JSON.stringify({ name, 'dist-tags': { latest }, versions: Object.fromEntries(versions) }));
}).listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
