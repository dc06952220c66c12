// Packs the packages of the platform into a folder, as they are published: `node .ci/pack.mjs <folder>`. `--check` checks the tarballs
// with publint and Are the types wrong. The packages must have been built.
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(import.meta.dirname, '..');
const read = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const [folder, option] = process.argv.slice(2);
const target = path.resolve(folder);
mkdirSync(target, { recursive: true });

/** The published packages that have one version. */
const [names] = read('.changeset/config.json').fixed;
const filters = names.map((name) => `--filter=${name}`);
const pack = ['--recursive', ...filters, 'pack', '--pack-destination', target];
execFileSync('pnpm', pack, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
const files = readdirSync(target).filter((file) => file.endsWith('.tgz'));

/** Fails for an entry that leads nowhere or has no types, and for what tools of others do not understand. */
async function check(file) {
  const run = (tool, ...args) => promisify(execFile)(`${root}/node_modules/.bin/${tool}`, args, { cwd: target });
  await run('publint', 'run', file, '--strict');
  await run('attw', file, '--profile', 'esm-only', '--format', 'ascii');
}
if (option === '--check') await Promise.all(files.map(check));
console.log(`${files.length} packages in ${target}`);
