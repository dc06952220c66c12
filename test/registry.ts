/** The packages of the platform as strangers get them: packed, behind a registry on this machine. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll } from 'vitest';
import { ROOT } from './copy.ts';

export const SCOPE = '@petstore-platform';

interface Manifest {
  name: string;
  version: string;
  [key: string]: unknown;
}

/** Builds the packages and packs them as they are published. Their tarballs pass publint and Are the types wrong. */
export function packAll(folder: string): void {
  const { packageManager } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const build = ['--yes', packageManager, 'exec', 'turbo', 'run', 'build', '--filter=./packages/*'];
  const env = { ...process.env, TURBO_CACHE_DIR: path.join(ROOT, '.turbo/cache') };
  execFileSync('npx', build, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] });
  execFileSync(process.execPath, ['.ci/pack.mjs', folder, '--check'], { cwd: ROOT, stdio: 'inherit' });
}

/**
 * Makes a version of the packed packages.
 *
 * @param change - changes the files of a package in its folder
 */
export function makeVersion(packed: string, to: string, version: string, change = (_name: string, _: string) => {}) {
  mkdirSync(to, { recursive: true });
  for (const file of readdirSync(packed).filter((each) => each.endsWith('.tgz'))) {
    const scratch = mkdtempSync(path.join(to, 'package-'));
    execFileSync('tar', ['-xzf', path.join(packed, file), '-C', scratch]);
    const folder = path.join(scratch, 'package');
    const manifest: Manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    manifest.version = version;
    for (const kind of ['dependencies', 'peerDependencies', 'devDependencies'])
      for (const name of Object.keys(Object(manifest[kind])))
        if (name.startsWith(`${SCOPE}/`)) Object(manifest[kind])[name] = `^${version}`;
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
    change(manifest.name, folder);
    const name = manifest.name.slice(SCOPE.length + 1);
    execFileSync('tar', ['-czf', path.join(to, `${name}-${version}.tgz`), '-C', scratch, 'package']);
    rmSync(scratch, { recursive: true });
  }
}

/**
 * Serves the tarballs of a folder until the tests of the file end, also those that come later.
 *
 * @returns its URL
 */
export async function startRegistry(folder: string): Promise<string> {
  const manifestOf = (file: string): Manifest =>
    JSON.parse(execFileSync('tar', ['-xzOf', path.join(folder, file), 'package/package.json'], { encoding: 'utf8' }));
  const versionsOf = (wanted: string) => {
    const found = readdirSync(folder).flatMap((file) => {
      if (!file.startsWith(`${wanted.slice(SCOPE.length + 1)}-`)) return [];
      const manifest = manifestOf(file);
      const bytes = readFileSync(path.join(folder, file));
      const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
      return [{ ...manifest, dist: { tarball: `${url}-/${file}`, integrity } }];
    });
    return found.filter(({ name }) => name === wanted).sort((one, other) => (one.version < other.version ? -1 : 1));
  };
  const server = createServer((request, response) => {
    const wanted = decodeURIComponent(request.url ?? '').slice(1);
    if (wanted.startsWith('-/')) return void response.end(readFileSync(path.join(folder, path.basename(wanted))));
    const versions = versionsOf(wanted);
    if (versions.length === 0) return void response.writeHead(404).end('{}');
    const latest = versions.at(-1)?.version;
    const known = Object.fromEntries(versions.map((each) => [each.version, each]));
    response.end(JSON.stringify({ name: wanted, 'dist-tags': { latest }, versions: known }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return url;
}
