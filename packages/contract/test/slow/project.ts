/** A new repository of any contract, with the packages of this workspace instead of published ones. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { serviceFiles } from '../../../create-service/src/files.ts';
import { ROOT } from '../workspace.ts';

const LINKS = {
  ...Object.fromEntries(
    ['server-runtime', 'client-runtime', 'testkit'].map((name) => [`@petstore-platform/${name}`, `packages/${name}`]),
  ),
  kysely: 'apps/server/node_modules/kysely',
  vitest: 'apps/server/node_modules/vitest',
  '@types/node': 'node_modules/@types/node',
  '@tanstack/react-query': 'packages/client/node_modules/@tanstack/react-query',
};

/** Makes the project, compiles it and runs its tests. Returns what fails. */
export async function projectFailures(contract: string, root: string): Promise<string> {
  const write = (place: string, text: string) => {
    mkdirSync(path.dirname(path.join(root, place)), { recursive: true });
    writeFileSync(path.join(root, place), text);
  };
  const scratch = path.join(root, 'scratch');
  mkdirSync(scratch, { recursive: true });
  const names = ['platform', 'guides', 'kysely', 'cli', 'node', 'typescript', 'vitest', 'react-query'];
  const { files } = await serviceFiles('project', contract, scratch, {
    templates: 'repository',
    root,
    service: '',
    client: 'client',
    package: 'project',
    sdkPackage: 'project-client',
    values: Object.fromEntries(names.map((name) => [name, '0'])),
  });
  for (const [place, text] of files) write(place, text);
  for (const [name, place] of Object.entries(LINKS)) {
    mkdirSync(path.join(root, 'node_modules', name, '..'), { recursive: true });
    symlinkSync(path.join(ROOT, place), path.join(root, 'node_modules', name));
  }
  const [service, own] = ['node_modules/@petstore-platform/service', path.join(ROOT, 'packages/service')];
  const { name, type, publishConfig } = JSON.parse(readFileSync(path.join(own, 'package.json'), 'utf8'));
  write(`${service}/package.json`, JSON.stringify({ name, type, exports: publishConfig.exports }));
  for (const file of ['dist', 'tsconfig.service.json'])
    symlinkSync(path.join(own, file), path.join(root, service, file));
  const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  const compiled = ['.', 'client'].map((folder) =>
    // The packages of this workspace are TypeScript, and checked elsewhere.
    run(path.join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder, '--noEmit', '--allowImportingTsExtensions'),
  );
  const lines = compiled.flatMap(({ stdout }) => stdout.split('\n')).filter((line) => /^(?!\.\.).*error TS/.test(line));
  const { status, stdout, stderr } = run('node_modules/vitest/vitest.mjs', 'run');
  return [...lines, ...(status === 0 ? [] : [stderr + stdout])].join('\n');
}
