import { expect, onTestFinished, test } from 'vitest';
import { runPhases, untilSignal } from '../src/shutdown.ts';

test('phases run one after the other; one that hangs or fails is told and left behind', async () => {
  const done: string[] = [];
  const warnings: string[] = [];
  const phase = (name: string, run: () => Promise<unknown>) => ({ name, limit: 20, run });
  const note = (name: string) => phase(name, async () => done.push(name));
  await runPhases(
    [
      note('first'),
      phase('hanging', () => new Promise(() => {})),
      note('second'),
      phase('failing', () => Promise.reject(new Error('broken'))),
      note('last'),
    ],
    (message) => warnings.push(message),
  );
  expect(done).toEqual(['first', 'second', 'last']);
  expect(warnings).toEqual(['shutdown: hanging: not done after 20 ms', 'shutdown: failing: broken']);
});

test('a signal that is repeated within two seconds is the same; one that comes later ends the process at once', async () => {
  const signals = ['SIGTERM', 'SIGINT'] as const;
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
