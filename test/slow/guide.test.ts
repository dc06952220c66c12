import { expect, test } from 'vitest';
import { copyRepository } from '../copy.ts';
import { blocksOf, readerOf } from './document.ts';

/** Runs the guide on a copy of the repository. Its result passes lint, review, and all tests of the SDK and the server. */
const blocks = blocksOf('docs/add-an-operation.md');

const reader = readerOf(copyRepository().folder);

test('docs/add-an-operation.md works as written', async () => {
  await reader.run(blocks);
  expect(blocks.map(({ language }) => language)).toEqual(expect.arrayContaining(['diff', 'ts', 'sh', 'text', 'md']));
});

test.each([
  'pnpm contract:generate --check',
  'pnpm contract:lint',
  'pnpm lint',
  'pnpm lint:redos',
  'pnpm exec turbo run typecheck test --filter=@petstore/client --filter=@petstore/server --continue --output-logs=errors-only',
  'pnpm contract:review --base main',
])('its result passes: %s', { timeout: 900_000 }, async (command) => {
  const { code, printed } = await reader.shell(command);
  expect(code, printed.slice(-20_000)).toBe(0);
});
