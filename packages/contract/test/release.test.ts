import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { release } from '../src/release.ts';
import { review } from '../src/review/review.ts';
import { ROOT, Workspace } from './review/workspace.ts';

let workspace: Workspace;

afterEach(() => workspace.remove());

/** The command of `release.yml` for pending changesets: `changeset version && pnpm contract:release`. */
async function cutVersion() {
  // The command uses files and git only, not npm.
  execFileSync(process.execPath, [join(ROOT, 'node_modules/@changesets/cli/bin.js'), 'version'], {
    cwd: workspace.root,
    env: { ...process.env, CI: 'true' },
  });
  return release(workspace.root);
}

const clientVersion = () => JSON.parse(workspace.read('packages/client/package.json')).version;
const contractVersion = () => parse(workspace.read('openapi/petstore.yaml')).info.version;

test('from a merged change to the published package', async () => {
  workspace = await Workspace.create({ 'packages/client/src/index.ts': '// The SDK.\n' });
  workspace.replace(
    /"version": "[^"]+"/.exec(workspace.read('packages/client/package.json'))?.[0] ?? '',
    '"version": "1.2.3"',
    'packages/client/package.json',
  );

  // The first release keeps the contract's version.
  workspace.write('.changeset/first.md', '---\n"@petstore/client": minor\n---\n\nFirst release.\n');
  workspace.commit('First');
  expect(await cutVersion()).toEqual({ version: '1.0.0', changed: false });
  expect(clientVersion()).toBe('1.3.0');
  expect(parse(workspace.read('openapi/.released.yaml')).paths).toEqual(
    parse(workspace.read('openapi/petstore.yaml'), { merge: true }).paths,
  );
  workspace.commit('Version');

  // A compatible change, reviewed and merged.
  workspace.git('branch', '--force', 'main');
  workspace.replace('maximum: 100, default: 20', 'maximum: 200, default: 20');
  await workspace.generate();
  workspace.write(
    '.changeset/limit.md',
    '---\n"@petstore/client": minor\n---\n\n`listPets` returns up to 200 animals at once.\n',
  );
  workspace.commit('Raise the limit');
  expect(await review({ base: 'main', cwd: workspace.root, now: new Date() })).toMatchObject({
    requiredBump: 'minor',
    violations: [],
  });

  // The version pull request.
  workspace.git('branch', '--force', 'main');
  expect(await cutVersion()).toEqual({ version: '1.1.0', changed: true });
  expect(clientVersion()).toBe('1.4.0');
  expect(contractVersion()).toBe('1.1.0');
  expect(workspace.read('apps/server/src/generated/document.ts')).toContain('"version": "1.1.0"');
  const changelog = workspace.read('packages/client/CHANGELOG.md');
  expect(changelog).toMatch(
    /^# @petstore\/client\n\n## 1\.4\.0\n\n### Minor Changes\n\n- .*`listPets` returns up to 200 animals at once\.\n/,
  );
  expect(workspace.git('status', '--porcelain')).toContain('D .changeset/limit.md');
  const { openapi, info } = parse(workspace.read('openapi/.released.yaml'));
  expect([openapi, info.version]).toEqual(['3.1.0', '1.1.0']);
  // One line changed: comments and order are kept.
  expect(workspace.git('diff', '--stat', '--', 'openapi/petstore.yaml')).toMatch(
    /1 file changed, 1 insertion\(\+\), 1 deletion\(-\)/,
  );

  // The review of the version pull request itself requires no release.
  workspace.commit('Version');
  const report = await review({ base: 'main', cwd: workspace.root, now: new Date() });
  expect(report).toMatchObject({ requiredBump: 'none', violations: [] });

  // The package that npm would get.
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json'], {
    cwd: join(workspace.root, 'packages/client'),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [tarball] = Object.values(JSON.parse(packed)) as [{ name: string; version: string; files: { path: string }[] }];
  expect(tarball).toMatchObject({ name: '@petstore/client', version: '1.4.0' });
  expect(tarball.files.map((file) => file.path)).toContain('CHANGELOG.md');
  expect(JSON.parse(workspace.read('packages/client/package.json')).publishConfig).toEqual({
    access: 'public',
    provenance: true,
  });
});

test('an unchanged contract keeps its version', async () => {
  workspace = await Workspace.create();
  await release(workspace.root);
  workspace.changeset('patch');
  workspace.commit('Mend the SDK');
  expect(await cutVersion()).toEqual({ version: '1.0.0', changed: false });
});

test('a removal after its sunset is a minor version of the API, which stays /v1', async () => {
  workspace = await Workspace.create();
  await release(workspace.root);
  workspace.edit((contract) => contract.deleteIn(['paths', '/pets/{petId}']));
  expect(await release(workspace.root)).toEqual({ version: '1.1.0', changed: true });
});

test('a version set by hand is kept', async () => {
  workspace = await Workspace.create();
  await release(workspace.root);
  workspace.replace('version: 1.0.0', 'version: 1.7.0');
  workspace.replace('maximum: 100, default: 20', 'maximum: 200, default: 20');
  expect(await release(workspace.root)).toEqual({ version: '1.7.0', changed: false });
});
