import { expect, test } from 'vitest';
import { cutLifeline, spawnWithLifeline } from '../src/lifeline.ts';

test('cutting the lifeline ends a program that has no signal handlers yet', async () => {
  const child = spawnWithLifeline('sleep', ['300'], process.env);
  try {
    await cutLifeline(child);
    expect(child.exitCode).toBeGreaterThan(0);
  } finally {
    if (child.exitCode === null && child.pid) process.kill(-child.pid, 'SIGKILL');
  }
});
