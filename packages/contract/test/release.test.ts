import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { release } from '../src/release.ts';
import { targetsOf } from '../src/targets.ts';
import { FILE, Workspace } from './workspace.ts';

const ROOT = join(import.meta.dirname, '../../..');

let workspace: Workspace;

async function cut() {
  const [target] = targetsOf(workspace.root);
  return target && release(workspace.root, target);
}

/** The command of `version.yml` for pending changesets: `changeset version && pnpm contract:release`. */
async function cutVersion() {
  // The command uses files and git only, not npm.
  execFileSync(process.execPath, [join(ROOT, 'node_modules/@changesets/cli/bin.js'), 'version'], {
    cwd: workspace.root,
    env: { ...process.env, CI: 'true' },
  });
  return cut();
}

const clientVersion = () => JSON.parse(workspace.read('packages/client/package.json')).version;
const contractVersion = () => parse(workspace.read(FILE)).info.version;

test('from a merged change to the published package', async () => {
  workspace = await Workspace.create();

  // The first release keeps the contract's version.
  workspace.write('.changeset/first.md', '---\n"@bookstore/client": minor\n---\n\nFirst release.\n');
  workspace.commit('First');
  expect(await cutVersion()).toEqual({ version: '1.0.0', changed: false });
  expect(clientVersion()).toBe('1.3.0');
  const { paths } = parse(workspace.read('openapi/.released/bookstore.yaml'));
  // The released contract is the completed one, so that a change of the platform shows as a change.
  expect(Object.keys(paths['/books'].get.responses)).toContain('401');
  workspace.commit('Version');

  // A compatible change is reviewed and merged.
  workspace.git('branch', '--force', 'main');
  workspace.replace('maximum: 100, default: 20', 'maximum: 200, default: 20');
  await workspace.generate();
  workspace.write(
    '.changeset/limit.md',
    '---\n"@bookstore/client": minor\n---\n\n`listBooks` returns up to 200 books at once.\n',
  );
  workspace.commit('Raise the limit');
  expect(await workspace.report(new Date())).toMatchObject({
    requiredBump: 'minor',
    violations: [],
  });

  // The pull request "Version packages" is made.
  workspace.git('branch', '--force', 'main');
  expect(await cutVersion()).toEqual({ version: '1.1.0', changed: true });
  expect(clientVersion()).toBe('1.4.0');
  expect(contractVersion()).toBe('1.1.0');
  expect(workspace.read('apps/server/src/generated/document.ts')).toContain('"version": "1.1.0"');
  const changelog = workspace.read('packages/client/CHANGELOG.md');
  expect(changelog).toMatch(
    /^# @bookstore\/client\n\n## 1\.4\.0\n\n### Minor Changes\n\n- .*`listBooks` returns up to 200 books at once\.\n/,
  );
  expect(workspace.git('status', '--porcelain')).toContain('D .changeset/limit.md');
  const { openapi, info } = parse(workspace.read('openapi/.released/bookstore.yaml'));
  expect([openapi, info.version]).toEqual(['3.1.0', '1.1.0']);
  // Only one line has changed: comments and order are kept.
  expect(workspace.git('diff', '--stat', '--', FILE)).toMatch(/1 file changed, 1 insertion\(\+\), 1 deletion\(-\)/);

  // The review of the version pull request itself requires no release.
  workspace.commit('Version');
  const report = await workspace.report(new Date());
  expect(report).toMatchObject({ requiredBump: 'none', violations: [] });

  // An unchanged contract keeps its version.
  expect(await cut()).toEqual({ version: '1.1.0', changed: false });
});

test('a removal after its sunset is a minor version of the API, which stays /v1', async () => {
  workspace = await Workspace.create();
  await cut();
  workspace.edit((contract) => contract.deleteIn(['paths', '/books/{bookId}', 'get']));
  expect(await cut()).toEqual({ version: '1.1.0', changed: true });
});

test('a version set by hand is kept', async () => {
  workspace = await Workspace.create();
  await cut();
  workspace.replace('version: 1.0.0', 'version: 1.7.0');
  workspace.replace('maximum: 100, default: 20', 'maximum: 200, default: 20');
  expect(await cut()).toEqual({ version: '1.7.0', changed: false });
});
