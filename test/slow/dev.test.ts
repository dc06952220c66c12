import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyRepository, launch, NO_INSTALL } from '../copy.ts';

const timeout = 240_000;
const copy = copyRepository();

test('pnpm dev: a change of the contract or of a source is served, from the same database', async () => {
  const { scripts } = JSON.parse(readFileSync(path.join(copy.folder, 'package.json'), 'utf8'));
  const env = { NODE_OPTIONS: NO_INSTALL, DATABASE_URL: '', PORT: '0' };
  const { child, text } = launch('sh', ['-c', `${scripts.dev} --debug`], copy.folder, env);
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await expect.poll(copy.processes, { timeout }).toEqual([]);
  });
  const change = (file: string, from: string, to: string) => {
    const name = path.join(copy.folder, file);
    const old = readFileSync(name, 'utf8');
    expect(old).toContain(from);
    // As git and some editors do.
    writeFileSync(`${name}~`, old.replace(from, to));
    renameSync(`${name}~`, name);
  };
  await expect.poll(text, { timeout }).toContain('Petstore is running');
  // The port may be that of another program.
  await expect.poll(text, { timeout }).toMatch(/Debugger listening|inspector.*address already in use/);
  const [, api = ''] = /API {4}(\S+)/.exec(text()) ?? [];
  const [, key] = /Key {4}(\S+)/.exec(text()) ?? [];
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const get = async (url: string) => (await fetch(url, { headers }).catch(() => undefined))?.text();
  const body = JSON.stringify({ name: 'Biscuit', categoryId: 7 });
  const pet = await (await fetch(`${api}/pets`, { method: 'POST', headers, body })).text();

  change('openapi/petstore.yaml', 'maximum: 100', 'maximum: 101');
  await expect.poll(() => get(`${api}/pets?limit=101`), { timeout }).toBe(`[${pet}]`);

  for (const [from = '', to = ''] of ['ok changed', 'changed replaced'].map((each) => each.split(' '))) {
    change('packages/server-runtime/src/ops/health.ts', `() => ({ status: '${from}'`, `() => ({ status: '${to}'`);
    await expect.poll(() => get(`${new URL(api).origin}/livez`), { timeout }).toContain(to);
  }

  change('openapi/petstore.yaml', 'openapi: 3.1.', 'openapi: [3.1.');
  await expect.poll(text, { timeout }).toContain('Not generated');
  expect(await get(`${api}/pets`)).toBe(`[${pet}]`);
});
