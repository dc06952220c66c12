import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { release } from '../src/release.ts';
import { targetsOf } from '../src/targets.ts';
import { FILE, Workspace } from './workspace.ts';

const RELEASED = 'openapi/.released/bookstore.yaml';

let workspace: Workspace;

async function cut() {
  const [target] = targetsOf(workspace.root);
  return target && release(workspace.root, target);
}

test('from a merged change to the released contract', async () => {
  workspace = await Workspace.create();

  // The first release keeps the contract's version.
  expect(await cut()).toEqual({ version: '1.0.0', changed: false });
  const { paths } = parse(workspace.read(RELEASED));
  // The released contract is the completed one, so that a change of the platform shows as a change.
  expect(Object.keys(paths['/books'].get.responses)).toContain('401');
  workspace.commit('Version');

  // A compatible change is reviewed and merged.
  workspace.git('branch', '--force', 'main');
  workspace.replace('maximum: 100, default: 20', 'maximum: 200, default: 20');
  await workspace.declare('minor');
  workspace.commit('Raise the limit');
  expect(await workspace.report(new Date())).toMatchObject({ requiredBump: 'minor', violations: [] });

  // The pull request "Version packages" is made.
  workspace.git('branch', '--force', 'main');
  expect(await cut()).toEqual({ version: '1.1.0', changed: true });
  expect(parse(workspace.read(FILE)).info.version).toBe('1.1.0');
  expect(workspace.read('apps/server/src/generated/document.ts')).toContain('"version": "1.1.0"');
  const { openapi, info } = parse(workspace.read(RELEASED));
  expect([openapi, info.version]).toEqual(['3.1.0', '1.1.0']);
  // Only one line has changed: comments and order are kept.
  expect(workspace.git('diff', '--stat', '--', FILE)).toMatch(/1 file changed, 1 insertion\(\+\), 1 deletion\(-\)/);

  // The review of the version pull request itself requires no release.
  workspace.commit('Version');
  expect(await workspace.report(new Date())).toMatchObject({ requiredBump: 'none', violations: [] });

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
