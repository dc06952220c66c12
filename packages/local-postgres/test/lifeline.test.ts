import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cutLifeline, spawnWithLifeline } from '../src/lifeline.ts';

function start(command: string[]) {
  const child = spawnWithLifeline('TERM', command, 'inherit', {});
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-Number(child.pid), 'SIGKILL');
  });
  return child;
}

test('cutting the lifeline ends a program that has no signal handlers yet', async () => {
  const child = start(['sleep', '300']);
  await cutLifeline(child, 60_000);
  expect(child.signalCode).toBe('SIGTERM');
});

test('cutting the lifeline kills a program that ignores the signal', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lifeline-'));
  const child = start(['sh', '-c', `trap '' TERM; touch "$0"; sleep 300`, path.join(folder, 'ready')]);
  await expect.poll(() => existsSync(path.join(folder, 'ready'))).toBe(true);
  await cutLifeline(child, 1);
  expect(child.signalCode).toBe('SIGKILL');
});
