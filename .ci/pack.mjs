// Packs the packages of the platform into a folder, as they are published: `node .ci/pack.mjs <folder>`. `--check` checks the tarballs
// with publint and Are the types wrong. The packages must have been built.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const root = path.resolve(import.meta.dirname, '..');
const read = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));

/** The published packages that have one version (`fixed` of changesets). */
const [NAMES] = read('.changeset/config.json').fixed;

const [folder, option] = process.argv.slice(2);
const target = path.resolve(folder);
mkdirSync(target, { recursive: true });

async function run(command, args) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, output: stdout + stderr };
}

const { packageManager } = read('package.json');
const filters = NAMES.map((name) => `--filter=${name}`);
const pack = ['--yes', packageManager, '--recursive', ...filters, 'pack', '--pack-destination', target];
const { status, stdout, stderr } = spawnSync('npx', pack, { cwd: root, encoding: 'utf8' });
if (status !== 0) throw new Error(stdout + stderr);

/** Fails for an entry that leads nowhere or has no types, and for what tools of others do not understand. */
async function check({ name, version, publishConfig }) {
  const file = path.join(target, `${name.slice(1).replace('/', '-')}-${version}.tgz`);
  const bin = path.join(root, 'node_modules/.bin');
  const hasEntries = Object.values(publishConfig?.exports ?? {}).some((entry) => entry.types);
  const results = [
    await run(`${bin}/publint`, ['run', file, '--strict']),
    ...(hasEntries ? [await run(`${bin}/attw`, [file, '--profile', 'esm-only', '--format', 'ascii'])] : []),
  ];
  return results.filter(({ code }) => code !== 0).map(({ output }) => `${name}\n${output}`);
}

const manifests = globSync('packages/*/package.json', { cwd: root }).map(read);
const packed = manifests.filter(({ name }) => NAMES.includes(name));
if (option === '--check') {
  const problems = (await Promise.all(packed.map(check))).flat();
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
console.log(`${packed.length} packages in ${target}`);
