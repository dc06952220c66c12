import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { readme, snippets } from './readme.ts';

// The folder is within the package, so that the snippets import the built `@petstore/client` (self-reference).
const folder = new URL('../test-results/readme/', import.meta.url);
const service = fileURLToPath(new URL('./readme-service.ts', import.meta.url));

/** Snippets without a client of their own use that of the first snippet. */
const client = `import { createClient } from '@petstore/client';\n\nconst petstore = createClient({ apiKey: 'YOUR_API_KEY' });\n`;
const fileOf = (index: number) => fileURLToPath(new URL(`${index}.ts`, folder));

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [index, { code }] of snippets.entries()) {
    writeFileSync(fileOf(index), /createClient|createTestClient/.test(code) ? code : client + code);
  }
  const tsconfig = { extends: '../../tsconfig.json', compilerOptions: { declaration: false }, include: ['.'] };
  writeFileSync(new URL('tsconfig.json', folder), JSON.stringify(tsconfig));
});

test('every section on usage has a snippet', () => {
  const [, ...sections] = readme.split(/^## /m);
  expect(sections.filter((text) => !/^```tsx?$/m.test(text))).toEqual([]);
});

test('the component for Next.js is that of the examples, which a slow test builds and runs', () => {
  const [, shown] = /^```tsx\n(.*?)^```$/ms.exec(readme) ?? [];
  expect(shown).toBe(readFileSync(new URL('../../../examples/next/app/pets.tsx', import.meta.url), 'utf8'));
});

test('every snippet compiles', () => {
  const tsc = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', fileURLToPath(folder)], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});

test.each(snippets.map(({ section }, index) => [section, index]))('%s: snippet %i runs', (_, index) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', service, fileOf(index as number)], {
    encoding: 'utf8',
    timeout: 240_000,
    // Far from UTC, in which the page shows times.
    env: { ...process.env, TZ: 'America/New_York' },
  });
  expect(status, stderr).toBe(0);
  // Comments beside `console` and a deprecated call show their output.
  for (const [, shown = ''] of String(snippets[index as number]?.code).matchAll(/; \/\/ ([^…]{9,})/g)) {
    expect(stdout + stderr).toContain(shown);
  }
});
