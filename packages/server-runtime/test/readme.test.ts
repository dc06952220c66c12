import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const read = (file: string) => readFile(path.join(import.meta.dirname, file), 'utf8');

test('the service in the README is one that compiles', async () => {
  expect(await read('../README.md')).toContain(`\n\`\`\`ts\n${await read('../../bookstore/src/whole.ts')}\`\`\`\n`);
});

test('the handlers in docs/tenants.md are those of a service that is tested', async () => {
  const blocks = [...(await read('../../../docs/tenants.md')).matchAll(/^```ts\n(.*?)^```$/gms)];
  const service = await read('../../bookstore/src/tenanted.ts');
  expect(blocks).toHaveLength(3);
  for (const [, block] of blocks) expect(service).toContain(block);
});

test('the README names files that exist', async () => {
  const names = (await read('../README.md')).matchAll(/`(?:src\/)?((?!test\/)[\w/-]+\.ts)`/g);
  const files = [...new Set([...names].map(([, file]) => file))];
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => !existsSync(path.join(import.meta.dirname, '../src', `${file}`)))).toEqual([]);
});
