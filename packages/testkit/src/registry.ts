/** A registry for npm on this machine, with the packed packages of a folder. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

interface Packed {
  name: string;
  version: string;
  file: string;
  integrity: string;
}

/**
 * Starts a registry as a process, so that tests may run npm synchronously. It ends with the tests, too.
 *
 * @param folder - its tarballs are served, also those that come later
 * @returns its URL, which ends with a slash
 */
export async function startRegistry(folder: string): Promise<{ url: string; close(): void }> {
  const child = spawn(process.execPath, [import.meta.filename, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [url] = await once(child.stdout, 'data');
  return { url: String(url).trim(), close: () => child.stdin.end() };
}

function serve(folder: string): void {
  const cached = new Map<string, Packed>();
  const read = (file: string): Packed => {
    const place = path.join(folder, file);
    const manifest = execFileSync('tar', ['-xzOf', place, 'package/package.json'], { encoding: 'utf8' });
    const integrity = `sha512-${createHash('sha512').update(readFileSync(place)).digest('base64')}`;
    const packed: Packed = { ...JSON.parse(manifest), file, integrity };
    cached.set(file, packed);
    return packed;
  };
  const versionsOf = (wanted: string) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.tgz'))
      .map((file) => cached.get(file) ?? read(file))
      .filter(({ name }) => name === wanted)
      .sort((one, other) => (one.version < other.version ? -1 : 1));
  const server = createServer((request, response) => {
    const wanted = decodeURIComponent(request.url ?? '').slice(1);
    if (wanted.startsWith('-/')) return void response.end(readFileSync(path.join(folder, path.basename(wanted))));
    const versions = versionsOf(wanted).map(({ file, integrity, ...manifest }) => {
      return [manifest.version, { ...manifest, dist: { tarball: `${url()}-/${file}`, integrity } }] as const;
    });
    const latest = versions.at(-1)?.[0];
    if (!latest) return void response.writeHead(404).end('{}');
    const packument = { name: wanted, 'dist-tags': { latest }, versions: Object.fromEntries(versions) };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(packument));
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  server.listen(0, '127.0.0.1', () => console.log(url()));
  process.stdin.on('end', () => process.exit()).resume();
}

if (import.meta.main) serve(process.argv[2] ?? '');
