import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const read = (file: string) => readFile(path.join(import.meta.dirname, file), 'utf8');

test.each(['books', 'service'])('the README has the %s of a service that is tested', async (name) => {
  expect(await read('../README.md')).toContain(`\n\`\`\`ts\n${await read(`../../bookstore/src/${name}.ts`)}\`\`\`\n`);
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
