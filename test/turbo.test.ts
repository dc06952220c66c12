import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyRepository, ROOT } from './copy.ts';

let copy: ReturnType<typeof copyRepository>;
let before: Map<string, string>;

beforeAll(() => {
  copy = copyRepository();
  before = hashes();
});

afterAll(() => copy?.remove());

/** The cache keys of all tasks. */
function hashes(): Map<string, string> {
  const turbo = path.join(ROOT, 'node_modules/.bin/turbo');
  const args = ['run', 'test', 'typecheck', '--dry=json', '--cwd', copy.folder];
  const { tasks } = JSON.parse(execFileSync(turbo, args, { encoding: 'utf8', maxBuffer: 2 ** 28 }));
  return new Map(tasks.map(({ taskId, hash }: { taskId: string; hash: string }) => [taskId, hash]));
}

const tests = (...packages: string[]) =>
  packages.map((name) => `@${/^(client|server)$/.test(name) ? 'petstore' : 'repo'}/${name}#test`);
const services = tests('client', 'proof', 'server', 'server-runtime', 'storage-citus');
const all = [...services, ...tests('bench', 'client-runtime', 'contract', 'contract-review', 'repository', 'testkit')];

describe('after a change of', () => {
  test.each<[string, { again: string[]; not?: string[] }]>([
    ['openapi/petstore.yaml', { again: all }],
    [
      'packages/testkit/src/link.ts',
      {
        again: [...services, ...tests('bench', 'contract', 'testkit'), '@repo/proof#typecheck'],
        not: ['@repo/repository#typecheck'],
      },
    ],
    [
      'packages/local-postgres/src/programs.ts',
      { again: [...services, ...tests('bench', 'local-postgres', 'testkit')] },
    ],
    ['packages/client/src/client.ts', { again: tests('client', 'proof', 'server'), not: tests('contract') }],
    [
      'packages/client-runtime/src/client.ts',
      { again: tests('client-runtime', 'contract', 'server-runtime'), not: tests('testkit') },
    ],
    ['packages/client-runtime/test/fixture/generated/table.ts', { again: tests('client-runtime', 'contract') }],
    ['packages/client/README.md', { again: tests('client', 'contract'), not: tests('client-runtime') }],
    ['packages/server-runtime/src/app.ts', { again: [...services, ...tests('repository')], not: tests('contract') }],
    [
      'packages/storage-citus/src/index.ts',
      { again: tests('client', 'proof', 'server', 'storage-citus'), not: tests('server-runtime') },
    ],
    [
      'apps/server/test/main.test.ts',
      { again: tests('server'), not: tests('client', 'contract', 'proof', 'server-runtime') },
    ],
    ['Dockerfile', { again: tests('server') }],
    ['README.md', { again: tests('repository'), not: ['@petstore/server#typecheck'] }],
    ['.github/workflows/ci.yml', { again: tests('repository'), not: ['@petstore/server#typecheck'] }],
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
    expectChange('pnpm-lock.yaml', edit, tests('client-runtime', 'proof', 'server', 'repository'), tests('contract'));
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

test('the README shows the output of `npm test`', () => {
  const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
  const scripts = globSync('{{packages,apps}/*,test}/package.json', { cwd: ROOT }).flatMap((file) =>
    Object.keys(JSON.parse(read(file)).scripts),
  );
  // Tests depend on all builds.
  const { length } = scripts.filter((script) => ['build', 'test'].includes(script));
  expect(read('README.md')).toContain(`\n Tasks:    ${length} successful, ${length} total\n`);
});
