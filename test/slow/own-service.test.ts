import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { copyRepository } from '../copy.ts';
import { blocksOf, readerOf } from './document.ts';

/**
 * Runs docs/own-service.md on a copy of the repository that installs its own packages: its service, whose test walks through the SDK, that
 * of docs/recipes.md, and the removal of the petstore, after which everything is green.
 */
const blocks = blocksOf('docs/own-service.md');
const YOURS = ['The scope', 'Without the petstore'];

/** Words of the petstore. */
const WORDS = 'pets?|petstore';
/** These documents tell of it as an example, or are fixtures. */
const TOLD = ['*.md', 'packages/contract*/test/**/fixtures/**', 'packages/contract*/test/**/corpus/**'];

const copy = copyRepository({ packages: false });
const reader = readerOf(copy.folder);

test('its service is created, implemented and tested as written', { timeout: 600_000 }, async () => {
  await reader.run(blocks.filter(({ heading }) => !YOURS.includes(heading)));
  expect(blocks.filter(({ language }) => language === 'ts')).toHaveLength(4);
});

test('docs/recipes.md works as written, beside it', { timeout: 600_000 }, () =>
  reader.run(blocksOf('docs/recipes.md')),
);

test('another one, of a contract with more, joins them', { timeout: 600_000 }, async () => {
  const contract = 'packages/server-runtime/test/bookstore/bookstore.yaml';
  const { code, printed } = await reader.shell(`npm run new -- book-shop --contract ${contract}`);
  expect(code, printed).toBe(0);
});

test('the petstore goes by the commands of the page', { timeout: 600_000 }, async () => {
  await reader.run(blocks.filter(({ heading }) => YOURS.includes(heading)));
  copy.git('add', '--all');
  const args = [
    'grep',
    '--cached',
    '-niwE',
    WORDS,
    '--',
    '.',
    ...TOLD.map((each) => `:(exclude,glob)${each.replace(/^\*\./, '**/*.')}`),
  ];
  expect(spawnSync('git', args, { cwd: copy.folder, encoding: 'utf8' }).stdout).toBe('');
});

/** The tests of these read only what they import, so the results of `npm test` hold. */
const UNCHANGED = [
  'client-runtime',
  'contract',
  'contract-review',
  'local-postgres',
  'repository',
  'server-runtime',
  'testkit',
]
  .map((name) => `--filter='!${name === 'repository' ? '@repo' : '@petstore-platform'}/${name}'`)
  .join(' ');

test.each([
  'pnpm install --frozen-lockfile',
  'pnpm contract:lint',
  'pnpm contract:generate --check',
  'pnpm tables --check',
  'pnpm lint',
  'pnpm lint:docs',
  'pnpm lint:unused',
  'node .ci/release.mjs check',
  'pnpm exec turbo run typecheck size --continue --output-logs=errors-only',
  `pnpm exec turbo run test --continue --output-logs=errors-only ${UNCHANGED}`,
  'cd test && ../node_modules/.bin/tsc --noEmit && pnpm exec vitest run layers new promises turbo workflows',
  'pnpm version-packages && pnpm contract:generate --check',
])('then it passes: %s', { timeout: 900_000 }, async (command) => {
  const { code, printed } = await reader.shell(command);
  expect(code, printed.slice(-20_000)).toBe(0);
});
