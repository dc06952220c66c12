import { globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './review/workspace.ts';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

const { globalDependencies, tasks } = JSON.parse(read('turbo.json')) as {
  globalDependencies: string[];
  tasks: Record<string, { inputs: string[] }>;
};

test.each([
  ['server', 'test', ['Dockerfile', 'compose.yaml', 'package.json', '.env.example', 'openapi/petstore.yaml']],
  [
    'contract',
    'test',
    ['packages/client/test/fixture/generated/operations.ts', 'apps/server/package.json', 'README.md'],
  ],
])('after a change elsewhere of what %s reads, its %s is done again', (name, task, files) => {
  const { inputs } = tasks[`@petstore/${name}#${task}`] ?? tasks[task] ?? { inputs: [] };
  const elsewhere = inputs.filter((input) => input.startsWith('$TURBO_ROOT$/')).map((input) => input.slice(13));
  const isInput = (file: string) => [...globalDependencies, ...elsewhere].some((glob) => matchesGlob(file, glob));
  expect(files.filter((file) => !isInput(file))).toEqual([]);
});

test('the README shows how `npm test` ends', () => {
  const scripts = globSync('{packages,apps}/*/package.json', { cwd: ROOT }).flatMap((file) =>
    Object.keys(JSON.parse(read(file)).scripts),
  );
  // Testing needs all that can be generated or built.
  const { length } = scripts.filter((script) => ['generate', 'build', 'test'].includes(script));
  expect(read('README.md')).toContain(`\n Tasks:    ${length} successful, ${length} total\n`);
});
