import { execFile, execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { listen } from '@petstore-platform/testkit/server';
import { afterAll, expect, test } from 'vitest';
import { copyRepository } from '../copy.ts';

const copy = copyRepository();

/** What GitHub has, by path in the repository, and the requests that added to it. */
const resources = new Map<string, unknown>();
const changes: { path: string; body: Record<string, string> }[] = [];

const github = createServer(async (request, response) => {
  const path = decodeURIComponent(request.url ?? '').replace('/repos/someone/repository/', '');
  if (request.method === 'POST') {
    const body = (await json(request)) as Record<string, string>;
    changes.push({ path, body });
    resources.set(`git/ref/${body.ref?.replace('refs/', '')}`, { object: { sha: body.sha } });
  }
  const found = request.method === 'POST' || resources.get(path);
  response.writeHead(found ? 200 : 404, { Connection: 'close' }).end(JSON.stringify(found ?? {}));
});
const api = `http://127.0.0.1:${await listen(github)}`;
afterAll(() => void github.close());

const read = (file: string) => readFileSync(path.join(copy.folder, file), 'utf8');
const manifest = (folder: string) => JSON.parse(read(`${folder}/package.json`));
const pnpm = (...args: string[]) =>
  execFileSync('pnpm', args, {
    cwd: copy.folder,
    stdio: 'pipe',
    // pnpm would change the node_modules that the copy shares.
    env: { ...process.env, pnpm_config_verify_deps_before_run: 'false' },
  });

/** A merge of the pull request "Version packages", as version.yml makes it. Returns its commit. */
function mergeVersions() {
  pnpm('version-packages');
  return commit('Version packages');
}

function commit(message: string) {
  copy.git('add', '--all');
  copy.git('commit', '--quiet', '--message', message);
  return copy.git('rev-parse', 'HEAD').trim();
}

async function release(...args: string[]) {
  const env = {
    ...process.env,
    GITHUB_API_URL: api,
    GITHUB_REPOSITORY: 'someone/repository',
    RELEASE: 'npm jsr image',
    GITHUB_OUTPUT: '',
    GITHUB_SHA: copy.git('rev-parse', 'HEAD').trim(),
  };
  const command = [path.join(copy.folder, '.ci/release.mjs'), ...args];
  return (await promisify(execFile)(process.execPath, command, { cwd: copy.folder, env })).stdout;
}

const changeset = (name: string) => path.join(copy.folder, `.changeset/${name}.md`);

function declare(name: string, text: string) {
  writeFileSync(changeset(name), `---\n"@petstore/${name}": patch\n---\n\n${text}\n`);
}

test('a changeset for a package without releases is refused', async () => {
  declare('runtime', 'Is in the server.');
  await expect(release('check')).rejects.toThrow(
    '.changeset/runtime.md names @petstore/runtime, but only @petstore/client, @petstore/server and the packages of the platform are released.',
  );
  rmSync(changeset('runtime'));
});

test('a new version of the SDK is in its sources', () => {
  const before = manifest('packages/client').version;
  declare('client', 'Has a better SDK.');
  mergeVersions();
  const { version } = manifest('packages/client');
  expect(version).not.toBe(before);
  expect(read('packages/client/src/generated/sdk.ts')).toContain(`'js/${version}'`);
});

test('a fix of the server is released as an image of its own version, and the SDK stays', async () => {
  const nothing = 'platform=[]\nsdks=[]\nimages=[]\n';
  const { version: sdk } = manifest('packages/client');
  resources.set(`releases/tags/@petstore/client@${sdk}`, {});
  resources.set(`releases/tags/@petstore/server@${manifest('apps/server').version}`, {});
  const platform = manifest('packages/service').version;
  expect(manifest('packages/server-runtime').version).toBe(platform);
  resources.set(`releases/tags/@petstore-platform/service@${platform}`, {});
  expect(await release('plan')).toBe(nothing);

  appendFileSync(path.join(copy.folder, 'apps/server/src/main.ts'), '// The fix.\n');
  declare('server', 'Mends what was broken.');
  commit('Fix the server');
  expect(await release('plan')).toBe(nothing);
  const merged = mergeVersions();

  const { version } = manifest('apps/server');
  const tag = `@petstore/server@${version}`;
  const image = { name: 'petstore', package: '@petstore/server', folder: 'apps/server', evidence: true };
  const due = `platform=[]\nsdks=[]\nimages=${JSON.stringify([{ ...image, version, tag, commit: merged }])}\n`;
  expect(await release('plan')).toBe(due);
  expect(changes).toEqual([{ path: 'git/refs', body: { ref: `refs/tags/${tag}`, sha: merged } }]);
  expect(await release('notes', '@petstore/server')).toMatch(
    /^### Patch Changes\n\n- (\w+: )?Mends what was broken\.\n$/,
  );
  expect(manifest('packages/client').version).toBe(sdk);
  expect(read('packages/client/CHANGELOG.md')).not.toContain('Mends');
  pnpm('--filter', '@petstore/server', 'sbom', '--prod', '--sbom-format', 'cyclonedx', '--out', 'server.cdx.json');
  expect(JSON.parse(read('server.cdx.json')).metadata.component).toMatchObject({ name: 'server', version });

  // A failed run is repeated on the tagged commit, whatever has been merged since.
  commit('Something else');
  expect(await release('plan')).toBe(due);
  expect(changes).toHaveLength(1);
  resources.set(`releases/tags/${tag}`, {});
  expect(await release('plan')).toBe(nothing);
});
