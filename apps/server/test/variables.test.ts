import path from 'node:path';
import { parseEnv } from 'node:util';
import { loadConfig, variables } from '@petstore-platform/service/testing';
import { expect, test } from 'vitest';

const { entries, keys } = Object;

// `vitest run -u` updates it.
test('.env.example lists all variables with their defaults', async () => {
  const lines = entries(variables).map(
    ([name, { description, default: value }]) => `# ${description}\n${name}=${value}\n`,
  );
  const text = ['# Configuration of the server: all variables, with their defaults.\n', ...lines].join('\n');
  await expect(text).toMatchFileSnapshot(path.join(import.meta.dirname, '../../../.env.example'));
  const environment = parseEnv(text);
  expect(keys(environment).sort()).toEqual(keys(variables).sort());
  const DATABASE_URL = 'postgres://ada@db.example/petstore';
  expect(loadConfig({ ...environment, DATABASE_URL })).toEqual(loadConfig({ DATABASE_URL }));
});
