import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { start } from '@petstore/testkit/commands';
import { checkedFetch } from '@petstore/testkit/contract';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDatabase } from './support/database.ts';

test('serve --quickstart prints where it is, a key that works and requests to paste; the next start prints the same key', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'petstore-quickstart-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const DATABASE_URL = await temporaryDatabase({ migrated: false });
  const quickstart = async (databaseUrl: string) => {
    const quiet = { PORT: '0', LOG_LEVEL: 'warn', PETSTORE_DATA_DIR: path.join(dataDir, 'new') };
    const running = start(['serve', '--quickstart'], { ...quiet, DATABASE_URL: databaseUrl });
    await running.waitFor(/curl [^\n]*\n\n?curl [^\n]*\n/);
    const output = running.output();
    const value = (name: string) => new RegExp(`${name} +(\\S+)`).exec(output)?.[1] ?? '';
    return { running, output, api: value('API'), docs: value('Docs'), key: value('Key') };
  };

  const first = await quickstart(DATABASE_URL);
  const headers = { Authorization: `Bearer ${first.key}` };
  expect(await (await checkedFetch(`${first.api}/pets`, { headers })).json()).toEqual([]);
  expect((await fetch(first.docs)).status).toBe(200);

  const commands = first.output.match(/^curl .*$/gm) ?? [];
  expect(commands).toHaveLength(2);
  const answers = [];
  for (const command of commands) {
    const { stdout } = await promisify(execFile)('sh', ['-c', `${command} --silent --show-error`]);
    answers.push(JSON.parse(stdout));
  }
  const biscuit = { id: expect.any(Number), name: 'Biscuit', categoryId: 7, status: 'available' };
  expect(answers).toEqual([biscuit, [biscuit]]);

  const keyFile = path.join(dataDir, 'new/quickstart-key');
  expect((await stat(keyFile)).mode & 0o077).toBe(0);
  expect((await first.running.stop()).code).toBe(0);

  const second = await quickstart(DATABASE_URL);
  expect(second.key).toBe(first.key);
  expect(await (await checkedFetch(`${second.api}/pets`, { headers })).json()).toHaveLength(1);
  await second.running.stop();

  // Another database does not know the key.
  const third = await quickstart(await temporaryDatabase());
  expect(third.key).not.toBe(first.key);
  const other = { Authorization: `Bearer ${third.key}` };
  expect((await checkedFetch(`${third.api}/pets`, { headers: other })).status).toBe(200);
  await third.running.stop();
});
