import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './review/workspace.ts';

interface Task {
  taskId: string;
  /** Of the package, from the root. */
  directory: string;
  command: string;
  /** What decides whether it is done again: the hash of each file, by its path from the package. */
  inputs: Record<string, string>;
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** What `turbo run <name>` would do. */
function tasksOf(name: string): Task[] {
  const { packageManager } = JSON.parse(read('package.json'));
  const turbo = ['--yes', packageManager, '--silent', 'exec', 'turbo', 'run', name, '--dry=json'];
  const plan = execFileSync('npx', turbo, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  // Packages without this script are listed, too.
  return JSON.parse(plan).tasks.filter(({ command }: Task) => command !== '<NONEXISTENT>');
}

test.each([
  ['server', 'test', ['Dockerfile', 'compose.yaml', 'package.json', '.env.example', 'openapi/petstore.yaml']],
  ['contract', 'test', ['packages/client/test/fixture/generated/operations.ts', 'README.md']],
  ['proof', 'typecheck', ['apps/server/test/support/link.ts']],
])('after a change elsewhere of what %s reads, its %s is done again', (name, task, files) => {
  const { directory = '', inputs = {} } =
    tasksOf(task).find(({ taskId }) => taskId === `@petstore/${name}#${task}`) ?? {};
  const hashed = Object.keys(inputs).map((file) => join(directory, file));
  expect(hashed).toEqual(expect.arrayContaining(files));
});

test('the README shows how `npm test` ends', () => {
  const { length } = tasksOf('test');
  expect(read('README.md')).toContain(`\n Tasks:    ${length} successful, ${length} total\n`);
});
