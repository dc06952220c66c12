// Builds the program as deploy/README.md says, into the folder of the machine, twice: the second is its next version.
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { blocksOf, SERVICE } from './document.mjs';

const [root] = process.argv.slice(2);
const [build] = blocksOf('deploy/README.md', 'One machine without containers');
const releases = `${root}/srv/releases`;
execFileSync('bash', ['-ec', build.replaceAll('/srv/releases', releases)], { stdio: ['ignore', 'ignore', 'inherit'] });
const [release] = readdirSync(releases);
const next = `${releases}/${SERVICE}-next`;
cpSync(`${releases}/${release}`, next, { recursive: true, verbatimSymlinks: true });
const manifest = JSON.parse(readFileSync(`${next}/package.json`, 'utf8'));
writeFileSync(`${next}/package.json`, JSON.stringify({ ...manifest, version: '99.0.0' }));
