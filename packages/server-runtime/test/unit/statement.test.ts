import { expect, test } from 'vitest';
import { named } from '../../src/database/statement.ts';

test('names of prepared statements have 64 bits of a hash, and the 63 bytes that Postgres distinguishes', () => {
  const { name } = named('listBooks'.repeat(9), 'select 1');
  expect(name).toMatch(/^(listBooks){5}l_[\da-f]{16}$/);
  expect(name).toHaveLength(63);
});
