import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyRepository, importing, launch } from '../copy.ts';

const copy = copyRepository();

/** Makes the program whose command line matches `hangs` run forever, and an install before it succeed without effect. */
const hook = (hangs: RegExp, marker: string) => `
import { writeFileSync } from 'node:fs';
const line = process.argv.slice(1).join(' ');
if (${hangs}.test(line)) {
  writeFileSync(${JSON.stringify(marker)}, '');
  setInterval(() => {}, 1_000_000);
  await new Promise(() => {});
} else if (/npx.* install/.test(line)) process.exit(0);`;

const stages: [command: string, stage: string, hangs: RegExp][] = [
  ['start', 'Installing', /npx.* install/],
  ['start', 'Building', /bin\/tsc/],
  ['test', 'Testing', /npx.* test:workspace/],
];
const targets = (['npm', 'the process group'] as const).flatMap((target) =>
  stages.map((stage) => [target, ...stage] as const),
);

test.each(targets)('SIGINT to %s of `npm %s` leaves no process: %s', async (target, command, stage, hangs) => {
  const marker = path.join(copy.folder, 'hangs');
  const NODE_OPTIONS = importing(hook(hangs, marker));
  const { child, text, ended } = launch('npm', [command], copy.folder, { NODE_OPTIONS });
  onTestFinished(() => {
    for (const id of copy.processes()) process.kill(id, 'SIGKILL');
    rmSync(marker, { force: true });
  });
  const timeout = 120_000;
  await expect.poll(() => existsSync(marker), { timeout }).toBe(true);
  await expect.poll(text, { timeout }).toContain(`• ${stage}`);
  // The script and the hanging program run, at least.
  expect(copy.processes().length).toBeGreaterThan(1);
  const { pid = 0 } = child;
  process.kill(target === 'npm' ? pid : -pid, 'SIGINT');
  await expect.poll(ended, { timeout }).not.toBeNull();
  await expect.poll(copy.processes, { timeout }).toEqual([]);
});
