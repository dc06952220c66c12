import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { copyRepository, ROOT, SERVICE } from './copy.ts';

const copy = copyRepository();
const before = hashes();

/** The cache keys of all tasks. */
function hashes(): Map<string, string> {
  const turbo = path.join(ROOT, 'node_modules/.bin/turbo');
  const args = ['run', 'test', 'typecheck', '--dry=json', '--cwd', copy.folder];
  const { tasks } = JSON.parse(execFileSync(turbo, args, { encoding: 'utf8', maxBuffer: 2 ** 28 }));
  return new Map(tasks.map(({ taskId, hash }: { taskId: string; hash: string }) => [taskId, hash]));
}

const existing = (...apps: string[]) => apps.filter((name) => existsSync(path.join(ROOT, 'apps', name)));

const tests = (...packages: string[]) => {
  const names: Record<string, string> = {
    sdk: SERVICE.client.package,
    service: SERVICE.package,
    bench: '@repo/bench',
    proof: '@repo/proof',
    repository: '@repo/repository',
  };
  return packages.map((name) => `${names[name] ?? `@petstore-platform/${name}`}#test`);
};
const proof = existing('proof');
const services = tests('service', 'server-runtime', ...proof);
const all = [
  ...services,
  ...tests('sdk', 'storage-citus', 'client-runtime', 'contract', 'contract-review', 'openapi', 'repository', 'testkit'),
];

describe('after a change of', () => {
  test.each<[string, { again: string[]; not?: string[] }]>([
    [SERVICE.contract, { again: all }],
    [
      'packages/testkit/src/tcp-proxy.ts',
      {
        again: [...services, ...tests('contract', 'contract-review', 'testkit', ...existing('bench'))],
        not: tests('openapi'),
      },
    ],
    ['packages/local-postgres/src/programs.ts', { again: [...services, ...tests('local-postgres', 'testkit')] }],
    [
      `${SERVICE.client.folder}/src/generated/sdk.ts`,
      { again: tests('sdk', 'service', ...proof), not: tests('contract') },
    ],
    [
      'packages/client-runtime/src/client.ts',
      { again: tests('client-runtime', 'contract', 'server-runtime', 'sdk', 'service'), not: tests('testkit') },
    ],
    [
      'packages/bookstore/src/client/generated/sdk.ts',
      { again: tests('client-runtime', 'server-runtime', 'sdk', 'storage-citus', ...proof) },
    ],
    ['packages/client-runtime/test/fixture/generated/table.ts', { again: tests('client-runtime', 'contract') }],
    [`${SERVICE.client.folder}/README.md`, { again: tests('sdk'), not: tests('client-runtime') }],
    [
      'packages/server-runtime/src/app.ts',
      { again: [...services, ...tests('repository', 'contract')], not: tests('contract-review') },
    ],
    [
      'packages/openapi/src/read.ts',
      { again: [...tests('openapi', 'contract', 'contract-review', 'testkit'), ...services] },
    ],
    ['packages/storage-citus/src/index.ts', { again: tests('storage-citus'), not: tests('server-runtime') }],
    [
      `${SERVICE.folder}/vitest.config.ts`,
      { again: tests('service'), not: tests('sdk', 'contract', 'server-runtime', ...proof) },
    ],
    ['Dockerfile', { again: tests('service') }],
    ['README.md', { again: tests('repository'), not: [`${SERVICE.package}#typecheck`] }],
    ['.github/workflows/ci.yml', { again: tests('repository'), not: [`${SERVICE.package}#typecheck`] }],
    ['tsconfig.base.json', { again: all }],
  ])('%s, dependent tasks run again', (file, { again, not = [] }) => {
    expectChange(file, (text) => `${text}\n`, again, not);
  });

  test('the lockfile, the affected packages are tested again', () => {
    const edit = (text: string) => {
      const version = /^ {2}fast-check@([\d.]+):$/m.exec(text)?.[1] ?? '';
      return text
        .replaceAll(`fast-check@${version}:`, 'fast-check@99.0.0:')
        .replaceAll(`version: ${version}\n`, 'version: 99.0.0\n');
    };
    const again = tests('client-runtime', 'server-runtime', 'openapi', 'repository');
    expectChange('pnpm-lock.yaml', edit, again, tests('local-postgres'));
  });
});

function expectChange(file: string, edit: (text: string) => string, again: string[], not: string[]): void {
  const place = path.join(copy.folder, file);
  const text = readFileSync(place, 'utf8');
  writeFileSync(place, edit(text));
  try {
    const after = hashes();
    const changed = (id: string) => before.has(id) && before.get(id) !== after.get(id);
    expect(
      again.filter((id) => !changed(id)),
      'cached',
    ).toEqual([]);
    expect(not.filter(changed), 'not cached').toEqual([]);
  } finally {
    writeFileSync(place, text);
  }
}
