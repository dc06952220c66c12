import { expect, test } from 'vitest';
import { runPhases } from '../src/shutdown.ts';

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
