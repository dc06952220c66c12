import { expect, onTestFinished, test } from 'vitest';
import { runPhases, untilSignal } from '../../src/shutdown.ts';

test('phases run in sequence; one that hangs or fails is reported and skipped', async () => {
  const done: string[] = [];
  const warnings: string[] = [];
  await runPhases(
    {
      first: [20, async () => done.push('first')],
      hanging: [20, () => new Promise(() => {})],
      second: [20, async () => done.push('second')],
      failing: [20, () => Promise.reject(new Error('broken'))],
      last: [20, async () => done.push('last')],
    },
    (message) => warnings.push(message),
  );
  expect(done).toEqual(['first', 'second', 'last']);
  expect(warnings).toEqual(['shutdown: hanging: not done after 20 ms', 'shutdown: failing: broken']);
});

test('a signal repeated within two seconds is ignored; a later one ends the process at once', async () => {
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;
  const before = signals.map((signal) => process.listeners(signal));
  onTestFinished(() => {
    for (const [index, signal] of signals.entries())
      for (const listener of process.listeners(signal))
        if (!before[index]?.includes(listener)) process.off(signal, listener);
  });
  let now = 5_000;
  const codes: number[] = [];
  const stopped = untilSignal(
    () => now,
    (code) => codes.push(code),
  );
  const send = (signal: NodeJS.Signals) => process.listeners(signal).at(-1)?.(signal);
  send('SIGTERM');
  await stopped;
  now += 2_000;
  send('SIGINT');
  send('SIGTERM');
  expect(codes).toEqual([]);
  now += 1;
  send('SIGTERM');
  expect(codes).toEqual([1]);
});
