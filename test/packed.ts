/** The packages of the platform as strangers get them: packed. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './copy.ts';

export const SCOPE = '@petstore-platform';

interface Manifest {
  name: string;
  version: string;
  [key: string]: unknown;
}

/** Builds the packages and packs them as they are published. Their tarballs pass publint and Are the types wrong. */
export function packAll(folder: string): void {
  const build = ['exec', 'turbo', 'run', 'build', '--filter=./packages/*'];
  const env = { ...process.env, TURBO_CACHE_DIR: path.join(ROOT, '.turbo/cache') };
  execFileSync('pnpm', build, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] });
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
