import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { loadConfig, settings, variables } from '@petstore-platform/server-runtime/testing';
import { expect, test } from 'vitest';

/** Lists of variables and settings. `vitest run -u` updates the files. */

const { entries, keys } = Object;

const tables: Record<string, string[]> = {
  variables: [
    '| Variable | Default | Meaning |',
    '|---|---|---|',
    ...entries(variables).map(
      ([name, { description, default: value }]) => `| \`${name}\` | ${value && `\`${value}\``} | ${description} |`,
    ),
  ],
  settings: [
    '| Setting | Requests | Migrations | Reason |',
    '|---|---|---|---|',
    ...entries(settings).map(([name, [value, reason]]) => {
      const [requests, migrations] = [5_000, 0].map((limit) => (typeof value === 'function' ? value(limit) : value));
      return `| \`${name}\` | ${requests ?? ''} | ${migrations} | ${reason} |`;
    }),
  ],
};

test('the README has tables of all variables, and of all settings of a session', async () => {
  const file = path.join(import.meta.dirname, '../README.md');
  let text = await readFile(file, 'utf8');
  for (const [name, lines] of entries(tables)) {
    const marked = new RegExp(`(<!-- ${name} -->\n).*(<!-- /${name} -->)`, 's');
    expect(text).toMatch(marked);
    text = text.replace(marked, `$1\n${lines.join('\n')}\n\n$2`);
  }
  await expect(text).toMatchFileSnapshot(file);
});

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
