import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { RULES } from '../src/rules.ts';
import { PLATFORM } from './workspace.ts';

const page = fileURLToPath(new URL('../../../openapi/README.md', import.meta.url));

// vitest -u writes it.
test('openapi/README.md has the table of what the platform adds', async () => {
  const { components } = parse(readFileSync(PLATFORM, 'utf8'));
  const code = (names: string[]) => names.map((name) => `\`${name}\``).join(', ');
  const cell = (parts: string[]) => parts.filter(Boolean).join('; ') || '–';
  const rows = RULES.map(({ to, parameters = [], headers = [], responses = {} }) => {
    const taken = parameters.map((name) => `\`${components.parameters[name].name}\``).join(', ');
    return `| ${to} | ${cell([taken])} | ${cell([code(Object.keys(responses))])} | ${cell([code(headers)])} |`;
  });
  const titles = ['| To | Parameter | Responses | Headers of a success |', '|---|---|---|---|'];
  const text = readFileSync(page, 'utf8');
  const current = text.replace(
    /(?<=<!-- platform -->\n)[\s\S]*?(?=<!-- end of platform -->)/,
    () => `${[...titles, ...rows].join('\n')}\n`,
  );
  await expect(current).toMatchFileSnapshot(page);
});
