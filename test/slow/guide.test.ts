import { expect, test } from 'vitest';
import { copyRepository } from '../copy.ts';
import { blocksOf, readerOf } from './document.ts';

/** Runs the guide on a copy of the repository. Its result passes the lint, compiles, and breaks no test of the contract's operations. */
const blocks = blocksOf('docs/add-an-operation.md');

const reader = readerOf(copyRepository().folder);

test('docs/add-an-operation.md works as written', async () => {
  await reader.run(blocks);
  expect(blocks.map(({ language }) => language)).toEqual(expect.arrayContaining(['diff', 'ts', 'sh', 'text', 'md']));
});

// The guide itself lints and reviews the contract, and its pnpm format also lints.
test.each([
  'pnpm contract:generate --check',
  'pnpm exec turbo run typecheck --filter=@petstore/client --filter=@petstore/server --output-logs=errors-only',
  // The other tests are of roles, processes and time, which no operation changes.
  'pnpm --filter @petstore/server exec vitest run test/database test/ops test/pets',
])('its result passes: %s', async (command) => {
  const { code, printed } = await reader.shell(command);
  expect(code, printed.slice(-20_000)).toBe(0);
});
