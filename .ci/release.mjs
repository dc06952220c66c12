// Steps of version.yml and release.yml. Needs no package, as jobs that may write run no code of dependencies.
//
//   node .ci/release.mjs check          fails if a changeset names a package that has no releases
//   node .ci/release.mjs plan           prints what is to be released, and tags it
//   node .ci/release.mjs notes server   prints the newest section of a changelog
import { appendFileSync, existsSync, globSync, readFileSync } from 'node:fs';
import { services } from '../scripts/services.mjs';

/** The packages that are released, with their targets. `RELEASE` lists the targets that are on. */
const PACKAGES = Object.fromEntries(
  Object.entries({
    client: { folder: 'packages/client', targets: ['npm', 'jsr'] },
    server: { folder: 'apps/server', targets: ['image'] },
  }).filter(([, { folder }]) => existsSync(folder)),
);
const { RELEASE = '', GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_SHA, GITHUB_OUTPUT, GH_TOKEN } = process.env;

const manifestOf = (key) => JSON.parse(readFileSync(`${PACKAGES[key].folder}/package.json`, 'utf8'));

function check() {
  const released = services().flatMap((service) => [service.client?.package, service.package].filter(Boolean));
  for (const file of globSync('.changeset/*.md')) {
    // Another package of the workspace would get a version, but no release.
    const [, header = ''] = readFileSync(file, 'utf8').split('---\n');
    const names = header.split('\n').filter(Boolean);
    for (const name of names.map((line) => line.slice(0, line.lastIndexOf(':')).replaceAll(/["']/g, '')))
      if (!released.includes(name))
        throw new Error(`${file} names ${name}, but only ${released.join(' and ')} are released.`);
  }
}

/**
 * A version is due until it has a release page, which comes last. It is tagged first, so that a failed run is repeated on the same
 * commit, whatever has been merged since.
 */
async function plan() {
  const targets = Object.values(PACKAGES).flatMap((each) => each.targets);
  const on = RELEASE.split(/[\s,]+/).filter(Boolean);
  for (const name of on)
    if (!targets.includes(name)) throw new Error(`RELEASE names ${name}, which is none of ${targets.join(', ')}.`);
  for (const key of Object.keys(PACKAGES)) {
    const { name, version } = manifestOf(key);
    const tag = `${name}@${version}`;
    const isOn = PACKAGES[key].targets.some((target) => on.includes(target));
    // 0.0.0 is the version before the first release.
    const due = isOn && version !== '0.0.0' && !(await github(`releases/tags/${encodeURIComponent(tag)}`));
    let commit = GITHUB_SHA;
    if (due) {
      const tagged = await github(`git/ref/tags/${tag}`);
      if (tagged) commit = tagged.object.sha;
      else await github('git/refs', { ref: `refs/tags/${tag}`, sha: commit });
    }
    const outputs = due ? `${key}=${version}\n${key}-tag=${tag}\n${key}-commit=${commit}\n` : `${key}=\n`;
    process.stdout.write(outputs);
    if (GITHUB_OUTPUT) appendFileSync(GITHUB_OUTPUT, outputs);
  }
}

/** Asks for a resource of this repository, or creates it with `body`. Undefined if there is none. */
async function github(resource, body) {
  const response = await fetch(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/${resource}`, {
    method: body ? 'POST' : 'GET',
    headers: { Authorization: `Bearer ${GH_TOKEN}`, Accept: 'application/vnd.github+json' },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (response.ok) return answer;
  if (!body && response.status === 404) return undefined;
  throw new Error(`GitHub answered ${resource} with ${response.status}: ${answer.message}`);
}

function notes(key) {
  const { version } = manifestOf(key);
  const sections = readFileSync(`${PACKAGES[key].folder}/CHANGELOG.md`, 'utf8').split(/^## /m);
  const section = sections.find((text) => text.startsWith(`${version}\n`));
  if (!section) throw new Error(`The changelog has no section ${version}.`);
  console.log(section.slice(version.length).trim());
}

const [command, ...args] = process.argv.slice(2);
await { check, plan, notes }[command](...args);
