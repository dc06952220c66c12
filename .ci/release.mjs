// Steps of version.yml and release.yml. Needs no package, as jobs that may write run no code of dependencies, and only Node.js 20,
// as those jobs use the runner's.
//
//   node .ci/release.mjs check             fails if a changeset names a package that has no releases
//   node .ci/release.mjs plan              prints what is to be released, and tags it
//   node .ci/release.mjs ranges            writes the version of their runtime into the jsr.json of the SDKs
//   node .ci/release.mjs notes @acme/shop  prints the newest section of a package's changelog
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { services } from '../scripts/services.mjs';

/** The packages of the platform, which have one version. The first one stands for all: its tag, its changelog. */
const [PLATFORM] = JSON.parse(readFileSync('.changeset/config.json', 'utf8')).fixed;

/** The platform, the SDK and the server of each service, and where they are released to: `RELEASE` lists the targets that are on. */
const TARGETS = { platform: ['npm'], sdks: ['npm', 'jsr'], images: ['image'] };
const OF_SERVICES = services().flatMap(({ name, package: server, folder, client, default: isDefault }) => {
  const evidence = Boolean(isDefault) && existsSync('.github/workflows/evidence.yml');
  const image = { kind: 'images', name, package: server, folder, evidence };
  return client ? [{ kind: 'sdks', name, ...client }, image] : [image];
});
const SERVED = OF_SERVICES.map((each) => each.package);
const [first] = PLATFORM;
const RELEASED = [
  { kind: 'platform', name: 'platform', package: first, folder: `packages/${first.split('/')[1]}` },
  ...OF_SERVICES,
];
const { RELEASE = '', GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_SHA, GITHUB_OUTPUT, GH_TOKEN } = process.env;

function check() {
  const released = [...SERVED, ...PLATFORM];
  const changesets = readdirSync('.changeset').filter((name) => name.endsWith('.md'));
  for (const file of changesets.map((name) => `.changeset/${name}`)) {
    // Another package of the workspace would get a version, but no release.
    const [, header = ''] = readFileSync(file, 'utf8').split('---\n');
    const names = header.split('\n').filter(Boolean);
    for (const name of names.map((line) => line.slice(0, line.lastIndexOf(':')).replaceAll(/["']/g, '')))
      if (!released.includes(name))
        throw new Error(
          `${file} names ${name}, but only ${SERVED.join(', ')} and the packages of the platform are released.`,
        );
  }
}

/**
 * A version is due until it has a release page, which comes last. It is tagged first, so that a failed run is repeated on the same
 * commit, whatever has been merged since.
 */
async function plan() {
  const on = RELEASE.split(/[\s,]+/).filter(Boolean);
  const targets = Object.values(TARGETS).flat();
  for (const name of on)
    if (!targets.includes(name)) throw new Error(`RELEASE names ${name}, which is none of ${targets.join(', ')}.`);
  const due = { platform: [], sdks: [], images: [] };
  for (const { kind, ...each } of RELEASED) {
    const { version } = JSON.parse(readFileSync(`${each.folder}/package.json`, 'utf8'));
    const tag = `${each.package}@${version}`;
    const isOn = TARGETS[kind].some((target) => on.includes(target));
    // 0.0.0 is the version before the first release.
    if (!isOn || version === '0.0.0' || (await github(`releases/tags/${encodeURIComponent(tag)}`))) continue;
    const tagged = await github(`git/ref/tags/${tag}`);
    if (!tagged) await github('git/refs', { ref: `refs/tags/${tag}`, sha: GITHUB_SHA });
    due[kind].push({ ...each, version, tag, commit: tagged?.object.sha ?? GITHUB_SHA });
  }
  const outputs = Object.entries(due).map(([kind, list]) => `${kind}=${JSON.stringify(list)}\n`);
  process.stdout.write(outputs.join(''));
  if (GITHUB_OUTPUT) appendFileSync(GITHUB_OUTPUT, outputs.join(''));
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

/** JSR has no ranges of a workspace, as package.json does. */
function ranges() {
  const { version } = JSON.parse(readFileSync('packages/client-runtime/package.json', 'utf8'));
  for (const { folder } of RELEASED.filter(({ kind }) => kind === 'sdks')) {
    const file = `${folder}/jsr.json`;
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/(npm:@petstore-platform\/client-runtime@\^)[^"]*/, `$1${version}`));
  }
}

function notes(name) {
  const { folder } = RELEASED.find((each) => each.package === name);
  const { version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const sections = readFileSync(`${folder}/CHANGELOG.md`, 'utf8').split(/^## /m);
  const section = sections.find((text) => text.startsWith(`${version}\n`));
  if (!section) throw new Error(`The changelog has no section ${version}.`);
  console.log(section.slice(version.length).trim());
}

const [command, ...args] = process.argv.slice(2);
await { check, plan, ranges, notes }[command](...args);
