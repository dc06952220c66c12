import { expect, test } from 'vitest';
import { cutLifeline, spawnWithLifeline } from '../src/lifeline.ts';

test('a program ends with its lifeline before it handles signals, as one that is just starting', async () => {
  const child = spawnWithLifeline('sleep', ['300'], process.env);
  try {
    await cutLifeline(child);
    expect(child.exitCode).toBeGreaterThan(0);
  } finally {
    if (child.exitCode === null && child.pid) process.kill(-child.pid, 'SIGKILL');
  }
}, 10_000);
