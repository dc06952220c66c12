import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const read = (file: string) => readFile(path.join(import.meta.dirname, file), 'utf8');

test.each([
  ['server-runtime', 'bookstore/src/books.ts'],
  ['server-runtime', 'bookstore/src/service.ts'],
  ...['openapi-validation', 'quota', 'kysely-pipeline'].map((part) => [part, `${part}/example/app.ts`]),
])('the README of %s has %s, which is tested', async (name, file) => {
  expect(await read(`../../${name}/README.md`)).toContain(`\n\`\`\`ts\n${await read(`../../${file}`)}\`\`\`\n`);
});

test('the handlers in docs/tenants.md are those of a service that is tested', async () => {
  const blocks = [...(await read('../../../docs/tenants.md')).matchAll(/^```ts\n(.*?)^```$/gms)];
  const service = await read('../../bookstore/src/tenanted.ts');
  expect(blocks).toHaveLength(3);
  for (const [, block] of blocks) expect(service).toContain(block);
});

test('docs/architecture.md names files that exist', async () => {
  const root = path.join(import.meta.dirname, '../../..');
  const sources = [
    '',
    'apps/server/src',
    ...['server-runtime', 'client-runtime', 'contract-review'].map((name) => `packages/${name}/src`),
  ];
  const names = (await read('../../../docs/architecture.md')).matchAll(/`([\w./-]+\.(?:ts|mjs|ya?ml))`/g);
  const files = [...new Set([...names].map(([, file]) => `${file}`))];
  expect(files.length).toBeGreaterThan(30);
  expect(files.filter((file) => !sources.some((folder) => existsSync(path.join(root, folder, file))))).toEqual([]);
});
